"""Records from arrays of others: every common way to hand over the wrong thing is one clear line."""

import json
import types

import numpy as np
import pytest

from attention_geometry.attention import attention, causal_mask, softmax
from attention_geometry.models import arrays
from attention_geometry.models.record import AttentionRecord

L, H, N, D_K, WIDTH = 2, 3, 5, 4, 6


@pytest.fixture
def some(rng):
    """Consistent arrays of one text: queries, keys, values, hidden states; scores; causal weights."""
    made = {name: rng.standard_normal((L, H, N, D_K)) for name in ("queries", "keys", "values")}
    scores = made["queries"] @ made["keys"].swapaxes(-1, -2) / np.sqrt(D_K)
    made |= {"scores": scores, "weights": softmax(scores, mask=causal_mask(N))}
    return made | {"hidden": rng.standard_normal((L + 1, N, WIDTH))}


def padded(array, marks, axes, fill=7.0):
    """The array with rows of ``fill`` put in where ``marks`` is 0."""
    for axis in axes:
        wide = np.full([len(marks) if i == axis % array.ndim else s for i, s in enumerate(array.shape)], fill)
        np.moveaxis(wide, axis, 0)[np.array(marks) == 1] = np.moveaxis(array, axis, 0)
        array = wide
    return array


def test_layers_may_come_as_one_array_a_list_or_a_tuple_with_an_axis_of_texts(some):
    A = some["weights"]
    for given in (A, list(A), tuple(A[:, None]), A[:, None], A.tolist()):
        record = arrays.record(given)
        assert np.array_equal(record.weights, A) and record.scores is None
    assert np.array_equal(arrays.record(A[0]).weights, A[:1])
    assert np.array_equal(arrays.record(A[0, 1].tolist()).weights, A[:1, 1:2])


def test_all_fields_pass_through(some):
    record = arrays.record(**some, tokens=range(N), model="mine")
    for name, array in some.items():
        assert np.array_equal(getattr(record, name), array), name
    assert record.tokens == ("0", "1", "2", "3", "4") and record.model == "mine"
    with pytest.raises(TypeError, match="attn"):
        arrays.record(some["weights"], attn=3)


def test_without_weights_they_are_the_softmax_of_the_scores_or_of_queries_and_keys(some):
    for causal, mask in ((True, causal_mask(N)), (None, None)):
        expected = softmax(some["scores"], mask=mask)
        from_scores = arrays.record(scores=some["scores"], causal=causal)
        from_vectors = arrays.record(queries=some["queries"], keys=some["keys"], causal=causal)
        for record in (from_scores, from_vectors):
            assert np.allclose(record.weights, expected, atol=1e-15)
            assert np.allclose(record.scores, some["scores"], atol=1e-15)
    grouped = arrays.record(queries=some["queries"], keys=some["keys"][:, :1], key_head=(0, 0, 0))
    assert np.allclose(
        grouped.weights[:, 2], attention(some["queries"][:, 2], some["keys"][:, 0], some["values"][:, 0]).weights
    )


def test_causal_is_read_off_the_weights_or_checked(some):
    record = arrays.record(some["weights"])
    assert np.array_equal(record.mask[1, 2], causal_mask(N))
    full = softmax(some["scores"])
    assert arrays.record(full).mask.all() and arrays.record(some["weights"], causal=False).mask.all()
    lost = some["weights"].copy()
    lost[1, 2, 1] = [0.1, 0.3, 0.6, 0, 0]
    assert arrays.record(lost).mask.all()
    with pytest.raises(ValueError, match=r"not causal: 0.6 of row 1 \(layer 1, head 2\)"):
        arrays.record(lost, causal=True)


