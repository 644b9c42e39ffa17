"""Ollivier curvature of every edge, exactly, against GraphRicciCurvature with its exact method in one process.

The peer reads a weight as a length and gives a neighbour the mass exp(−length²). On graphs without weights that is the
uniform law; on graphs with lengths the same law is handed to our function, so that both solve the same problems.
"""

import networkx as nx
import numpy as np
from bench import Case, Ours, heads, largest, run
from GraphRicciCurvature.OllivierRicci import OllivierRicci

from attention_geometry.curvature import ollivier_ricci
from attention_geometry.graph import attention_graph

PEER = "GraphRicciCurvature, OTD, one process"


def peer(G):
    curvature = OllivierRicci(G, alpha=0.5, method="OTD", proc=1, verbose="ERROR")
    curvature.compute_ricci_curvature()
    K = np.full((len(G), len(G)), np.nan)
    for i, j, data in curvature.G.edges(data=True):
        K[i, j] = K[j, i] = data["ricciCurvature"]
    return K


def sparse(n):
    return f"random graph, n = {n}, half of all edges", nx.gnp_random_graph(n, 0.5, seed=1), {}


def complete(n, rng):
    lengths = np.triu(rng.uniform(0.1, 1, (n, n)), 1)
    return f"complete graph with lengths, n = {n}", *with_lengths(lengths + lengths.T)


def with_lengths(L):
    mass = np.where(L > 0, np.exp(-(L**2)), 0)
    return nx.from_numpy_array(L), {"measure": mass / mass.sum(1, keepdims=True), "lengths": L}


def from_head(A, name):
    n = len(A)
    strong = attention_graph(A, threshold=1 / n, symmetrise="or", loops=False)
    nx.set_edge_attributes(strong, 1.0, "weight")
    yield f"{name}, weights above 1/n, n = {n}", strong, {}
    lengths = -np.log((A + A.T) / 2) * (1 - np.eye(n))
    yield f"{name}, complete with lengths −log, n = {n}", *with_lengths(lengths)


def graphs():
    for n in (64, 128):
        yield sparse(n)
        yield complete(n, np.random.default_rng(0))
    try:
        A = heads(2, [0, 7])
    except ImportError as error:
        yield {"job": "Ollivier curvature", "size": "MiniLM heads", "peer": PEER, "error": str(error)}
        return
    for head, weights in zip((0, 7), A):
        yield from from_head(weights, f"MiniLM layer 2 head {head}")


def cases():
    for graph in graphs():
        if isinstance(graph, dict):
            yield graph
            continue
        size, G, options = graph
        W = (nx.to_numpy_array(G) > 0).astype(float)
        yield Case(
            size=f"{size} ({G.number_of_edges()} edges)",
            peer=PEER,
            theirs=lambda G=G: peer(G),
            ours=[
                Ours(
                    job=f"Ollivier curvature, {name}",
                    target=target,
                    call=lambda W=W, options=options, solver=solver: ollivier_ricci(W, solver=solver, **options),
                )
                for name, solver, target in (("POT alone", "pot", 3.5), ("numba", "numba", 10))
            ],
            difference=largest,
            rounds=3,
        )


if __name__ == "__main__":
    run(cases())
