"""all-MiniLM-L6-v2 from its wheel: equal to transformers, offline, and what is known of its heads."""

import importlib.util
import socket
import subprocess
import sys

import numpy as np
import pytest

from attention_geometry import bilinear
from attention_geometry.attention import scores, softmax
from attention_geometry.models import minilm

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec(minilm.PACKAGE) is None,
    reason="the wheel of requirements-models.txt is not installed",
)

TEXTS = (
    "The dog saw its owner drop the saw.",
    "Rain",
    "A bank by the river closed early, so we walked to the other bank and waited there: nobody came!",
    "naïve café 東京 🙂 #hashtag antidisestablishmentarianism",
)


@pytest.fixture(scope="module")
def records():
    return minilm.record(TEXTS)


@pytest.fixture(scope="module")
def transformers_model():
    pytest.importorskip("torch")
    transformers = pytest.importorskip("transformers")
    folder = minilm._folder()
    model = transformers.BertModel.from_pretrained(folder, attn_implementation="eager", local_files_only=True).eval()
    return model, transformers.AutoTokenizer.from_pretrained(folder, local_files_only=True)


def run_transformers(model, tokenizer, text):
    """What transformers computes from the same files; the scores from hooks on its query and key projections."""
    import torch

    projected, hooks = {}, []
    for l, layer in enumerate(model.encoder.layer):
        for name in ("query", "key"):
            linear = getattr(layer.attention.self, name)
            hook = linear.register_forward_hook(lambda _, __, out, at=(l, name): projected.__setitem__(at, out[0]))
            hooks.append(hook)
    encoded = tokenizer(text, return_tensors="pt")
    with torch.inference_mode():
        out = model(**encoded, output_hidden_states=True, output_attentions=True)
    for hook in hooks:
        hook.remove()
    q, k = (
        torch.stack([projected[l, name].double().unflatten(-1, (12, 32)).swapaxes(0, 1) for l in range(6)])
        for name in ("query", "key")
    )
    return {
        "tokens": tuple(tokenizer.convert_ids_to_tokens(encoded["input_ids"][0].tolist())),
        "hidden": torch.stack(out.hidden_states)[:, 0].numpy(),
        "weights": torch.stack(out.attentions)[:, 0].numpy(),
        "scores": (q @ k.swapaxes(-1, -2)).numpy() / np.sqrt(32),
    }


@pytest.mark.parametrize("kind, tolerance", [("float", 1e-5), ("double", 1e-12)])
def test_it_equals_transformers(records, transformers_model, kind, tolerance):
    """In single precision to 1e-5 (of the score, where that is above one), in double precision to rounding."""
    model, tokenizer = transformers_model
    model = getattr(model, kind)()
    for record, text in zip(records, TEXTS):
        expected = run_transformers(model, tokenizer, text)
        assert record.tokens == expected["tokens"]
        for name in ("hidden", "weights", "scores"):
            assert getattr(record, name).shape == expected[name].shape
            size = np.maximum(np.abs(expected[name]), 1)
            assert (np.abs(getattr(record, name) - expected[name]) <= tolerance * size).all(), name
            assert np.abs(record.scores.swapaxes(-1, -2) - expected["scores"]).max() > 1  # the comparison can fail


def test_the_record_is_whole_and_its_parts_agree(records):
    for record in records:
        n = record.n_tokens
        assert record.scores.shape == (6, 12, n, n) and record.W_Q.shape == (6, 12, 384, 32)
        assert record.hidden.shape == (7, n, 384) and record.W_O.shape == (6, 12, 32, 384)
        assert np.array_equal(record.inputs, record.hidden[:-1])  # LayerNorm stands after each block
        assert record.mask.all() and record.valid.all() and record.folded is False
        assert record.tokens[0] == "[CLS]" and record.tokens[-1] == "[SEP]"
        assert np.allclose(softmax(record.scores), record.weights, atol=1e-14)
        for l, h in ((0, 2), (3, 7), (5, 11)):
            head = record.head(l, h)
            again = scores(head.X, head.W_Q, head.W_K, b_Q=head.b_Q, b_K=head.b_K)
            assert np.allclose(again, head.scores, atol=1e-12)
            assert np.allclose(head.X @ head.W_V + head.b_V, head.V, atol=1e-12)


def test_the_heads_written_back_by_W_O_make_the_next_hidden_state(records):
    """Second formula for one layer: sum over heads of A V W_O, then both halves of the block from the raw tensors."""
    from scipy.special import erf

    record, layer, model = records[0], minilm._model().layers[2], minilm._model()
    x = record.hidden[2] + sum(record.weights[2, h] @ record.values[2, h] @ record.W_O[2, h] for h in range(12))
    x = minilm._layer_norm(x + layer["out"][1], layer["norm"], model)
    up = x @ layer["up"][0].T + layer["up"][1]
    x = x + (up * 0.5 * (1 + erf(up / 2**0.5))) @ layer["down"][0].T + layer["down"][1]
    assert np.allclose(minilm._layer_norm(x, layer["last_norm"], model), record.hidden[3], atol=1e-12)


