"""Forman curvature of every edge of a dense graph, against GraphRicciCurvature."""

import networkx as nx
import numpy as np
from bench import Case, Ours, largest, run
from GraphRicciCurvature.FormanRicci import FormanRicci

from attention_geometry.curvature import balanced_forman, forman

N = 128


def peer(G, method):
    curvature = FormanRicci(G, method=method, verbose="ERROR")
    curvature.compute_ricci_curvature()
    K = np.full((len(G), len(G)), np.nan)
    for i, j, data in curvature.G.edges(data=True):
        K[i, j] = K[j, i] = data["formanCurvature"]
    return K


def cases():
    G = nx.gnp_random_graph(N, 0.5, seed=1)
    W = nx.to_numpy_array(G)
    for kind, method, target in (("plain", "1d", 300), ("augmented", "augmented", 100), ("balanced", "balanced", 100)):
        call = (lambda: balanced_forman(W)) if kind == "balanced" else (lambda kind=kind: forman(W, kind))
        yield Case(
            size=f"{kind}, random graph, n = {N}, {G.number_of_edges()} edges",
            peer="GraphRicciCurvature",
            theirs=lambda method=method: peer(G, method),
            ours=[Ours("Forman curvature", target, call, repeat=20)],
            difference=largest,
        )


if __name__ == "__main__":
    run(cases())
