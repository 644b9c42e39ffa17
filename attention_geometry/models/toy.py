"""Two experiments small enough to watch: what kind of relation a head can learn, and how an induction head forms.

`train_relation` and `train_induction` train one model in a few seconds (extra ``torch``); `stored_relation` and
`stored_induction` give the same reports from the record that travels with the package, without torch.
`stored_experiment` is the whole central experiment as one table.
``python -m attention_geometry.models.toy`` trains everything again and writes the record.
"""

import dataclasses

import numpy as np

from .. import data
from .._inputs import as_number, as_unmasked_scores
from .._text import Report
from . import _toy_relation as relation
from . import _toy_store as store
from ._toy_induction import InductionRun
from ._toy_relation import DIAGONALS, FAMILIES, TASKS, RelationRun

__all__ = [
    "DIAGONALS", "FAMILIES", "TASKS", "Experiment", "InductionRun", "RelationRun",
    "hard_choices", "stored_experiment", "stored_induction", "stored_relation", "train_induction", "train_relation",
]  # fmt: skip


def train_relation(task, family, *, seed=0, diagonal="allowed"):
    r"""Train one model of the central experiment: one layer, two heads, two relations between twelve tokens.

    Each token has a colour 0 … 11, a rank 0 … 11 and a value 0 … 9. The model predicts, for each token, the value of
    the token of the complementary colour c + 6 mod 12 (an involution: symmetric), and the value of the token of the
    next rank (a chain, or a cycle of twelve: directed).

    Parameters
    ----------
    task : {"involution", "chain", "cycle"}
        ``"involution"`` asks for the complement only. The others ask for the complement and the successor: along a
        chain, whose last rank is not asked, or around a cycle, where rank 11 is followed by rank 0.
    family : {"free", "tied", "symmetric", "metric"}
        What a score may be: :math:`q_i\cdot k_j` with W_Q and W_K free; with W_Q = W_K (symmetric, positive
        semidefinite); with q = k ∘ (±1) (symmetric, indefinite); or :math:`-\|k_i - k_j\|^2`.
    seed : int
        First weights and data come from generators of this seed alone; the families share both.
    diagonal : {"allowed", "masked"}
        Whether a token may attend to itself.

    Returns
    -------
    RelationRun

    Raises
    ------
    ValueError
        If a name is unknown or the seed is negative.
    ImportError
        If torch is missing: see `stored_relation`.

    Notes
    -----
    A few seconds of CPU time: 600 steps of AdamW on batches of 32 contexts, float64, one thread; a seed's numbers do
    not depend on the seeds trained beside it. On another machine rounding errors differ, and training enlarges them;
    rounding the trained weights to 8 bits takes most of that away, so expect the same printed digits.

    A symmetric head has no cycle among its `hard_choices`: it gets at most 11 of the 12 arrows of the cycle, while all
    11 of the chain are possible. That bounds a head, not the model: two heads and a softmax may do better than 11/12.
    With the diagonal allowed, tied and metric scores meet another obstacle first, identity: s_ii + s_jj ≥ 2 s_ij, so of
    two tokens at least one does not prefer the other to itself, and weight stays at home (``mass``).

    Examples
    --------
    >>> train_relation("cycle", "free", seed=1)  # doctest: +SKIP
    """
    *setting, seed = _relation_names(task, family, diagonal, seed)
    return next(store.relation_runs(*setting, [seed]))


