"""QueryKeyPlane beyond the plain plane: tokens, three comparisons, the lift, widths; against the package."""

import json
import re
import runpy
from pathlib import Path

import numpy as np
import pytest

from attention_geometry import attention, bilinear, relation
from attention_geometry.widgets import QueryKeyPlane, _comparison

HERE = Path(__file__).parent
FIXTURE = json.loads((HERE / "fixtures" / "forms.json").read_text("utf-8"))
Q, K = [[0.8, 0.1], [-0.3, 0.7]], [[0.9, 0.2], [1.1, 1.6], [-0.9, 0.5], [-0.4, -1.2]]
X, W_Q, W_K = [[1, 0.2], [-0.3, 1.1], [-0.9, -0.7], [0.5, -1]], [[1, 0.3], [0, 1]], [[0.2, 1], [-1, 0.4]]


def tokens_plane(**options):
    return QueryKeyPlane(**{"X": X, "W_Q": W_Q, "W_K": W_K, **options})


def test_the_fixture_is_what_its_script_makes():
    made = runpy.run_path(str(HERE / "fixtures" / "make_forms.py"))["make"]()
    assert close_to(made, FIXTURE)


def close_to(a, b):
    """Equal up to the last bits, which differ between machines."""
    if isinstance(a, dict):
        return a.keys() == b.keys() and all(close_to(a[name], b[name]) for name in a)
    if isinstance(a, list):
        return len(a) == len(b) and all(map(close_to, a, b))
    return a == b or (isinstance(a, float) and a == pytest.approx(b, rel=1e-12, abs=1e-12))


def test_T1_6_the_nearest_key_loses_by_dot_product():
    q, keys = [[1, 0]], [[1, 0], [3, 4]]
    np.testing.assert_allclose(_comparison.comparison(q, keys), [[1, 3]])
    np.testing.assert_allclose(_comparison.comparison(q, keys, "distance"), [[0, -10]])
    dot = QueryKeyPlane(q, keys, scaled=False).weights
    near = QueryKeyPlane(q, keys, scaled=False, mode="distance").weights
    np.testing.assert_allclose(dot, np.array([[1, np.e**2]]) / (1 + np.e**2))
    np.testing.assert_allclose(near, np.array([[1, np.exp(-10)]]) / (1 + np.exp(-10)))


@pytest.mark.parametrize("seed", range(5))
def test_L1_4_lifted_keys_give_the_weights_of_the_dot_product(seed):
    rng = np.random.default_rng(seed)
    queries, keys = rng.standard_normal((3, 2)), rng.standard_normal((6, 2))
    lifted = QueryKeyPlane(queries, keys, mode="distance", lift=1)
    np.testing.assert_allclose(lifted.weights, QueryKeyPlane(queries, keys).weights, atol=1e-10)
    far_q, far_k = bilinear.lift(queries, keys)
    squares = ((far_q[:, None] - far_k) ** 2).sum(-1)
    np.testing.assert_allclose(_comparison.comparison(queries, keys, "distance", 1), -squares / 2, atol=1e-11)
    flat = QueryKeyPlane(queries, keys, mode="distance").weights
    assert np.abs(flat - lifted.weights).max() > 0.01, "in the plane the lengths of the keys matter"


def test_L1_4_equally_long_keys_make_dot_product_and_distance_one():
    keys = [[np.cos(t), np.sin(t)] for t in (0.3, 1.4, 2.9, 4.6)]
    dot, cosine, distance = (QueryKeyPlane(Q, keys, mode=mode) for mode in _comparison.MODES)
    np.testing.assert_allclose(distance.weights, dot.weights, atol=1e-10)
    np.testing.assert_array_equal(dot.weights.argmax(1), cosine.weights.argmax(1))


