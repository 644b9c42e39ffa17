"""The central experiment against the time it may take: CPU seconds of one model, and of all 120."""

import itertools

from bench import run, timed

from attention_geometry.models import _toy_store as store
from attention_geometry.models import toy

ALLOWED_ONE, ALLOWED_ALL = 8, 300


def everything():
    for task, family, diagonal in itertools.product(toy.TASKS, toy.FAMILIES, toy.DIAGONALS):
        list(store.relation_runs(task, family, diagonal, store.SEEDS))


def row(job, size, allowed, call):
    wall, cpu = timed(call)
    line = {"job": job, "size": size, "peer": "the time allowed", "target": 1, "clock": "CPU", "difference": None}
    for clock, used in (("wall", wall), ("CPU", cpu)):
        line[clock] = {"theirs": allowed, "ours": used, "ratio": allowed / used}
    return line | {"note": ""}


def cases():
    toy.train_relation("involution", "tied")  # imports and first calls
    for family in toy.FAMILIES:
        size = f"one seed, {family} scores, cycle"
        yield row("Toy: two heads learn relations", size, ALLOWED_ONE, lambda f=family: toy.train_relation("cycle", f))
    yield row("Toy: an induction head", "one seed, two layers", ALLOWED_ONE, toy.train_induction)
    size = "4 families × 3 tasks × 2 diagonals × 5 seeds"
    yield row("Toy: the central experiment", size, ALLOWED_ALL, everything)


if __name__ == "__main__":
    run(cases())
