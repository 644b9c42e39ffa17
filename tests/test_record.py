"""The record: every shape is checked, nothing is guessed, what is saved comes back, and no text becomes markup."""

import dataclasses
import pickle
import warnings

import numpy as np
import pytest

from attention_geometry import bilinear
from attention_geometry.attention import causal_mask, scores, softmax
from attention_geometry.models import record as module
from attention_geometry.models.record import AXES, AttentionRecord, fold

L, H, N, D, D_K, D_V = 2, 4, 5, 7, 3, 2


def make(seed=0, *, key_heads=H, mask=None):
    """All fields of a consistent record, as a dict."""
    rng = np.random.default_rng(seed)
    size = {
        "layer": L,
        "stage": L + 1,
        "head": H,
        "key_head": key_heads,
        "token": N,
        "width": D,
        "d_k": D_K,
        "d_v": D_V,
    }
    fields = {
        name: rng.standard_normal([size[axis] for axis in axes])
        for name, axes in AXES.items()
        if name not in ("weights", "scores", "queries", "keys", "values")
    }
    X, read = fields["inputs"][:, None], [h * key_heads // H for h in range(H)]
    for letter, name in (("Q", "queries"), ("K", "keys"), ("V", "values")):
        fields[name] = X @ fields[f"W_{letter}"] + fields[f"b_{letter}"][:, :, None]
    fields["scores"] = fields["queries"] @ fields["keys"][:, read].swapaxes(-1, -2) / np.sqrt(D_K)
    fields["weights"] = softmax(fields["scores"], mask=mask)
    labels = {
        "tokens": ["a", "b", "a", "c", "d"],
        "model": "toy",
        "positions": "none",
        "folded": False,
        "key_head": read,
    }
    return fields | labels | {"mask": mask}


def test_a_complete_record_hands_back_what_it_was_given():
    fields = make()
    record = AttentionRecord(**fields)
    assert (record.n_layers, record.n_heads, record.n_tokens) == (L, H, N)
    for name in AXES:
        assert np.array_equal(getattr(record, name), fields[name])
        assert getattr(record, name).dtype == np.float64
    assert record.tokens == ("a", "b", "a", "c", "d")
    assert record.mask.shape == (L, H, N, N) and record.mask.all()
    assert record.valid.shape == (L, H, N) and record.valid.all()


@pytest.mark.parametrize("name", [name for name in AXES if name != "weights"])
def test_F6_each_wrong_length_is_refused_with_both_shapes(name):
    fields = make()
    for axis in range(fields[name].ndim):
        longer = np.concatenate([fields[name], fields[name].take([0], axis)], axis)
        with pytest.raises(ValueError) as error:
            AttentionRecord(**fields | {name: longer})
        others = {str(array.shape) for other, array in fields.items() if other in AXES and other != name}
        assert any(shape in str(error.value) for shape in others), error.value
        if name not in str(error.value).split(" has shape ")[0]:  # a later field met the new length
            assert f"because {name} has shape {longer.shape}" in str(error.value)


@pytest.mark.parametrize("name", list(AXES))
def test_F6_a_missing_axis_is_refused(name):
    with pytest.raises(ValueError, match=f"{name} has shape"):
        fields = make()
        AttentionRecord(**fields | {name: fields[name][0]})


def test_F4_no_token_no_head_no_width_are_refused():
    with pytest.raises(ValueError, match="at least one"):
        AttentionRecord(weights=np.zeros((1, 1, 0, 0)))
    with pytest.raises(ValueError, match="at least one"):
        AttentionRecord(weights=np.ones((1, 0, 1, 1)))
    with pytest.raises(ValueError, match="width"):
        AttentionRecord(weights=np.ones((1, 1, 1, 1)), inputs=np.zeros((1, 1, 0)))


def test_F5_one_token_works():
    record = AttentionRecord(weights=np.ones((1, 1, 1, 1)), tokens=["only"])
    assert record.head(0, 0).weights == 1


def test_F13_rows_must_be_distributions():
    fields = make()
    fields["weights"][1, 2, 3] *= 0.9
    with pytest.raises(ValueError, match=r"\(1, 2, 3\).*sums to 0.9"):
        AttentionRecord(**fields)
    fields = make()
    fields["weights"][0, 1, 2, :2] = -0.5, fields["weights"][0, 1, 2, :2].sum() + 0.5
    with pytest.raises(ValueError, match=r"\(0, 1, 2, 0\).*not negative"):
        AttentionRecord(**fields)


def test_F13_the_tolerance_follows_the_precision_the_weights_were_computed_in():
    torch = pytest.importorskip("torch")
    weights = make()["weights"]
    low = torch.tensor(weights).bfloat16()
    assert np.abs(low.double().numpy().sum(-1) - 1).max() > 1e-4
    record = AttentionRecord(weights=low)
    assert record.precision == "bfloat16"
    with pytest.raises(ValueError, match="sums to"):
        AttentionRecord(weights=low.double())
    assert AttentionRecord(weights=low.double(), precision="bfloat16").precision == "bfloat16"
    assert AttentionRecord(weights=torch.tensor(weights, requires_grad=True)).n_heads == H


def test_scores_are_finite_and_before_the_mask():
    fields = make()
    fields["scores"][0, 0, 0, 1] = -np.inf
    with pytest.raises(ValueError, match="before the mask"):
        AttentionRecord(**fields)
    fields["scores"][0, 0, 0, 1] = np.nan
    with pytest.raises(ValueError, match=r"NaN at index \(0, 0, 0, 1\)"):
        AttentionRecord(**fields)
    fields["scores"][0, 0, 0, 1] = np.inf
    with pytest.raises(ValueError, match="no meaning"):
        AttentionRecord(**fields)


def test_a_mask_of_any_rank_becomes_one_mask_per_head_and_its_promise_is_kept():
    mask = causal_mask(N)
    for given in (mask, mask[None], np.broadcast_to(mask, (H, N, N)), np.broadcast_to(mask, (L, H, N, N)).copy()):
        record = AttentionRecord(**make(mask=mask) | {"mask": given})
        assert np.array_equal(record.mask, np.broadcast_to(mask, (L, H, N, N)))
    with pytest.raises(ValueError, match=r"to a key the mask forbids, at index \(0, 0, 0, 1\)"):
        AttentionRecord(**make() | {"mask": mask})
    with pytest.raises(TypeError, match="booleans"):
        AttentionRecord(**make(mask=mask) | {"mask": mask.astype(int)})
    with pytest.raises(ValueError, match="mask has shape"):
        AttentionRecord(**make() | {"mask": mask[:3, :3]})


def test_B4_a_fully_masked_head_is_flagged_and_the_others_stand():
    fields = make()
    mask = np.ones((L, H, N, N), dtype=bool)
    mask[:, 2] = False
    fields["weights"][:, 2] = np.nan
    record = AttentionRecord(**fields | {"mask": mask})
    assert not record.valid[:, 2].any() and record.valid[:, [0, 1, 3]].all()
    assert (record.weights[:, 2] == 0).all()
    assert f"{L * N} of {L * H * N} not valid" in repr(record)
    with pytest.raises(ValueError, match="NaN at index"):
        AttentionRecord(**fields)


def test_B3_padding_rows_are_left_out_and_a_valid_row_needs_a_key():
    fields = make()
    keep = np.array([True, True, True, False, False])
    mask = np.broadcast_to(keep, (N, N))
    fields["weights"] = softmax(fields["scores"], mask=mask)
    record = AttentionRecord(**fields | {"mask": mask, "valid": keep})
    assert np.array_equal(record.valid, np.broadcast_to(keep, (L, H, N)))
    assert (record.weights[:, :, 3:] == 0).all()
    assert np.array_equal(record.weights[:, :, :3], fields["weights"][:, :, :3])
    with pytest.raises(ValueError, match="valid is True at index"):
        AttentionRecord(**fields | {"mask": np.zeros((N, N), dtype=bool), "valid": keep})
    with pytest.raises(TypeError, match="valid has dtype"):
        AttentionRecord(**fields | {"valid": keep.astype(float)})
    with pytest.raises(ValueError, match="does not broadcast"):
        AttentionRecord(**fields | {"valid": keep[:3]})


def test_B2_steps_of_a_generation_and_cross_attention_are_no_record():
    with pytest.raises(ValueError, match="Steps of a generation"):
        AttentionRecord(weights=np.full((1, 1, 1, 6), 1 / 6))
    with pytest.raises(ValueError, match="4 dimensions"):
        AttentionRecord(weights=np.eye(3))


def test_B9_tokens_that_do_not_fit_ask_about_padding():
    with pytest.raises(ValueError, match="7 entries but there are 8 tokens; padding"):
        AttentionRecord(weights=np.full((1, 12, 8, 8), 1 / 8), tokens=list("abcdefg"))


def test_F20_labels_of_the_wrong_kind_are_named():
    for name, value in (("model", object()), ("positions", 3), ("precision", np.float32), ("folded", "yes")):
        with pytest.raises(TypeError, match=name):
            AttentionRecord(**make() | {name: value})
    with pytest.raises(TypeError, match="tokens is one string"):
        AttentionRecord(**make() | {"tokens": "abaca"})


def test_grouped_queries_name_their_key_head():
    fields = make(key_heads=2)
    record = AttentionRecord(**fields)
    assert record.key_head == (0, 0, 1, 1)
    for h in range(H):
        head = record.head(1, h)
        assert np.array_equal(head.K, fields["keys"][1, h // 2])
        assert np.allclose(scores(head.X, head.W_Q, head.W_K, b_Q=head.b_Q, b_K=head.b_K), head.scores, atol=1e-12)
    W_Q, W_K = record.form_factors()
    assert W_Q.shape == W_K.shape
    assert np.array_equal(W_K[:, 2], W_K[:, 3]) and np.array_equal(W_K[:, 2], fields["W_K"][:, 1])
    with pytest.raises(ValueError, match="2 key heads for 4 heads; pass key_head"):
        AttentionRecord(**fields | {"key_head": None})
    for wrong in ([0, 0, 1], [0, 0, 1, 2], [-1, 0, 1, 1]):
        with pytest.raises(ValueError, match="key_head is"):
            AttentionRecord(**fields | {"key_head": wrong})


def test_form_factors_measure_all_heads_at_once_and_refuse_without_matrices():
    record = AttentionRecord(**make())
    shares = bilinear.symmetric_share(*record.form_factors())
    for l in range(L):
        for h in range(H):
            assert np.isclose(shares[l, h], bilinear.symmetric_share(record.W_Q[l, h], record.W_K[l, h]))
    with pytest.raises(ValueError, match="no W_Q and W_K"):
        AttentionRecord(weights=make()["weights"]).form_factors()


def test_a_head_is_a_view_under_the_letters_of_the_book():
    record = AttentionRecord(**make())
    head = record.head(1, 2)
    assert np.array_equal(head.X, record.inputs[1])
    for letter, name in {"Q": "queries", "K": "keys", "V": "values", "scores": "scores", "W_O": "W_O"}.items():
        assert np.array_equal(getattr(head, letter), getattr(record, name)[1, 2])
        assert np.shares_memory(getattr(head, letter), getattr(record, name))
    assert (head.layer, head.head, head.tokens) == (1, 2, record.tokens)
    assert (record.head(-1, -1).layer, record.head(-1, -1).head) == (L - 1, H - 1)
    assert AttentionRecord(weights=record.weights).head(0, 0).Q is None
    for layer, h in ((L, 0), (0, H), (-L - 1, 0)):
        with pytest.raises(IndexError, match="outside 0"):
            record.head(layer, h)
    with pytest.raises(TypeError):
        record.head(0.5, 0)


def test_arrays_are_read_only_and_the_callers_stay_as_they_were():
    fields = make()
    before = {name: fields[name].copy() for name in AXES}
    record = AttentionRecord(**fields)
    for name in AXES:
        with pytest.raises(ValueError, match="read-only"):
            getattr(record, name)[...] = 0
        fields[name][...] = 7
        assert np.array_equal(getattr(record, name), before[name])
    for name in ("mask", "valid"):
        with pytest.raises(ValueError, match="read-only"):
            getattr(record, name)[...] = False
    with pytest.raises(dataclasses.FrozenInstanceError):
        record.model = "other"
    with pytest.raises(ValueError, match="read-only"):
        record.head(0, 0).weights[0] = 0


def test_a_read_only_array_is_shared_so_many_texts_hold_one_copy_of_the_matrices():
    fields = make()
    fields["W_Q"].flags.writeable = False
    record = AttentionRecord(**fields)
    assert np.shares_memory(record.W_Q, fields["W_Q"])
    assert not np.shares_memory(record.W_K, fields["W_K"])


def test_F7_layout_and_byte_order_do_not_matter():
    fields = make()
    strange = fields | {"W_Q": np.asfortranarray(fields["W_Q"]), "scores": fields["scores"].astype(">f8")}
    strange["weights"] = fields["weights"][:, ::-1].copy()[:, ::-1]
    for name in ("W_Q", "scores", "weights"):
        assert np.array_equal(getattr(AttentionRecord(**strange), name), fields[name])


HOSTILE = ["<script>alert(1)</script>", "a\x00b\x00", "\u202eabc", "\ud800", "", "👩‍👩‍👧"]


def test_F17_B7_hostile_tokens_print_as_text():
    record = AttentionRecord(weights=np.full((1, 1, 6, 6), 1 / 6), tokens=HOSTILE, model='"><b>x</b>')
    for shown in (record._repr_html_(), record.head(0, 0)._repr_html_()):
        assert "<script" not in shown and "<b>" not in shown and "&lt;" in shown
    for shown in (repr(record), record._repr_html_(), repr(record.head(0, 0))):
        shown.encode("utf-8")
        assert "\x00" not in shown and "\u202e" not in shown and "0x" not in shown
    assert repr(record) == repr(pickle.loads(pickle.dumps(record)))
    long = AttentionRecord(weights=np.full((1, 1, 300, 300), 1 / 300), tokens=["x" * 10_000] * 300)
    assert len(repr(long)) < 1000 and len(long._repr_html_()) < 2000


def test_save_and_load_lose_nothing(tmp_path):
    mask = causal_mask(N)
    fields = make(key_heads=2, mask=mask)
    fields["W_Q"] = fields["W_Q"].astype(np.float32)  # narrow numbers are stored narrow
    fields["tokens"] = HOSTILE[:5]
    record = AttentionRecord(**fields | {"folded": None})
    path = tmp_path / "ein Kopf – 1.record"
    record.save(path)
    again = AttentionRecord.load(path)
    for field in dataclasses.fields(record):
        old, new = getattr(record, field.name), getattr(again, field.name)
        assert np.array_equal(old, new) if isinstance(old, np.ndarray) else old == new, field.name
    with np.load(path, allow_pickle=False) as stored:
        assert stored["W_Q"].dtype == np.float32 and stored["W_V"].dtype == np.float64
        assert stored["mask"].shape == (1, 1, N, N)
    record.save(tmp_path / "twice")
    assert (tmp_path / "twice").read_bytes() == path.read_bytes()


def test_load_refuses_pickles_and_other_files(tmp_path):
    path = tmp_path / "other.npz"
    np.savez(path, weights=np.array([{"a": 1}], dtype=object))
    with pytest.raises(ValueError, match="allow_pickle"):
        AttentionRecord.load(path)
    np.savez(path, weights=np.ones((1, 1, 1, 1)))
    with pytest.raises(ValueError, match="not a saved AttentionRecord"):
        AttentionRecord.load(path)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        AttentionRecord.load(tmp_path / "nowhere")
    with pytest.raises(OSError, match="no such folder"):
        AttentionRecord(**make()).save(tmp_path / "no such folder" / "x")


def test_a_record_that_crosses_a_process_is_still_read_only():
    record = pickle.loads(pickle.dumps(AttentionRecord(**make())))
    with pytest.raises(ValueError, match="read-only"):
        record.weights[...] = 0
    assert np.array_equal(record.weights, make()["weights"])


def test_to_xarray_names_every_axis_and_shares_memory():
    pytest.importorskip("xarray")
    record = AttentionRecord(**make(key_heads=2))
    data = record.to_xarray()
    for name, axes in AXES.items():
        assert data[name].dims == axes
        assert np.array_equal(data[name].values, getattr(record, name))
    assert np.shares_memory(data["weights"].values, record.weights)
    assert data["query_text"].values.tolist() == list(record.tokens)
    twice = data["weights"].isel(query=data["query_text"].values == "a")
    assert twice.sizes["query"] == 2
    assert np.array_equal(data["weights"].sel(layer=1, head=2).values, record.weights[1, 2])
    assert data.attrs["model"] == "toy" and data.attrs["key_head"] == (0, 0, 1, 1)
    assert "hidden" not in AttentionRecord(weights=record.weights).to_xarray()


def test_F21_without_xarray_the_extra_is_named(monkeypatch):
    monkeypatch.setitem(__import__("sys").modules, "xarray", None)
    with pytest.raises(ImportError, match=r"attention-geometry\[xarray\]"):
        AttentionRecord(**make()).to_xarray()


def test_F18_a_large_record_says_how_many_megabytes(monkeypatch):
    with pytest.warns(UserWarning, match="30 × 9 heads on 512 tokens.*about 1132 MB"):
        module.warn_if_large(30, 9, 512)
    monkeypatch.setattr(module, "LARGE_MB", 2 * 8 * L * H * N**2 / 1e6 / 2)
    with pytest.warns(UserWarning, match="MB"):
        AttentionRecord(**make())
    monkeypatch.undo()
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        AttentionRecord(**make())


def layer_norm(x, gain, shift, *, centre=True):
    x = x - x.mean(-1, keepdims=True) if centre else x
    return x / np.sqrt((x**2).mean(-1, keepdims=True)) * gain + shift


@pytest.mark.parametrize("centre", [True, False])
def test_G5_folding_moves_the_norm_and_changes_no_projection(centre):
    rng = np.random.default_rng(3)
    x, gain, shift = rng.standard_normal((N, D)), rng.uniform(0.5, 2, D), rng.standard_normal(D)
    W, b = rng.standard_normal((H, D, D_K)), rng.standard_normal((H, D_K))
    W_folded, b_folded = fold(W, gain, b=b, shift=shift, centre=centre)
    bare = layer_norm(x, np.ones(D), np.zeros(D), centre=centre)
    expected = layer_norm(x, gain, shift, centre=centre) @ W + b[:, None]
    assert np.allclose(bare @ W_folded + b_folded[:, None], expected, atol=1e-12)
    for h in range(H):
        one = fold(W[h], gain, b=b[h], shift=shift, centre=centre)
        assert np.allclose(one[0], W_folded[h], atol=1e-15) and np.allclose(one[1], b_folded[h], atol=1e-15)


def test_G5_the_folded_form_is_the_congruence_of_the_specification_and_has_another_share():
    rng = np.random.default_rng(4)
    gain = rng.uniform(0.2, 3, D)
    W_Q, W_K = rng.standard_normal((2, D, D_K))
    folded = fold(W_Q, gain)[0], fold(W_K, gain)[0]
    C = np.eye(D) - 1 / D
    expected = C @ np.diag(gain) @ W_Q @ W_K.T @ np.diag(gain) @ C
    assert np.allclose(bilinear.bilinear_form(*folded), expected, atol=1e-12)
    assert np.allclose(np.ones(D) @ expected, 0) and np.allclose(expected @ np.ones(D), 0)
    assert abs(bilinear.symmetric_share(*folded) - bilinear.symmetric_share(W_Q, W_K)) > 1e-3


def test_fold_refuses_what_does_not_fit():
    W = np.ones((D, D_K))
    with pytest.raises(ValueError, match=r"gain has shape \(3,\) but W has shape \(7, 3\)"):
        fold(W, np.ones(3))
    with pytest.raises(ValueError, match="shift has shape"):
        fold(W, np.ones(D), shift=np.ones(1))
    with pytest.raises(ValueError, match="b has shape"):
        fold(W, np.ones(D), b=np.ones(D))
