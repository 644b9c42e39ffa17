"""Records of any model of the ``transformers`` library, encoder or decoder, that was loaded with eager attention.

The model and its tokenizer are handed over ready; nothing is loaded here, and no network is touched::

    model = AutoModel.from_pretrained(name, attn_implementation="eager").eval()
    tokenizer = AutoTokenizer.from_pretrained(name)
    records = transformers.record(model, tokenizer, ["one text", "another"])
"""

import contextlib
import dataclasses

import numpy as np

from .._inputs import as_array, as_number, require
from . import _wheel, arrays

_LOAD = "load it with AutoModel.from_pretrained(name, attn_implementation='eager')"
#: Names of the query, key and value projections of an attention module (one name: all three in one matrix), of the
#: output projection seen from it, and how many steps up its layer is.
_FAMILIES = (
    (("query", "key", "value"), "..output.dense", 2),
    (("q_lin", "k_lin", "v_lin"), "out_lin", 1),
    (("q_proj", "k_proj", "v_proj"), "o_proj", 1),
    (("c_attn",), "c_proj", 1),
)


def record(model, tokenizer, text, *, batch=8, causal=None):
    r"""Run a model on a text and hand over all its heads.

    Parameters
    ----------
    model : transformers.PreTrainedModel
        Encoder or decoder, in evaluation mode, loaded with ``attn_implementation="eager"``; other implementations do
        not compute the weights as numbers that could be handed over.
    tokenizer : transformers tokenizer
        The one that belongs to the model. Special tokens are added as it does by default; nothing is truncated.
    text : str or sequence of str
    batch : int
        How many texts run at once. They are padded on the right, and the padding is removed again.
    causal : bool, optional
        Whether weights on later tokens are an error. None: if the model's attention modules say that they are causal.

    Returns
    -------
    AttentionRecord or list of AttentionRecord
        One for a string, a list for a sequence of strings.

    Raises
    ------
    TypeError
        If model, tokenizer or text are something else, or the model returns no attention weights.
    ValueError
        If the model is not eager, in training mode, an encoder with a decoder, or has a window shorter than the text;
        if a text has no token or too many; if weights are NaN, or not causal where they should be.

    Notes
    -----
    Always carried: ``weights``, ``mask``, ``tokens`` (the tokenizer's pieces). For models built like BERT, DistilBERT,
    GPT-2 or Llama also ``queries``, ``keys`` (turned, where positions are rotary), ``values``, ``inputs``, ``hidden``
    (the last row before a final norm), the matrices and biases, and ``scores``, :math:`QK^{\top}/\sqrt{d_k}` before
    the mask; for a causal model those above the diagonal are counterfactual. They are carried only if the softmax of
    these scores *is* the weights the model returned, so a model with other scores (a bias of distances, normalised
    queries, a cap) is not misread: its records have None there.

    The model's own precision is kept and named. The matrices are float64 copies, eight bytes a number, shared by the
    records of one call.

    References
    ----------
    Vaswani et al. 2017, *Attention Is All You Need*.
    """
    torch = require("torch", "torch")
    _check(model, tokenizer, torch)
    batch = as_number(batch, "batch", integer=True, low=1)
    ids = _wheel.each(lambda one: _encode(one, model, tokenizer), text)
    reader = _Reader(model, tokenizer, torch, causal)
    if isinstance(text, str):
        return reader.records([ids])[0]
    return [record for i in range(0, len(ids), batch) for record in reader.records(ids[i : i + batch])]


def _check(model, tokenizer, torch):
    if not isinstance(model, torch.nn.Module) or not hasattr(model, "config"):
        raise TypeError(f"model is of type {type(model).__name__}; expected a model of transformers, {_LOAD}")
    if not callable(tokenizer) or not hasattr(tokenizer, "convert_ids_to_tokens"):
        raise TypeError(
            f"tokenizer is of type {type(tokenizer).__name__}; expected AutoTokenizer.from_pretrained(name)"
        )
    how = getattr(model.config, "_attn_implementation", None)
    if how not in (None, "eager"):
        raise ValueError(f"the model's attention is {how!r}, which returns no weights; {_LOAD}")
    if model.training:
        raise ValueError("the model is in training mode, where dropout changes the weights; call model.eval() first")
    parts = {name.rpartition(".")[-1] for name, _ in model.named_modules()}
    if getattr(model.config, "is_encoder_decoder", False) and "decoder" in parts:
        raise ValueError("the model is an encoder with a decoder; pass one of them, as in model.get_encoder()")