def stored_relation(task, family, *, seed=0, diagonal="allowed"):
    """What `train_relation` returned when the record was written, without torch.

    Parameters
    ----------
    task, family, seed, diagonal
        As for `train_relation`; seeds 0 to 4 are stored.

    Returns
    -------
    RelationRun
        Prints the same text as the trained one. Parameters are kept for seed 0 of the chain and the cycle, along the
        training for the free family on the cycle; elsewhere ``parameters`` is None, and ``record`` says so.

    Raises
    ------
    ValueError
        If a name is unknown or the seed is not stored.

    Examples
    --------
    >>> stored_relation("cycle", "metric")
    RelationRun
      task          cycle, metric scores, diagonal allowed, seed 0
      steps         600
      losses        0.00, 0.72 nats (complement, successor)
      accuracy      1.00, 0.54 (complement, successor)
      rho_scores    1.00, 1.00 (heads 0, 1)
      rho_form      1.00, 1.00 (heads 0, 1)
      mass, head 0  complement 0.43, successor 0.05, predecessor 0.05, self 0.46
      mass, head 1  complement 0.05, successor 0.23, predecessor 0.23, self 0.44
      arrows        1.1, 6.2 of 12 (heads 0, 1)
      most_arrows   6, 8 in one context
    """
    names = _relation_names(task, family, diagonal, seed)
    if names[-1] not in store.SEEDS:
        raise ValueError(f"seed {seed} is not stored; stored are 0 to {store.SEEDS[-1]}. train_relation takes any seed")
    return store.stored_relation(*names)


@dataclasses.dataclass(frozen=True, repr=False, eq=False, kw_only=True)
class Experiment(Report):
    """The central experiment: what 120 trained models do, by (task, family, diagonal, seed); see `stored_experiment`.

    Attributes
    ----------
    tasks, families, diagonals, seeds : tuple
        The names along the first four axes.
    accuracy : ndarray (task, family, diagonal, seed, 2)
        Share of right answers for complement and successor; NaN where the task does not ask.
    arrows, most_arrows, rho_scores, rho_form : ndarray (task, family, diagonal, seed, head)
    mass : ndarray (task, family, diagonal, seed, head, 4)
        As in `RelationRun`, of the trained models.
    """

    tasks: tuple
    families: tuple
    diagonals: tuple
    seeds: tuple
    accuracy: np.ndarray
    arrows: np.ndarray
    most_arrows: np.ndarray
    rho_scores: np.ndarray
    rho_form: np.ndarray
    mass: np.ndarray

    def _rows(self):
        rows = [("successor", f"accuracy, mean and range over {len(self.seeds)} seeds; most arrows of one head")]
        for t, task in enumerate(self.tasks):
            for d, diagonal in enumerate(self.diagonals):
                for f, family in enumerate(self.families):
                    x = self.accuracy[t, f, d, :, 1]
                    if not np.isnan(x).all():
                        most = f"{self.most_arrows[t, f, d].max():.0f} of {relation.arrows_of(task)}"
                        text = f"{x.mean():.2f} [{x.min():.2f}, {x.max():.2f}]  {most}"
                        rows.append((f"{task}, {diagonal}, {family}", text))
        x = self.accuracy[..., 0]
        return [*rows, ("complement", f"{x.mean():.2f} [{x.min():.2f}, {x.max():.2f}] over all {x.size} models")]


def stored_experiment():
    """The whole central experiment: four families × three tasks × two diagonals × five seeds, from the record.

    Returns
    -------
    Experiment

    Examples
    --------
    >>> found = stored_experiment()
    >>> found.accuracy.shape
    (3, 4, 2, 5, 2)
    """
    stored, names = data.load("toy_relations"), ("accuracy", "arrows", "most_arrows", "rho_scores", "rho_form", "mass")
    last = {name: store.from_thousandths(stored[name][:, :, :, :, -1]) for name in names}
    return Experiment(tasks=TASKS, families=FAMILIES, diagonals=DIAGONALS, seeds=store.SEEDS, **last)


def hard_choices(S):
    r"""The key that each query prefers to all others but itself.

    :math:`\arg\max_{j\ne i} s_{ij}`.

    Parameters
    ----------
    S : array_like (…, n, n)
        Scores of all pairs, before any mask; n ≥ 2.

    Returns
    -------
    ndarray of int (…, n)
        Of equal scores, the first.

    Raises
    ------
    ValueError
        If S is not square, not finite, or has one token.

    Notes
    -----
    Unchanged by a row shift, by a temperature, and by whatever stands on the diagonal; *not* by column terms. If S is
    symmetric up to row and column terms and no row has ties, the map has no directed cycle of three or more: around
    i₁ → i₂ → … → i_m each arrow beats the one back, so that Σ s(i_k, i_k+1) > Σ s(i_k, i_k−1), but both sums hold the
    same symmetric terms, the same row terms and the same column terms. Cycles of two are possible, and always there.

    Examples
    --------
    >>> hard_choices([[9, 1, 0], [1, 9, 2], [0, 2, 9]]).tolist()
    [1, 2, 1]
    """
    S = as_unmasked_scores(S, "S")
    if S.shape[-1] < 2:
        raise ValueError(f"S has shape {S.shape}; one token has no other to choose")
    return relation.hard_choices(S)


