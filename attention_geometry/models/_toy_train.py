"""Training of the toy models in torch: one thread, float64, all seeds of a setting as one model with a leading axis.

Each seed draws its first weights and its data from its own generators, the models share no number, and the loss is
their sum; so what a seed learns does not depend on the others that are trained with it.
"""

import contextlib

import numpy as np

from .._inputs import require
from . import _toy_induction as ind
from . import _toy_relation as rel

#: Width of the embedding and of a head's values while training.
WIDTH, D_V, BATCH, BLOCK = 48, 16, 32, 50


def relations(task, family, diagonal, seeds):
    """Parameters of the trained models at `CHECKPOINTS`, by name: (checkpoint, seed, …).

    Training learns an embedding E and small matrices; what the model computes depends on the products E W_Q, E W_K,
    E W_V W_O U, E U alone, and these are handed over.
    """
    torch = require("torch", "torch")
    drawn = [_first_weights(np.random.default_rng([seed, 0])) for seed in seeds]
    weights = {name: np.stack([d[name] for d in drawn]) for name in drawn[0] if name != "W_Q" or family == "free"}

    def products(w):
        p = {"W_K": w["E"] @ w["W_K"], "W_V": w["E"] @ w["W_V"] @ (w["W_O"] @ w["U"])}
        if family == "free":
            p["W_Q"] = w["E"] @ w["W_Q"]
        return p | {"W_skip": (w["E"] @ w["U"])[:, 0], "b": w["b"][:, 0, 0]}

    def loss(w, X, answers, shares):
        nats = -relation_logits(products(w), X, family, diagonal).log_softmax(-1).gather(-1, answers)[..., 0]
        return (nats * shares).sum()

    data = _contexts(task, [np.random.default_rng([seed, 1]) for seed in seeds], torch)
    found = []
    for w in fit(weights, loss, data, steps=rel.CHECKPOINTS[-1], rate=1e-2, checkpoints=rel.CHECKPOINTS):
        p = products(w)
        found.append({name: p[name].numpy() for name in rel.SHAPES if name in p})
    return {name: np.stack([p[name] for p in found]) for name in found[0]}


def relation_logits(p, X, family, diagonal):
    """The model of `_toy_relation.forward` in torch: parameters (seed, …), tokens (seed, context, 12, 34)."""
    torch = require("torch", "torch")
    W_K, signs = p["W_K"], torch.tensor(rel.SIGNS)
    W_Q = {"tied": W_K, "symmetric": W_K * signs, "metric": 2 * W_K}.get(family, p.get("W_Q"))
    Z = X.flatten(1, 2)[:, None] @ torch.cat([W_Q, W_K, p["W_V"]], -1)
    Q, K, V = Z.unflatten(2, X.shape[1:3]).split([rel.D_K, rel.D_K, 2 * rel.VALUES], -1)
    S = Q @ K.mT
    if family == "metric":
        S = S - (K**2).sum(-1)[..., None, :]  # ‖k_i‖² shifts a row, which no weight can see
    S = S / rel.D_K**0.5
    if diagonal == "masked":
        S = S.masked_fill(torch.eye(rel.N, dtype=torch.bool), -torch.inf)
    direct = (X.flatten(1, 2) @ p["W_skip"]).unflatten(1, X.shape[1:3])
    Y = (S.softmax(-1) @ V).sum(1) + direct + p["b"][:, None, None]
    return Y.unflatten(-1, (2, rel.VALUES))


def fit(weights, loss, data, *, steps, rate, checkpoints):
    """Minimise by AdamW with a short warm-up and a cosine; yields the weights at each checkpoint."""
    torch = require("torch", "torch")
    with _one_thread(torch):
        w = {name: torch.tensor(array, requires_grad=True) for name, array in weights.items()}
        optimiser = torch.optim.AdamW(w.values(), lr=rate, weight_decay=0.01)
        for step in range(steps + 1):
            if step in checkpoints:
                yield {name: t.detach().clone() for name, t in w.items()}
            if step == steps:
                return
            for group in optimiser.param_groups:
                group["lr"] = rate * min(1, (step + 1) / 50) * (0.525 + 0.475 * np.cos(np.pi * step / steps))
            optimiser.zero_grad()
            loss(w, *next(data)).backward()
            optimiser.step()


def _first_weights(rng):
    small = 1 / np.sqrt(3 * WIDTH)
    draw = lambda std, *shape: rng.normal(0, std, shape)  # noqa: E731
    return {
        "E": draw(0.5, 1, rel.WIDTH, WIDTH),
        "W_K": draw(small, 2, WIDTH, rel.D_K),
        "W_V": draw(small, 2, WIDTH, D_V),
        "W_O": draw(1 / np.sqrt(6 * D_V), 2, D_V, WIDTH),
        "U": draw(small, 1, WIDTH, 2 * rel.VALUES),
        "b": np.zeros((1, 1, 2 * rel.VALUES)),
        "W_Q": draw(small, 2, WIDTH, rel.D_K),  # last, so that all families start from the same other matrices
    }