@pytest.mark.parametrize("marks", [[0, 0, 1, 1, 1, 1, 1], [1, 1, 1, 1, 1, 0], [0, 1, 1, 1, 1, 1, 0]])
def test_B3_padding_on_either_side_is_removed_from_every_array(some, marks):
    axes = {"weights": (-1, -2), "scores": (-1, -2)}
    given = {name: padded(array, marks, axes.get(name, (-2,))) for name, array in some.items()}
    given["weights"] = padded(padded(some["weights"], marks, (-1,), 0.0), marks, (-2,), np.nan)
    tokens = np.array(["[PAD]"] * len(marks), dtype=object)
    tokens[np.array(marks) == 1] = list("abcde")
    for attention_mask in (marks, np.array(marks), np.array([marks])):
        record = arrays.record(**given, attention_mask=attention_mask, tokens=tokens)
        assert record.tokens == tuple("abcde") and record.valid.all()
        for name, array in some.items():
            assert np.array_equal(getattr(record, name), array), name
    from_scores = arrays.record(scores=given["scores"], attention_mask=marks, causal=True)
    assert np.allclose(from_scores.weights, some["weights"], atol=1e-15)
    mask = padded(causal_mask(N), marks, (-1, -2), 0.0).astype(bool)
    assert np.array_equal(arrays.record(**given, attention_mask=marks, mask=mask).mask[0, 0], causal_mask(N))


def test_B3_weights_on_padding_are_reported(some):
    wrong = softmax(some["scores"])
    i = int(np.argmax(wrong[..., :4, 4].ravel()))
    layer, head, row = np.unravel_index(i, (L, H, 4))
    said = rf"padding gets {wrong[layer, head, row, 4]:.3g} of row {row} \(layer {layer}, head {head}\)"
    with pytest.raises(ValueError, match=said):
        arrays.record(wrong, attention_mask=[1, 1, 1, 1, 0])
    for bad in ([1, 1, 1], [1, 1, 1, 1, 2], np.ones((2, 2, 5))):
        with pytest.raises(ValueError, match="attention_mask has shape"):
            arrays.record(wrong, attention_mask=bad)
    with pytest.raises(ValueError, match="0 throughout"):
        arrays.record(wrong, attention_mask=[0] * 5)


def test_B4_a_fully_masked_head_is_flagged_and_the_others_stand(some):
    for nothing in (np.nan, 0.0):
        A = some["weights"][0].copy()
        A[2] = nothing
        record = arrays.record(A, empty_rows="zero")
        assert np.array_equal(record.valid[0].all(-1), [True, True, False]) and (record.weights[0, 2] == 0).all()
        assert not record.mask[0, 2].any() and np.array_equal(record.weights[0, :2], A[:2])
        with pytest.raises(ValueError, match=r"row 0 \(layer 0, head 2\) is NaN or 0 throughout.*empty_rows='zero'"):
            arrays.record(A)
    A[2] = some["weights"][0, 2]
    A[1, 3, 0] = np.nan
    with pytest.raises(ValueError, match=r"NaN at index \(0, 1, 3, 0\)"):
        arrays.record(A, empty_rows="zero")
    with pytest.raises(ValueError, match="empty_rows must be"):
        arrays.record(A, empty_rows="keep")


def test_B9_tokens_that_do_not_fit_ask_about_padding():
    with pytest.raises(ValueError, match="7 entries but there are 8 tokens; padding"):
        arrays.record(np.full((12, 8, 8), 1 / 8), tokens=list("abcdefg"))


def test_F19_of_several_texts_one_is_named(some):
    both = np.stack([some["weights"], softmax(some["scores"])], axis=1)
    marks = [[1, 1, 1, 1, 1], [1, 1, 1, 1, 1]]
    for given in (both, tuple(both)):
        for i in range(2):
            assert np.array_equal(arrays.record(given, batch=i, attention_mask=marks).weights, both[:, i])
        with pytest.raises(ValueError, match="2 texts; say which with batch="):
            arrays.record(given)
        with pytest.raises(ValueError, match="batch is 2"):
            arrays.record(given, batch=2)


def test_B2_steps_of_a_generation_are_explained():
    steps = tuple(tuple(np.full((1, H, q, k), 1 / k) for _ in range(L)) for q, k in ((5, 5), (1, 6), (1, 7)))
    with pytest.raises(ValueError, match="each step of a generation.*weights\\[0\\]"):
        arrays.record(steps)
    assert arrays.record(steps[0]).n_tokens == 5
    with pytest.raises(ValueError, match=r"\(3, 1, 6\)|cross-attention"):
        arrays.record(steps[1])