@pytest.mark.parametrize("mode", _comparison.MODES)
@pytest.mark.parametrize("lift", [0, 0.4, 1])
def test_a_patch_belongs_to_the_key_that_wins_there(mode, lift, rng):
    reach, allowed = 2.0, [True, True, True, False]
    cells = _comparison.cells(K, mode, lift, reach=reach, allowed=allowed)
    points = rng.uniform(-reach, reach, (300, 2))
    wins = _comparison.comparison(points, K, mode, lift)[:, :3].argmax(1)
    for point, winner in zip(points, wins):
        assert inside(cells[winner], point)
        assert sum(cell is not None and inside(cell, point) for cell in cells) == 1
    assert cells[3] is None
    assert sum(_comparison.area(cell) for cell in cells[:3]) == pytest.approx(4 * reach**2)


def inside(corners, point):
    (x, y), sides = point, zip(corners, corners[1:] + corners[:1])
    return all((b[0] - a[0]) * (y - a[1]) - (b[1] - a[1]) * (x - a[0]) > 0 for a, b in sides)


def test_a_vector_of_length_0_has_no_cosine():
    w = QueryKeyPlane([[1, 0], [0, 0]], [[0, 0], [1, 1]], [[1, 0], [0, 1]], mode="cosine")
    np.testing.assert_array_equal(w.allowed, [[False, True], [False, False]])
    np.testing.assert_array_equal(w.weights, [[0, 1], [0, 0]])
    assert np.isnan(w.output[1]).all() and "nan" not in w.static_html()


def test_queries_and_keys_follow_from_the_tokens():
    w = tokens_plane()
    np.testing.assert_allclose(w.scores, attention.scores(X, W_Q, W_K), atol=1e-12)
    shares, wanted = w.shares, relation.energy_shares(attention.scores(X, W_Q, W_K))
    for name in ("popularity", "reciprocal", "circulating"):
        assert getattr(shares, name) == pytest.approx(getattr(wanted, name), abs=1e-12)
    assert w.symmetric_share == pytest.approx(bilinear.symmetric_share(W_Q, W_K))
    w.X = np.array(X) * 2
    np.testing.assert_allclose(w.query_vectors, 2 * np.array(X) @ W_Q)
    w.tied = True
    np.testing.assert_allclose(w.key_vectors, w.query_vectors)
    assert w.symmetric_share == pytest.approx(1) and w.shares.circulating == pytest.approx(0, abs=1e-12)
    w.tied = False
    np.testing.assert_allclose(w.key_vectors, 2 * np.array(X) @ W_K)


def test_L1_5_an_antisymmetric_form_has_no_reciprocal_share():
    shares = tokens_plane(W_Q=[[1, 0], [0, 1]], W_K=[[0, 1], [-1, 0]]).shares
    assert shares.reciprocal == pytest.approx(0, abs=1e-12) and shares.circulating > 0.1


def test_T1_2_another_basis_leaves_the_dot_product_alone():
    A, B = bilinear.random_gauge(W_Q, W_K, rng=1, condition=5)
    modes = {mode: (tokens_plane(mode=mode), tokens_plane(mode=mode, W_Q=A, W_K=B)) for mode in _comparison.MODES}
    change = {mode: np.abs(one.weights - other.weights).max() for mode, (one, other) in modes.items()}
    assert change["dot"] < 1e-12 and change["cosine"] > 0.01 and change["distance"] > 0.01


def test_widths_without_the_scale_grow_like_the_root_and_kill_the_entropy():
    rows = _comparison.width_experiment()
    assert [row["d"] for row in rows] == list(_comparison.WIDTHS)
    for row in rows:
        assert row["spread"] == pytest.approx(row["d"] ** 0.5, rel=0.1)
        assert 2.2 < row["scaled"] < np.log(16)
    assert rows[-1]["unscaled"] < 0.2 and rows[0]["unscaled"] == rows[0]["scaled"]