def test_G5_a_folded_record_has_the_same_scores_from_normalised_inputs(records):
    for plain, text in zip(records[:2], TEXTS):
        folded = minilm.record(text, folded=True)
        assert folded.folded is True
        for name in ("scores", "weights", "hidden", "queries", "keys", "values", "W_O"):
            assert np.array_equal(getattr(folded, name), getattr(plain, name)), name
        assert np.allclose(folded.inputs.mean(-1), 0, atol=1e-12)
        assert np.allclose((folded.inputs**2).mean(-1), 1, atol=1e-9)
        for l, h in ((0, 2), (2, 9)):
            head = folded.head(l, h)
            again = scores(head.X, head.W_Q, head.W_K, b_Q=head.b_Q, b_K=head.b_K)
            assert np.allclose(again, plain.scores[l, h], atol=1e-11)
            assert np.allclose(head.X @ head.W_V + head.b_V, plain.values[l, h], atol=1e-12)


def test_T0_1_G3_the_key_bias_drops_out_of_every_trained_head_and_the_query_bias_does_not(records):
    record = records[2]
    for bias, unchanged in ((record.b_K, True), (100 * record.b_K, True), (record.b_Q, False)):
        keys = record.keys - bias[:, :, None] if unchanged else record.keys
        queries = record.queries if unchanged else record.queries - bias[:, :, None]
        change = np.abs(softmax(queries @ keys.swapaxes(-1, -2) / np.sqrt(32)) - record.weights).max()
        assert change < 1e-12 if unchanged else change > 0.1


def test_G3_training_never_moved_the_key_bias_because_no_loss_can_see_it():
    weights = minilm.weights()
    size = {name: np.sqrt((getattr(weights, name) ** 2).mean()) for name in ("b_Q", "b_K", "b_V")}
    assert size["b_K"] < size["b_Q"] / 100 and size["b_K"] < size["b_V"] / 10


def test_L1_2_every_trained_form_has_signature_32_32_folded_or_not():
    for folded in (False, True):
        weights = minilm.weights(folded=folded)
        signs = bilinear.signature(weights.W_Q, weights.W_K)
        assert (signs.positive == 32).all() and (signs.negative == 32).all() and (signs.zero == 320).all()


def test_weights_are_shared_between_records_and_read_only(records):
    weights = minilm.weights()
    assert weights is minilm.weights(folded=False)
    assert all(np.shares_memory(record.W_Q, weights.W_Q) for record in records)
    with pytest.raises(ValueError, match="read-only"):
        weights.W_Q[...] = 0
    assert weights.W_Q.shape == (6, 12, 384, 32) and weights.b_V.shape == (6, 12, 32)
    assert len(repr(weights)) < 1000


def test_a_list_gives_a_list_equal_to_the_single_calls(records):
    for record, text in zip(records, TEXTS):
        single = minilm.record(text)
        assert np.array_equal(single.scores, record.scores) and single.tokens == record.tokens
    assert minilm.record([]) == [] and len(minilm.record(t for t in TEXTS[:2])) == 2


def test_layer_0_head_2_is_a_previous_token_head_in_every_text(records):
    for record in records:
        steps = np.diagonal(record.weights[0, 2], offset=-1)
        assert steps.mean() > 0.97
        assert record.n_tokens == 3 or steps.mean() > 5 / record.n_tokens  # a uniform row would give 1/n


@pytest.mark.parametrize("text", ["", "   ", "\n\t", "\u200b", "\x00"])
def test_F4_a_text_without_a_token_is_refused(text):
    with pytest.raises(ValueError, match="holds no token"):
        minilm.record(text)


@pytest.mark.parametrize("text", [None, 3, b"dog", np.arange(3), ["dog", None], [["dog"]], [b"dog"]])
def test_F20_what_is_no_string_is_refused(text):
    with pytest.raises(TypeError, match="expected a string"):
        minilm.record(text)


def test_half_a_surrogate_pair_is_no_text():
    with pytest.raises(ValueError, match="half a surrogate pair at character 4"):
        minilm.record("dog \ud83d")


def test_F18_the_longest_text_runs_and_warns_and_one_token_more_is_refused():
    with pytest.warns(UserWarning, match="6 × 12 heads on 512 tokens.*302 MB"):
        record = minilm.record("dog " * 510)
    assert record.n_tokens == 512
    with pytest.raises(ValueError, match="513 tokens.*512 positions"):
        minilm.record("dog " * 511)


