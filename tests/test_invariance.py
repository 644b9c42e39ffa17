"""The columns G4 and G5 of the invariance table: a change of value basis, and of the basis of the residual stream."""

import numpy as np
import pytest
from scipy.stats import ortho_group

from attention_geometry import attention, bilinear, explanation, relation, spectrum

D, D_K, N = 6, 2, 5


def head(seed):
    rng = np.random.default_rng(seed)
    X, W_O = rng.normal(size=(N, D)), rng.normal(size=(D_K, D))
    return X, *rng.normal(size=(3, D, D_K)), W_O


def moved(parts, T):
    """The same head in another basis of the tokens: x → xT, so W → T⁻¹W and W_O → W_O T."""
    X, W_Q, W_K, W_V, W_O = parts
    back = np.linalg.inv(T)
    return X @ T, back @ W_Q, back @ W_K, back @ W_V, W_O @ T


def quantities(X, W_Q, W_K, W_V, W_O):
    S = attention.scores(X, W_Q, W_K)
    A, Q, K, V = attention.softmax(S), X @ W_Q, X @ W_K, X @ W_V
    unit = [M / np.linalg.norm(M, axis=1, keepdims=True) for M in (Q, K)]
    shares = relation.energy_shares(S)
    return {
        "scores": S,
        "weights": A,
        "rank of A": spectrum.effective_rank(A),
        "energy shares": np.array([shares.popularity, shares.reciprocal, shares.circulating]),
        "squared interval": relation.squared_interval(S),
        "signature": np.array(bilinear.signature(W_Q, W_K)),
        "cosines of q and k": unit[0] @ unit[1].T,
        "lengths of v": np.linalg.norm(V, axis=1),
        "symmetric share": bilinear.symmetric_share(W_Q, W_K),
        "singular values of B": bilinear.singular_values(W_Q, W_K),
        "contributions": explanation.contribution_norms(A, V, W_O),
    }


ONLY_ORTHOGONAL = {"symmetric share", "singular values of B", "contributions"}


@pytest.mark.parametrize("seed", range(10))
def test_G5_an_orthogonal_basis_of_the_residual_stream_changes_nothing(seed):
    parts = head(seed)
    turned = quantities(*moved(parts, ortho_group.rvs(D, random_state=seed)))
    for name, value in quantities(*parts).items():
        np.testing.assert_allclose(turned[name], value, rtol=1e-8, atol=1e-10, err_msg=name)


@pytest.mark.parametrize("seed", range(10))
def test_G5_a_general_basis_changes_sizes_of_the_form_and_of_contributions_only(seed):
    parts, T = head(seed), np.random.default_rng(seed + 50).normal(size=(D, D)) + 3 * np.eye(D)
    before, after = quantities(*parts), quantities(*moved(parts, T))
    for name, value in before.items():
        same = np.allclose(after[name], value, rtol=1e-6, atol=1e-8)
        assert same == (name not in ONLY_ORTHOGONAL), name


@pytest.mark.parametrize("seed", range(10))
def test_G4_a_value_basis_changes_the_lengths_of_values_only(seed):
    X, W_Q, W_K, W_V, W_O = head(seed)
    M = np.random.default_rng(seed + 90).normal(size=(D_K, D_K)) + 2 * np.eye(D_K)
    before = quantities(X, W_Q, W_K, W_V, W_O)
    after = quantities(X, W_Q, W_K, W_V @ M, np.linalg.inv(M) @ W_O)
    for name, value in before.items():
        assert np.allclose(after[name], value, rtol=1e-6, atol=1e-8) == (name != "lengths of v"), name
