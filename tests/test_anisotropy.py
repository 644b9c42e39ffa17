"""Laws, hand values and refusals of the anisotropy measures (labels as in the mathematics)."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from attention_geometry.anisotropy import (
    isoscore,
    isoscore_star,
    mean_cosine,
    participation_null,
    partition_isotropy,
)
from attention_geometry.spectrum import effective_rank

seeds = st.integers(0, 2**32 - 1)
CROSS = np.array([[1.0, 0], [-1, 0], [0, 1], [0, -1]])


def cosine_pairs(X):
    """All n(n−1) cosines, one by one."""
    U = [x / np.linalg.norm(x) for x in X]
    return np.mean([u @ v for i, u in enumerate(U) for j, v in enumerate(U) if i != j])


def published_isoscore(X):
    """The recipe of the paper, step by step, from the variances of the principal components."""
    d = X.shape[1]
    variances = np.linalg.eigvalsh(np.atleast_2d(np.cov(X.T)))
    normalised = np.sqrt(d) * variances / np.linalg.norm(variances)
    defect = np.linalg.norm(normalised - 1) / np.sqrt(2 * (d - np.sqrt(d)))
    used = (d - defect**2 * (d - np.sqrt(d))) ** 2 / d**2
    return (d * used - 1) / (d - 1)


def partition(W, c):
    return np.exp(W @ c).sum()


# mean cosine


def test_T7_1_one_outlier_coordinate():
    found = mean_cosine([[10, 1], [10, -1]])
    assert found.mean == pytest.approx(99 / 101, abs=1e-15)
    assert np.allclose(found.contributions, [100 / 101, -1 / 101], atol=1e-15)


def test_T7_2_a_line_and_a_plane_have_the_same_mean_cosine():
    line = np.array([[1.0, 0], [-1, 0], [1, 0], [-1, 0]])
    assert mean_cosine(line).mean == pytest.approx(-1 / 3, abs=1e-15) == mean_cosine(CROSS).mean
    assert (isoscore(line), isoscore(CROSS)) == (0, 1), "the shape is what it does not see"


def test_closed_form_orthonormal_vectors_with_and_without_the_diagonal():
    found = mean_cosine(np.eye(4))
    assert (found.mean, found.with_diagonal) == (0, 0.25)
    torch = pytest.importorskip("torch")
    assert mean_cosine(torch.eye(4, requires_grad=True)).mean == 0
    assert mean_cosine(np.stack([np.eye(4)] * 2)).with_diagonal.tolist() == [0.25, 0.25]


@given(seeds, st.integers(2, 8), st.integers(1, 6))
def test_mean_cosine_equals_the_loop_over_pairs(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) + rng.standard_normal(d)
    found = mean_cosine(X)
    assert found.mean == pytest.approx(cosine_pairs(X), abs=1e-13)
    assert found.contributions.sum() == pytest.approx(found.mean, abs=1e-13)
    assert found.with_diagonal == pytest.approx(found.mean + (1 - found.mean) / n, abs=1e-13)
    assert -1 / (n - 1) - 1e-13 <= found.mean <= 1 + 1e-13
    R = np.linalg.qr(rng.standard_normal((d, d)))[0]
    scaled = X * 10.0 ** rng.integers(-200, 200, (n, 1))
    assert mean_cosine(scaled @ R).mean == pytest.approx(found.mean, abs=1e-12)


def test_mean_cosine_changes_under_centring_and_its_parts_under_rotation(rng):
    X = rng.standard_normal((50, 4)) + 5
    assert mean_cosine(X).mean > 0.9 and abs(mean_cosine(X - X.mean(0)).mean) < 0.1
    R = np.linalg.qr(rng.standard_normal((4, 4)))[0]
    assert not np.allclose(mean_cosine(X @ R).contributions, mean_cosine(X).contributions, atol=1e-2)


def test_uniform_directions_have_mean_zero_and_variance_one_over_d(rng):
    d = 8
    X, Y = rng.standard_normal((2, 40_000, d))
    cosines = (X * Y).sum(1) / np.linalg.norm(X, axis=1) / np.linalg.norm(Y, axis=1)
    assert cosines.mean() == pytest.approx(0, abs=0.01) and cosines.var() == pytest.approx(1 / d, rel=0.03)


def test_B13_zero_vectors_are_named_or_counted():
    with pytest.raises(ValueError, match="row 0 of X"):
        mean_cosine([[0, 0], [1, 0]])
    with pytest.raises(ValueError, match=r"row \(1, 2\) of X"):
        mean_cosine(np.stack([np.eye(3), np.diag([1.0, 1, 0])]))
    found = mean_cosine([[0, 0], [1, 0], [1, 1]], zero_rows="exclude")
    assert (found.excluded, found.rows) == (1, 2)
    assert found.mean == pytest.approx(np.sqrt(0.5), abs=1e-15)
    lonely = mean_cosine([[0, 0], [1, 0]], zero_rows="exclude")
    assert lonely.mean is None and "fewer than two rows" in lonely.reasons["mean"] and lonely.with_diagonal == 1
    nobody = mean_cosine(np.zeros((2, 2)), zero_rows="exclude")
    assert nobody.with_diagonal is None and nobody.excluded == 2 and np.isnan(nobody.contributions).all()
    assert mean_cosine([[3.0, 4.0]]).mean is None
    with pytest.raises(ValueError, match="zero_rows must be"):
        mean_cosine(np.eye(2), zero_rows="drop")


def test_a_batch_of_mean_cosines_equals_its_loop(rng):
    X = rng.standard_normal((2, 3, 5, 4))
    X[0, 1, 2] = X[1, 2, :4] = 0
    batch = mean_cosine(X, zero_rows="exclude")
    for index in np.ndindex(2, 3):
        single = mean_cosine(X[index], zero_rows="exclude")
        mean = np.nan if single.mean is None else single.mean
        assert batch.mean[index] == pytest.approx(mean, abs=1e-14, nan_ok=True)
        assert np.allclose(batch.contributions[index], single.contributions, atol=1e-14, equal_nan=True)
        assert (batch.rows[index], batch.excluded[index]) == (single.rows, single.excluded)
    assert batch.reasons["mean"].endswith("(1 of 6, first at (1, 2))") and "with_diagonal" not in batch.reasons


# IsoScore


@pytest.mark.parametrize(("variances", "score"), [((1, 1, 0), 1 / 2), ((2, 1, 1), 5 / 6)])
def test_T7_5_isoscore_of_given_variances(variances, score):
    X = np.concatenate([np.diag(np.sqrt(variances)), -np.diag(np.sqrt(variances))])
    assert isoscore(X) == pytest.approx(score, abs=1e-14)


def test_T7_5_isoscore_of_a_cross():
    X = CROSS * [1, 2]
    assert effective_rank(X, kind="participation", centre="columns") == pytest.approx(25 / 17, abs=1e-14)
    assert isoscore(X) == pytest.approx(8 / 17, abs=1e-14)


@given(seeds, st.integers(2, 9), st.integers(2, 9))
def test_isoscore_equals_the_published_recipe(seed, n, d):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((n, d)) @ rng.standard_normal((d, d)) + 3
    score = isoscore(X)
    assert score == pytest.approx(published_isoscore(X), abs=1e-9)
    participation = effective_rank(X, kind="participation", centre="columns")
    assert score == pytest.approx((participation - 1) / (d - 1), abs=1e-11)
    R = np.linalg.qr(rng.standard_normal((d, d)))[0]
    assert isoscore(1e-3 * X @ R + 100) == pytest.approx(score, abs=1e-7)
    assert -1e-12 <= score <= min(1, (n - 2) / (d - 1)) + 1e-12, "n points span n − 1 dimensions"


def test_isoscore_is_undefined_on_a_line_of_dimensions_and_on_a_point():
    assert np.isnan(isoscore([[1.0], [2.0]]))
    assert np.isnan(isoscore([[1.0, 2.0]])) and np.isnan(isoscore(np.full((7, 3), 0.1)))
    assert np.array_equal(isoscore(np.stack([CROSS, 0 * CROSS + 0.1])), [1, np.nan], equal_nan=True)


def test_a_batch_of_isoscores_equals_its_loop(rng):
    for shape in ((2, 3, 5, 4), (2, 3, 4, 6)):
        X = rng.standard_normal(shape)
        assert np.allclose(isoscore(X), [[isoscore(x) for x in row] for row in X], rtol=1e-12)
        reference = np.eye(shape[-1])
        assert np.allclose(
            isoscore_star(X, reference, zeta=0.3),
            [[isoscore_star(x, reference, zeta=0.3) for x in row] for row in X],
            rtol=1e-12,
        )


def test_isoscore_star_runs_from_the_sample_to_the_reference(rng):
    X = rng.standard_normal((6, 4))
    reference = np.diag([2.0, 1, 1, 0])
    assert isoscore_star(X, reference, zeta=0) == pytest.approx(isoscore(X), abs=1e-12)
    assert isoscore_star(X, reference, zeta=1) == pytest.approx((16 / 6 - 1) / 3, abs=1e-14)
    mixed = np.linalg.eigvalsh(0.8 * np.cov(X.T) + 0.2 * reference)
    expected = (mixed.sum() ** 2 / (mixed**2).sum() - 1) / 3
    assert isoscore_star(X, reference, zeta=0.2) == pytest.approx(expected, abs=1e-12)
    for arguments, message in (
        ((X, np.eye(3), 0.1), "shape"),
        ((X[:1], reference, 0.1), "n ≥ 2"),
        ((X, reference, 1.1), "zeta"),
    ):
        with pytest.raises(ValueError, match=message):
            isoscore_star(*arguments[:2], zeta=arguments[2])


@pytest.mark.filterwarnings("error")
def test_isoscore_star_scales_the_cloud_and_the_reference_together(rng):
    X, reference = np.array([[1.0, 0], [-1, 0], [0, 1]]), np.array([[2.0, 1], [1, 1]])
    expected = [isoscore_star(X, reference, zeta=zeta) for zeta in (0, 0.3, 1)]
    for c in (1e100, 1e-100, 1e-150, 1e150):
        found = [isoscore_star(c * X, c**2 * reference, zeta=zeta) for zeta in (0, 0.3, 1)]
        assert found == pytest.approx(expected, abs=1e-12)
    assert isoscore_star(1e200 * X, reference, zeta=0.3) == pytest.approx(isoscore(X), abs=1e-12)
    assert np.isnan(isoscore_star([[1, 0], [1, 0]], np.zeros((2, 2)), zeta=0.5))
    batch = isoscore_star(np.array([1e-200, 1, 1e200])[:, None, None] * X, reference, zeta=0.3)
    assert batch == pytest.approx([expected[2], expected[1], expected[0]], abs=1e-12)


def test_isoscore_star_wants_a_covariance(rng):
    X, noise = rng.standard_normal((6, 3)), rng.standard_normal((40, 2))
    for reference, message in (
        ([[1, 0, 0], [1, 1, 0], [0, 0, 1]], "not symmetric"),
        (np.diag([1.0, 1, -0.01]), "negative eigenvalue"),
        (-np.eye(3), "negative eigenvalue"),
    ):
        with pytest.raises(ValueError, match=message):
            isoscore_star(X, reference, zeta=0.5)
    flat = (noise @ rng.standard_normal((2, 3))).astype(np.float32)  # rank 2: an eigenvalue is 0 up to float32
    assert 0 <= isoscore_star(X, flat.T @ flat / 40, zeta=1) <= 1


# partition function


def test_T7_3_the_eigenvectors_miss_the_minimum():
    assert partition(CROSS, np.array([1, 0])) == pytest.approx(2 * np.cosh(1) + 2) == pytest.approx(5.0862, abs=5e-5)
    angles = np.linspace(0, 2 * np.pi, 720, endpoint=False)
    Z = np.array([partition(CROSS, np.array([np.cos(a), np.sin(a)])) for a in angles])
    assert Z.min() == pytest.approx(4 * np.cosh(np.sqrt(0.5)), abs=1e-12) == pytest.approx(5.0424, abs=5e-5)
    assert Z.min() / Z.max() == pytest.approx(0.99139, abs=5e-6)
    found = partition_isotropy(CROSS)
    assert found.ratio == pytest.approx(1, abs=1e-14) and "not unique" in found.notes["ratio"]
    for a in angles[:90]:  # every orthonormal basis is an eigenbasis here, and each one says 1
        basis = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        values = [partition(CROSS, sign * c) for c in basis for sign in (1, -1)]
        assert min(values) / max(values) == pytest.approx(1, abs=1e-12)


def test_eigenvalues_that_nearly_agree_are_not_repeated():
    assert partition_isotropy(CROSS * np.sqrt([1, 1.001])).notes == {}
    assert "repeated" in partition_isotropy(CROSS * np.sqrt([1, 1 + 1e-12])).notes["ratio"]


def test_T7_4_both_signs_matter():
    found = partition_isotropy([[2, 0]])
    assert found.ratio == pytest.approx(np.exp(-4), abs=1e-16)
    assert (found.log_smallest, found.log_largest) == (-2, 2) and found.notes == {}


@given(seeds, st.integers(1, 6), st.integers(1, 4))
def test_the_eigenvector_ratio_is_an_upper_bound_on_the_exact_one(seed, n, d):
    rng = np.random.default_rng(seed)
    W = rng.standard_normal((n, d))
    found = partition_isotropy(W)
    values, V = np.linalg.eigh(W.T @ W)
    Z = [partition(W, sign * v) for v in V.T for sign in (1, -1)]
    assert found.ratio == pytest.approx(min(Z) / max(Z), rel=1e-9)
    C = rng.standard_normal((500, d))
    sampled = [partition(W, c / np.linalg.norm(c)) for c in C]
    exact_at_most = min(*sampled, *Z) / max(*sampled, *Z)
    assert exact_at_most <= found.ratio * (1 + 1e-12) <= 1 + 1e-12
    assert abs(partition_isotropy(3 * W).ratio - found.ratio) > 1e-6, "not scale-invariant"


def test_partition_isotropy_of_a_batch_and_of_large_vectors(rng):
    W = rng.standard_normal((2, 3, 5, 4))
    batch = partition_isotropy(W)
    for index in np.ndindex(2, 3):
        assert batch.ratio[index] == pytest.approx(partition_isotropy(W[index]).ratio, rel=1e-12)
    assert partition_isotropy(1e4 * W[0, 0]).ratio == 0, "below the smallest float, but the logarithms are kept"
    for size in (1e4, 1e200):
        assert np.isfinite(partition_isotropy(size * W[0, 0]).log_largest)
    assert isoscore(1e200 * W[0, 0]) == pytest.approx(isoscore(W[0, 0]), rel=1e-12)


# small samples


def test_T7_6_the_participation_ratio_of_few_points(rng):
    assert participation_null(11, 10) == pytest.approx(102 / 21, abs=1e-15)
    assert participation_null(300, 300) == pytest.approx(149.5, abs=0.01)
    clouds = rng.standard_normal((4000, 11, 10))
    participation = effective_rank(clouds, kind="participation", centre="columns")
    assert participation.mean() == pytest.approx(4.894, abs=0.02)
    assert participation.mean() == pytest.approx(participation_null(11, 10), rel=0.01)
    assert isoscore(rng.standard_normal((300, 300))) == pytest.approx(0.5, abs=0.01), "isotropic, and yet one half"
    assert participation_null(10**9, 10) == pytest.approx(10, abs=1e-6)


def test_T7_6_leaving_the_diagonal_out_removes_the_bias(rng):
    found = mean_cosine(rng.standard_normal((4000, 5, 20)))
    assert found.mean.mean() == pytest.approx(0, abs=0.005)
    assert found.with_diagonal.mean() == pytest.approx(1 / 5, abs=0.005)


# precision and refusals


@pytest.mark.parametrize("function", [lambda X: mean_cosine(X).mean, isoscore, lambda X: partition_isotropy(X).ratio])
def test_lower_precision_agrees_inputs_stay_and_nonsense_is_refused(rng, function):
    X = rng.standard_normal((6, 4))
    low = np.asfortranarray(X.astype(np.float32))
    low.setflags(write=False)
    before = low.tobytes()
    assert function(low) == pytest.approx(function(X), abs=1e-5) == pytest.approx(function(low.astype(">f4")), abs=1e-5)
    assert low.tobytes() == before
    bad = X.copy()
    bad[1, 2] = np.nan
    with pytest.raises(ValueError, match=r"NaN at index \(1, 2\)"):
        function(bad)
    for wrong in (X[0], np.empty((0, 3)), np.empty((3, 0)), [[1, 2], [3]]):
        with pytest.raises(ValueError):
            function(wrong)
    for wrong in (X + 0j, np.ma.masked_less(X, 0), X > 0):
        with pytest.raises(TypeError):
            function(wrong)


@pytest.mark.parametrize(("n", "d"), [(1, 3), (3, 0)])
def test_the_null_needs_two_points_and_a_dimension(n, d):
    with pytest.raises(ValueError):
        participation_null(n, d)