@pytest.mark.parametrize("nothing", [(), [], (None, None), None])
def test_B1_no_attention_names_eager(nothing):
    with pytest.raises(TypeError, match="weights.*attn_implementation='eager'") as error:
        arrays.record(nothing)
    assert "\n" not in str(error.value)


def test_F20_other_objects_are_named():
    for wrong, said in (
        (3.5, "one number"),
        (np.array(0.7), "one number"),
        (np.zeros((1, 5, 100)), "logits"),
        (types.SimpleNamespace(attentions=()), "outputs.attentions"),
        ({"attentions": ()}, "outputs.attentions"),
        (object(), "weights"),
        ("weights", "weights"),
    ):
        with pytest.raises(TypeError, match=said):
            arrays.record(wrong)
    with pytest.raises(ValueError, match="layers have the shapes"):
        arrays.record([np.eye(3)[None], np.eye(4)[None]])


def test_B5_bfloat16_tensors_with_gradients_are_taken_within_their_precision(some):
    torch = pytest.importorskip("torch")
    weights = tuple(torch.tensor(A[None]).bfloat16().requires_grad_() for A in some["weights"])
    record = arrays.record(weights)
    assert record.precision == "bfloat16" and np.abs(record.weights - some["weights"]).max() < 1e-2
    with pytest.raises(ValueError, match="sums to"):
        arrays.record([A.double() for A in weights])


def test_B6_half_precision_products_that_overflow_give_finite_rows():
    torch = pytest.importorskip("torch")
    q = np.full((1, 1, 4, 64), 40, dtype=np.float16)
    with np.errstate(over="ignore"):
        assert not np.isfinite(q @ q.swapaxes(-1, -2)).all()
    for x in (q, torch.tensor(q)):
        record = arrays.record(queries=x, keys=x)
        assert (record.scores == 40 * 40 * 64 / 8).all() and np.allclose(record.weights, 1 / 4)


def test_npz_and_safetensors_are_read(some, tmp_path):
    tokens = ["a", "né", "<b>", "", "e"]
    np.savez(tmp_path / "one.npz", **some, tokens=np.array(tokens))
    save_file = pytest.importorskip("safetensors.numpy").save_file
    save_file(some, tmp_path / "one.safetensors", metadata={"tokens": json.dumps(tokens)})
    for name in ("one.npz", "one.safetensors"):
        record = arrays.load(tmp_path / name, model="mine")
        assert record.tokens == tuple(tokens) and record.model == "mine"
        for field, array in some.items():
            assert np.array_equal(getattr(record, field), array), field
        assert arrays.load(tmp_path / name, tokens=list("abcde")).tokens == tuple("abcde")
    save_file({"x": some["weights"].astype(np.float16)}, tmp_path / "half.safetensors")
    assert arrays.load(tmp_path / "half.safetensors", names={"weights": "x"}).precision == "float16"
    record.save(tmp_path / "saved.npz")
    assert np.array_equal(arrays.load(tmp_path / "saved.npz").queries, record.queries)


def test_bfloat16_files_are_read(some, tmp_path):
    torch = pytest.importorskip("torch")
    from safetensors.torch import save_file

    save_file({"weights": torch.tensor(some["weights"]).bfloat16()}, tmp_path / "b.safetensors")
    record = arrays.load(tmp_path / "b.safetensors")
    assert record.precision == "bfloat16" and np.abs(record.weights - some["weights"]).max() < 1e-2