def train_induction(*, seed=0, layers=2, period="varying"):
    """Train attention-only layers of one head to continue texts in which a random word repeats.

    Parameters
    ----------
    seed : int
        First weights and texts come from generators of this seed alone.
    layers : {1, 2}
        Two are needed: a previous-token head, and an induction head that reads what it wrote.
    period : {"varying", "fixed"}
        ``"varying"``: the word has 4 to 16 tokens, and starts anywhere. ``"fixed"``: always 8, so that "copy what
        stands 7 tokens back" solves the task by position alone.

    Returns
    -------
    InductionRun

    Raises
    ------
    ValueError
        If ``period`` is unknown or a number is out of range.
    ImportError
        If torch is missing: see `stored_induction`.

    Notes
    -----
    A few seconds of CPU time: 500 steps of AdamW on batches of 32 texts of 24 tokens, width 32, learned positions,
    LayerNorm, float64, one thread; loss on the tokens that can be known. The induction score cannot tell a head that
    looks for the previous occurrence from one that looks a fixed number of tokens back, as long as that number does
    not change: on texts of its one period the trap has a high score, on others it fails.

    References
    ----------
    Olsson et al. 2022, *In-context Learning and Induction Heads*.

    Examples
    --------
    >>> train_induction(seed=1)  # doctest: +SKIP
    """
    layers, period, seed = _induction_names(layers, period, seed)
    return next(store.induction_runs(layers, period, [seed]))


def stored_induction(*, seed=0, layers=2, period="varying"):
    """What `train_induction` returned when the record was written, without torch.

    Parameters
    ----------
    seed, layers, period
        As for `train_induction`. Stored are seeds 0 to 4 of two layers on either period, and of one layer on varying
        ones.

    Returns
    -------
    InductionRun
        Prints the same text as the trained one. Parameters are kept for seed 0 of the two models with two layers.

    Raises
    ------
    ValueError
        If a name is unknown or the model is not stored.

    Examples
    --------
    >>> run = stored_induction()
    >>> bool(run.induction[-1, 1, 1] > 0.9), bool(run.previous[-1, 0] > 0.9)
    (True, True)
    """
    layers, period, seed = _induction_names(layers, period, seed)
    if seed not in store.SEEDS or (layers, period) not in store.INDUCTIONS:
        raise ValueError(
            f"no stored model with {layers} layers, {period} period, seed {seed}; there are "
            f"{', '.join(f'{n} layers with {kind} period' for n, kind in store.INDUCTIONS)}, seeds 0 to "
            f"{store.SEEDS[-1]}. train_induction takes any"
        )
    return store.stored_induction(layers, period, seed)


def _relation_names(task, family, diagonal, seed):
    for name, value, known in (("task", task, TASKS), ("family", family, FAMILIES), ("diagonal", diagonal, DIAGONALS)):
        _check_name(name, value, known)
    return task, family, diagonal, as_number(seed, "seed", integer=True, low=0)


def _induction_names(layers, period, seed):
    _check_name("period", period, ("varying", "fixed"))
    layers = as_number(layers, "layers", integer=True, low=1, high=2)
    return layers, period, as_number(seed, "seed", integer=True, low=0)


def _check_name(name, value, known):
    if not isinstance(value, str) or value not in known:
        raise ValueError(f"{name} is {value!r}; expected one of {', '.join(known)}"[:300])


if __name__ == "__main__":
    store.write()