@pytest.mark.parametrize(
    "options, error, says",
    [
        ({"Q": Q, "K": K, "X": X}, ValueError, "not both"),
        ({"Q": Q, "K": K, "W_Q": W_Q}, ValueError, "belong to tokens"),
        ({"Q": Q, "K": K, "tied": True}, ValueError, "belong to tokens"),
        ({"X": X, "W_Q": [[1, 0]]}, ValueError, "W_Q has 1 rows; expected 2"),
        ({"X": X, "W_K": [[1, 0], [0, np.nan]]}, ValueError, "W_K is NaN"),
        ({"Q": Q, "K": K, "mode": "angle"}, ValueError, "'dot', 'cosine', 'distance'"),
        ({"Q": Q, "K": K, "lift": 1.5}, ValueError, "lift is 1.5"),
        ({"Q": Q, "K": K, "experiment": "gauge"}, ValueError, "experiment is 'gauge'"),
        ({"Q": Q, "K": K, "d_k": 3}, ValueError, "d_k is 3"),
        ({"Q": Q, "K": K, "tasks": [("x", {"X": X})]}, ValueError, "X cannot be set"),
        ({"X": X, "tasks": [("x", {"Q": Q})]}, ValueError, "Q cannot be set"),
        ({"X": X, "tasks": [("x", {"predict": 1})]}, TypeError, "predict"),
        ({"X": X, "tasks": "look"}, TypeError, "sequence of tasks"),
        ({"K": K}, (TypeError, ValueError), "Q"),
    ],
)
def test_refusals(options, error, says):
    with pytest.raises(error, match=says):
        QueryKeyPlane(**options)


def test_what_is_as_in_a_plain_plane_is_not_stored():
    names = {"mode", "lift", "experiment", "d_k", "X", "W_Q", "W_K", "tied"}
    assert not names & set(QueryKeyPlane(Q, K).state())
    w = QueryKeyPlane(Q, K, mode="distance", lift=0.5)
    assert names & set(w.state()) == {"mode", "lift", "experiment"} and w.experiment == "compare"
    assert repr(w).endswith("mode='distance', lift=0.5, experiment='compare')")
    assert repr(tokens_plane(tied=True)).endswith("source='tokens', tied=True)")


def test_the_still_picture_shows_tokens_and_winners():
    assert tokens_plane().static_html().count("<svg") == 3
    page = QueryKeyPlane(Q, K, experiment="compare").static_html()
    assert page.count('class="ag-cell"') == 4 and 'class="ag-cell"' not in QueryKeyPlane(Q, K).static_html()
    assert 'class="ag-level"' in page
    assert 'class="ag-level"' not in QueryKeyPlane(Q, K, mode="distance").static_html(), "no distance is 0 along a line"


def test_a_key_on_a_query_is_drawn_around_it_and_the_two_share_a_name():
    apart, together = (QueryKeyPlane([[1, 0]], [k, [3, 4]]).still().split("</svg>")[0] for k in ([1, 0.5], [1, 0]))
    for page, names, squares in ((apart, {"q₁", "k₁", "k₂"}, 2), (together, {"q₁ = k₁", "k₂"}, 1)):
        assert set(re.findall(r'class="ag-name">([^<]+)<', page)) == names
        assert page.count('class="ag-k"') == squares and page.count('class="ag-k-line"') == 2 - squares
    tied = tokens_plane(tied=True, tokens=["a", "b", "c", "d"]).still().split("</svg>")[1]
    assert re.findall(r'class="ag-name">([^<]+)<', tied) == ["a", "b", "c", "d"], "one token, one name"


def test_names_of_patches_stand_off_the_numbers_of_the_axes():
    page = (
        QueryKeyPlane([[1.2, 0.4], [-0.5, 1.1]], [[1.0, 0.2], [0.3, 1.2], [-1.0, -0.8]], experiment="compare")
        .still()
        .split("</svg>")[0]
    )
    ticks = re.findall(r'<text x="([\d.]+)" y="([\d.]+)" text-anchor="\w+" class="ag-tick"[^>]*>([^<]+)<', page)
    names = [(float(x), float(y)) for x, y, text in ticks if text.startswith("k")]
    numbers = [(float(x), float(y)) for x, y, text in ticks if not text.startswith("k")]
    assert len(names) == 3 and len(numbers) >= 8
    assert all(abs(x - a) > 14 or abs(y - b) > 12 for x, y in names for a, b in numbers)