def test_F22_no_network_is_touched(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    minilm._model.cache_clear()
    assert minilm.record("no network").n_tokens == 4


def test_F21_a_missing_wheel_is_one_clear_line(monkeypatch):
    monkeypatch.setattr(minilm, "PACKAGE", "no_such_package_here")
    minilm._model.cache_clear()
    with pytest.raises(ImportError, match="requirements-models.txt") as error:
        minilm.record("dog")
    assert "\n" not in str(error.value) and minilm.REQUIREMENT in str(error.value)


def test_other_weights_than_the_pinned_ones_are_refused(tmp_path, monkeypatch):
    for name in minilm.SHA256:
        (tmp_path / name).write_bytes(b"other")
    monkeypatch.setattr(minilm, "_folder", lambda: tmp_path)
    minilm._model.cache_clear()
    with pytest.raises(ValueError, match="SHA-256"):
        minilm.record("dog")
    minilm._model.cache_clear()


PROGRAM = """
import sys
from attention_geometry.models import minilm
assert "scipy" not in sys.modules and "safetensors" not in sys.modules, "imported too early"
{extra}
minilm.record("dog")
loaded = [name for name in ("torch", "transformers", "sentence_transformers", minilm.PACKAGE) if name in sys.modules]
assert not loaded, loaded
"""


def run(program):
    return subprocess.run([sys.executable, "-c", program], capture_output=True, text=True)


def test_neither_torch_nor_the_package_of_the_wheel_is_imported():
    done = run(PROGRAM.format(extra=""))
    assert done.returncode == 0, done.stderr
    done = run(PROGRAM.format(extra='sys.modules["transformers"] = sys'))
    assert done.returncode == 1 and "transformers" in done.stderr  # the check above can fail


def test_the_untrained_twin_has_the_same_shapes_and_flat_scores(records):
    twin = minilm.untrained(7)
    record, same = minilm.record(TEXTS[0], model=twin), minilm.record(TEXTS[0], model=minilm.untrained(7))
    for name in ("scores", "weights", "inputs", "hidden", "keys", "W_Q", "W_O", "b_K"):
        assert getattr(record, name).shape == getattr(records[0], name).shape, name
        assert np.array_equal(getattr(record, name), getattr(same, name)), name
    assert record.tokens == records[0].tokens and "untrained" in record.model and "untrained" in repr(twin)
    assert np.isclose(record.W_Q.std(), 0.02, rtol=0.01) and not record.b_Q.any()
    assert np.allclose(record.hidden.mean(-1), 0, atol=1e-12) and np.allclose((record.hidden**2).mean(-1), 1, rtol=1e-3)
    assert record.scores.std() < records[0].scores.std() / 5
    assert not np.array_equal(minilm.record(TEXTS[0], model=minilm.untrained(8)).scores, record.scores)
    wide = minilm.record(TEXTS[0], model=minilm.untrained(7, std=0.04))
    assert np.allclose(
        wide.scores[0], 4 * record.scores[0], rtol=0.01, atol=1e-3
    )  # the norm hides the embeddings' size
    assert np.array_equal(minilm.record(TEXTS[0]).scores, records[0].scores)  # the trained model is untouched


def test_the_untrained_twin_is_what_transformers_computes_from_its_numbers(transformers_model):
    """Second formula: the drawn tensors loaded into transformers' own model give the same weights."""
    import torch

    drawn = {}
    original, minilm._build = minilm._build, lambda name, tensors: drawn.update(tensors) or original(name, tensors)
    try:
        twin = minilm.untrained(3, std=0.2)
    finally:
        minilm._build = original
    model, tokenizer = transformers_model
    kept = {name: tensor.clone() for name, tensor in model.state_dict().items()}
    model.load_state_dict({name: torch.tensor(array) for name, array in drawn.items()}, strict=False)
    expected = run_transformers(model, tokenizer, TEXTS[0])
    model.load_state_dict(kept)
    record = minilm.record(TEXTS[0], model=twin)
    assert np.abs(record.scores - expected["scores"]).max() < 1e-4 * np.abs(record.scores).max()
    assert np.abs(record.weights - expected["weights"]).max() < 1e-4


def test_a_twin_needs_a_seed_and_only_a_twin_is_a_model():
    with pytest.raises(ValueError, match="rng is None"):
        minilm.untrained(None)
    with pytest.raises(TypeError, match="minilm.untrained"):
        minilm.record("dog", model=5)
    with pytest.raises(TypeError, match="minilm.untrained"):
        minilm.weights(model="untrained")