def _encode(text, model, tokenizer):
    """The numbers of a text's tokens, or the reason why it cannot be run."""
    encoded = tokenizer(_wheel.as_text(text), return_special_tokens_mask=True)
    ids = list(encoded["input_ids"])
    if all(encoded["special_tokens_mask"]):
        raise ValueError(f"text {text[:40]!r} holds no token; expected at least one word")
    limit = min(getattr(model.config, "max_position_embeddings", None) or len(ids), tokenizer.model_max_length)
    if len(ids) > limit:
        raise ValueError(f"text has {len(ids)} tokens, the model takes {limit}; shorten it or pass a list of parts")
    window = getattr(model.config, "sliding_window", None)
    kinds = getattr(model.config, "layer_types", None) or ["sliding_attention"]
    if window and len(ids) > window and "sliding_attention" in kinds:
        raise ValueError(f"text has {len(ids)} tokens, but some layers see a window of {window}; use a shorter text")
    return ids


@dataclasses.dataclass
class _Reader:
    """A model, how its layers are built, and their matrices once they have been read."""

    model: object
    tokenizer: object
    torch: object
    causal: bool | None
    matrices: dict | None = None

    def __post_init__(self):
        self.layers = _layers(self.model)
        causal = {getattr(module, "is_causal", False) for _, module in self.model.named_modules()}
        self.causal = (True in causal or None) if self.causal is None else self.causal

    def records(self, texts):
        """One record for each list of token numbers, run together with padding on the right."""
        torch, width = self.torch, max(map(len, texts))
        pad = getattr(self.tokenizer, "pad_token_id", None) or 0
        ids = torch.tensor([[*one, *[pad] * (width - len(one))] for one in texts], device=self.model.device)
        marks = torch.tensor([[1] * len(one) + [0] * (width - len(one)) for one in texts], device=self.model.device)
        wanted = {"output_attentions": True, "output_hidden_states": True, "return_dict": True}
        with torch.inference_mode(), _captured(self.layers) as seen:
            out = self.model(input_ids=ids, attention_mask=marks, **wanted)
        attentions = getattr(out, "attentions", None)
        if not attentions or any(one is None for one in attentions):
            raise TypeError(f"the model returned no attention weights; {_LOAD}")
        return [self._one(i, texts[i], marks, attentions, out.hidden_states, seen) for i in range(len(texts))]

    def _one(self, i, ids, marks, attentions, hidden, seen):
        common = {
            "weights": [one[i] for one in attentions],
            "tokens": [*self.tokenizer.convert_ids_to_tokens(ids), *[""] * (marks.shape[1] - len(ids))],
            "attention_mask": marks[i].tolist(),
            "causal": self.causal,
            "model": getattr(self.model.config, "name_or_path", "") or type(self.model).__name__,
            "precision": str(self.model.dtype).removeprefix("torch."),
        }
        n_layers, n_heads = len(attentions), attentions[0].shape[1]
        if len(self.layers) == n_layers:
            vectors = [_vectors(one, i, n_heads) for one in seen]
            if all(vectors) and hidden and len(hidden) == n_layers + 1:
                named = {name: [one[name] for one in vectors] for name in ("inputs", "queries", "keys", "values")}
                named["hidden"] = [*(one[i] for one in hidden[:-1]), seen[-1]["after"][i]]
                named |= {"key_head": vectors[0]["key_head"], "positions": vectors[0]["positions"]}
                whole = arrays.with_matching_scores(arrays.record(**common, **named))
                if whole.scores is not None and (len(ids) > 1 or self._agrees(ids)):
                    if self.matrices is None:
                        self.matrices = _matrices(self.layers, whole, self.torch)
                    return dataclasses.replace(whole, **self.matrices)
        return arrays.record(**common)


    def _agrees(self, ids):
        """Whether scores can be recovered at all: a lone token has the weight 1 whatever they are, three show it."""
        return self.matrices is not None or self.records([3 * ids])[0].scores is not None


@dataclasses.dataclass
class _Layer:
    """The modules of one layer: attention, its projections, the projection of its output, and the whole layer."""

    attention: object
    projections: list
    output: object
    block: object


def _layers(model):
    """The layers of a model of a known family, in order; none if it is of another."""
    modules = dict(model.named_modules())
    for names, output, steps in _FAMILIES:
        found = []
        for path, attention in modules.items():
            steps_up = [path.rsplit(".", up)[0] if up else path for up in range(steps + 1)]
            place = f"{steps_up[1]}.{output[2:]}" if output.startswith("..") else f"{path}.{output}"
            if all(f"{path}.{name}" in modules for name in names) and place in modules:
                projections = [modules[f"{path}.{name}"] for name in names]
                found.append(_Layer(attention, projections, modules[place], modules[steps_up[steps]]))
        if found:
            return found
    return []