def test_files_that_are_not_what_they_should_be_are_one_clear_line(some, tmp_path):
    np.savez(tmp_path / "other.npz", attn=some["weights"])
    with pytest.raises(ValueError, match="'attn', which is no field.*names="):
        arrays.load(tmp_path / "other.npz")
    with pytest.raises(ValueError, match="no array 'x'.*holds attn"):
        arrays.load(tmp_path / "other.npz", names={"weights": "x"})
    np.savez(tmp_path / "pickle.npz", weights=np.array([{}], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle"):
        arrays.load(tmp_path / "pickle.npz")
    whole = (tmp_path / "other.npz").read_bytes()
    for name in ("half.npz", "half.safetensors", "empty.npz", "empty.safetensors"):
        (tmp_path / name).write_bytes(whole[: len(whole) // 2] if "half" in name else b"")
        with pytest.raises(ValueError, match="no whole .*file") as error:
            arrays.load(tmp_path / name)
        assert name in str(error.value) and "\n" not in str(error.value)
    np.save(tmp_path / "bare.npy", some["weights"])
    with pytest.raises(ValueError, match="no whole"):
        arrays.load(tmp_path / "bare.npy")
    for name in ("nowhere.npz", "nowhere.safetensors"):
        with pytest.raises(FileNotFoundError):
            arrays.load(tmp_path / name)


def cache_of(some, *, batch=True, rotary=False):
    """The same text as an activation cache: heads after positions, one name for each layer."""
    cache = {}
    for l in range(L):
        block = {
            "attn.hook_pattern": some["weights"][l],
            "attn.hook_attn_scores": np.where(causal_mask(N), some["scores"][l], -np.inf),
            "hook_resid_pre": some["hidden"][l],
            "hook_resid_post": some["hidden"][l + 1],
        }
        for hook, name in (("q", "queries"), ("k", "keys"), ("v", "values")):
            array = some[name][l].swapaxes(0, 1)
            block[f"attn.hook_{hook}"] = array
            if rotary and hook != "v":
                block[f"attn.hook_rot_{hook}"], block[f"attn.hook_{hook}"] = array, array + 1
        cache |= {f"blocks.{l}.{name}": array[None] if batch else array for name, array in block.items()}
    return cache | {"hook_embed": some["hidden"][:1]}


@pytest.mark.parametrize("options", [{}, {"batch": False}, {"rotary": True}])
def test_an_activation_cache_becomes_a_record_with_scores_before_the_mask(some, options):
    record = arrays.from_cache(cache_of(some, **options), tokens=list("abcde"), model="two layers")
    for name, array in some.items():
        assert np.allclose(getattr(record, name), array, atol=1e-15), name
    assert record.tokens == tuple("abcde") and record.model == "two layers" and not record.mask.all()


def test_a_cache_whose_scores_are_others_keeps_only_what_is_certain(some):
    for change in (
        {f"blocks.{l}.attn.hook_q": 1.01 * some["queries"][l].swapaxes(0, 1) for l in range(L)},
        {"blocks.0.attn.hook_k": some["keys"][1].swapaxes(0, 1)},
    ):
        record = arrays.from_cache(cache_of(some, batch=False) | change)
        assert record.scores is None and record.queries is None and record.keys is None
        assert np.array_equal(record.values, some["values"])
    only = {name: array for name, array in cache_of(some).items() if name.endswith("pattern")}
    assert arrays.from_cache(only).hidden is None


def test_a_cache_that_is_none_is_refused(some):
    cache = cache_of(some)
    with pytest.raises(TypeError, match="cache is of type list"):
        arrays.from_cache([cache])
    with pytest.raises(ValueError, match=r"of the layers \[\]"):
        arrays.from_cache({"hook_embed": 1})
    del cache["blocks.0.attn.hook_pattern"]
    with pytest.raises(ValueError, match=r"of the layers \[1\].*without a gap"):
        arrays.from_cache(cache)


def test_scores_are_matched_also_where_the_weights_are_nearly_uniform(some, rng):
    from attention_geometry.models._checks import matching_scores

    queries, keys = 1e-2 * some["queries"], 1e-1 * some["keys"]
    scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(D_K)
    weights, mask = softmax(scores), np.ones((L, H, N, N), dtype=bool)
    for precision, A in (("float64", weights), ("float32", weights.astype(np.float32).astype(float))):
        found = matching_scores(queries, keys, A, mask, precision=precision)
        assert np.allclose(found, scores, atol=1e-15)
        bias = 1e-3 * rng.standard_normal(scores.shape)
        assert matching_scores(queries, keys, softmax(scores + bias), mask, precision=precision) is None
    assert matching_scores(queries, keys, softmax(scores + bias[..., :1]), mask, precision="float64") is not None


def test_the_result_is_an_ordinary_record(some):
    record = arrays.record(some["weights"])
    assert isinstance(record, AttentionRecord) and not record.weights.flags.writeable
    before = some["weights"].copy()
    some["weights"][...] = 0
    assert np.array_equal(record.weights, before)