def _contexts(task, rngs, torch):
    """Batches without end: tokens (seed, context, 12, 34), right answers, and the share of each answer in the loss."""
    while True:
        drawn = [rel.contexts(rng, (BLOCK, BATCH)) for rng in rngs]
        ranks, values = (np.stack(part, 1) for part in zip(*drawn))
        answers = np.take_along_axis(values[..., None], rel.partners(ranks)[..., :2], -2)[..., None]
        asked = rel.asked(task, ranks)
        shares = asked / np.maximum(asked.sum((-3, -2), keepdims=True), 1)
        yield from zip(*(torch.from_numpy(x) for x in (rel.one_hot(ranks, values), answers, shares)))


@contextlib.contextmanager
def _one_thread(torch):
    """Small matrices: more threads would only be slower, and would add up in another order."""
    before = torch.get_num_threads()
    torch.set_num_threads(1)
    try:
        yield
    finally:
        torch.set_num_threads(before)


def induction(layers, period, seeds):
    """Parameters of the trained models at `CHECKPOINTS` of the induction task, by name: (checkpoint, seed, …)."""
    torch = require("torch", "torch")
    drawn = [_first_induction_weights(np.random.default_rng([seed, 0]), layers) for seed in seeds]
    weights = {name: np.stack([d[name] for d in drawn]) for name in drawn[0]}

    def loss(w, X, answers, shares):
        return (-induction_logits(w, X).log_softmax(-1).gather(-1, answers)[..., 0] * shares).sum()

    data = _texts(period, [np.random.default_rng([seed, 1]) for seed in seeds], torch)
    found = list(fit(weights, loss, data, steps=ind.CHECKPOINTS[-1], rate=1e-2, checkpoints=ind.CHECKPOINTS))
    return {name: np.stack([w[name].numpy() for w in found]) for name in ind.shapes(layers)}


def induction_logits(w, X):
    """The model of `_toy_induction.forward` in torch: weights (seed, …), one-hot tokens (seed, text · 24, 32)."""
    torch = require("torch", "torch")
    later = torch.ones(ind.LENGTH, ind.LENGTH, dtype=torch.bool).triu(1)
    x, layers = X @ w["E"] + w["P"].repeat(1, X.shape[1] // ind.LENGTH, 1), w["W_Q"].shape[1]
    for l in range(layers):
        parts = _normal(x, w, l) @ torch.cat([w["W_Q"][:, l], w["W_K"][:, l], w["W_V"][:, l]], -1)
        Q, K, V = parts.unflatten(1, (-1, ind.LENGTH)).split(ind.WIDTH, -1)
        A = (Q @ K.mT / ind.WIDTH**0.5).masked_fill(later, -torch.inf).softmax(-1)
        x = x + (A @ V).flatten(1, 2) @ w["W_O"][:, l]
    return _normal(x, w, layers) @ w["U"]


def _normal(x, w, l):
    x = x - x.mean(-1, keepdim=True)
    x = x / ((x**2).mean(-1, keepdim=True) + ind.EPSILON).sqrt()
    return x * w["gain"][:, l, None] + w["shift"][:, l, None]


def _first_induction_weights(rng, layers):
    small = 1 / np.sqrt(3 * ind.WIDTH)
    stds = {"E": 0.3, "P": 0.3} | dict.fromkeys(("W_Q", "W_K", "W_V", "W_O", "U"), small)
    drawn = {name: rng.normal(0, stds[name], ind.shapes(layers)[name]) for name in stds}
    return drawn | {"gain": np.ones((layers + 1, ind.WIDTH)), "shift": np.zeros((layers + 1, ind.WIDTH))}


def _texts(period, rngs, torch):
    """Batches without end, all texts of a seed in one axis: tokens, the next ones, and their share in the loss."""
    periods = ind.PERIODS if period == "varying" else (ind.FIXED, ind.FIXED)
    while True:
        drawn = [ind.texts(rng, (BLOCK, BATCH), periods) for rng in rngs]
        tokens, start, p = (np.stack(part, 1) for part in zip(*drawn))
        known = np.arange(ind.LENGTH) >= (start + p)[..., None]
        known[..., -1] = False  # nothing follows
        shares = known / known.sum((-2, -1), keepdims=True)
        answers = np.roll(tokens, -1, -1)[..., None]
        flat = (np.eye(ind.VOCABULARY)[tokens], answers, shares)
        yield from zip(*(torch.from_numpy(x).flatten(2, 3) for x in flat))