@contextlib.contextmanager
def _captured(layers):
    """What each layer's projections read and gave, its rotation if it was handed one, and what left the layer."""
    seen, hooks = [{"projected": {}} for _ in layers], []

    def projected(at, part):
        def hook(_, given, result):
            at["inputs"], at["projected"][part] = given[0], result

        return hook

    def after(at):
        def hook(_, given, result):
            at["after"] = result[0] if isinstance(result, tuple) else result

        return hook

    def turned(at):
        def hook(_, given, named):
            at["turn"] = named.get("position_embeddings")

        return hook

    for at, layer in zip(seen, layers):
        hooks += [m.register_forward_hook(projected(at, part)) for part, m in enumerate(layer.projections)]
        hooks.append(layer.block.register_forward_hook(after(at)))
        hooks.append(layer.attention.register_forward_pre_hook(turned(at), with_kwargs=True))
    try:
        yield seen
    finally:
        for hook in hooks:
            hook.remove()


def _vectors(seen, i, n_heads):
    """Inputs, queries, keys and values of text ``i`` in one layer, cut into heads; None if they cannot be cut so."""
    projected = seen["projected"]
    parts = [as_array(projected[part][i], "projected", nan_policy="propagate") for part in sorted(projected)]
    if len(parts) == 1:
        parts = np.array_split(parts[0], 3, axis=-1)
    n_key_heads = _n_key_heads([x.shape[-1] for x in parts], n_heads)
    if n_key_heads is None:
        return None
    queries, keys, values = (_split(x, n) for x, n in zip(parts, (n_heads, n_key_heads, n_key_heads)))
    turn = seen.get("turn")
    if turn is not None:
        cos, sin = (as_array(x[i if len(x) > 1 else 0], "turn") for x in turn)
        if cos.shape[-1] != queries.shape[-1]:
            return None
        queries, keys = (x * cos + _quarter_turn(x) * sin for x in (queries, keys))
    return {
        "inputs": seen["inputs"][i], "queries": queries, "keys": keys, "values": values,
        "key_head": tuple(h * n_key_heads // n_heads for h in range(n_heads)),
        "positions": "in the embeddings, or none" if turn is None else "rotary",
    }  # fmt: skip


def _n_key_heads(widths, n_heads):
    """How many key heads projections of these widths make, if every head is as wide as a query head."""
    if len(widths) != 3 or widths[0] % n_heads or not widths[0]:
        return None
    n_key_heads, rest = divmod(widths[1], widths[0] // n_heads)
    return None if rest or not n_key_heads or n_heads % n_key_heads or widths[2] % n_key_heads else n_key_heads


def _split(x, n_heads):
    """(…, heads · d) → (heads, …, d)."""
    return np.moveaxis(x.reshape(*x.shape[:-1], n_heads, -1), -2, 0)


def _quarter_turn(x):
    first, second = np.split(x, 2, axis=-1)
    return np.concatenate([-second, first], axis=-1)


def _matrices(layers, record, torch):
    """Matrices and biases of every head, rows in; nothing where a projection is no plain linear map."""
    maps = [[_linear(m, torch) for m in (*layer.projections, layer.output)] for layer in layers]
    if any(one is None for layer in maps for one in layer):
        return {}
    counts = record.n_heads, record.keys.shape[1], record.keys.shape[1]
    parts = {"W_O": [W.reshape(record.n_heads, -1, W.shape[-1]) for *_, (W, _) in maps], "folded": False}
    for at, (letter, n) in enumerate(zip("QKV", counts)):
        cut = [[_third(x, at, len(layer) == 2) for x in layer[min(at, len(layer) - 2)]] for layer in maps]
        parts[f"W_{letter}"] = [_split(W, n) for W, _ in cut]
        parts[f"b_{letter}"] = None if cut[0][1] is None else [_split(b, n) for _, b in cut]
    return {name: _wheel.stack(x) if isinstance(x, list) else x for name, x in parts.items()}


def _third(x, at, fused):
    return np.array_split(x, 3, axis=-1)[at] if fused and x is not None else x


def _linear(module, torch):
    """Matrix, rows in, and bias of a linear map; None if it is wrapped or quantised."""
    kind = type(module)
    if kind is not torch.nn.Linear and (kind.__name__ != "Conv1D" or not kind.__module__.startswith("transformers.")):
        return None
    W, b = as_array(module.weight, "weight"), getattr(module, "bias", None)
    return W.T if kind is torch.nn.Linear else W, None if b is None else as_array(b, "bias")
