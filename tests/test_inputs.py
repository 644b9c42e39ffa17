"""The one way in: what is accepted, what is refused, and in which words (test_faults.py does the rest)."""

import numpy as np
import pytest

from attention_geometry._inputs import (
    as_array,
    as_mask,
    as_matrix,
    as_number,
    as_rng,
    as_rows,
    as_square,
    as_vector,
    as_weights,
    finite,
    precision,
    require,
)


def test_everything_becomes_contiguous_native_float64():
    for x in ([[1, 2], [3, 4]], np.arange(4, dtype=">i2").reshape(2, 2).T, np.float16([[1, 2], [3, 4]])):
        array = as_array(x, "x")
        assert array.dtype == np.float64 and array.flags.c_contiguous and array.dtype.isnative


def test_tensors_of_every_real_kind_are_read():
    torch = pytest.importorskip("torch")
    kinds = [torch.float64, torch.float32, torch.float16, torch.bfloat16, torch.float8_e4m3fn, torch.int8, torch.int64]
    for kind in kinds:
        tensor = torch.tensor([1.0, 2.0]).to(kind)
        assert as_array(tensor, "x").tolist() == [1, 2]
    assert as_array((torch.ones(2, requires_grad=True), torch.zeros(2)), "x").tolist() == [[1, 1], [0, 0]]
    with pytest.raises(TypeError, match="to_dense"):
        as_array(torch.ones(2, 2).to_sparse(), "x")
    with pytest.raises(TypeError, match="complex"):
        as_array(torch.ones(2, dtype=torch.complex64), "x")
    with pytest.raises(TypeError, match="booleans"):
        as_array(torch.ones(2, dtype=torch.bool), "x")
    with pytest.raises(TypeError, match="x is of type Linear"):
        as_array(torch.nn.Linear(2, 2), "x")


@pytest.mark.parametrize(
    ("x", "error", "text"),
    [
        (None, TypeError, "x is None; expected real numbers"),
        (object(), TypeError, "x is of type object"),
        ("text", TypeError, "x is of type str"),
        ({"a": 1}, TypeError, "x is of type dict"),
        (["1", "2"], TypeError, "x holds strings"),
        ([1, None], TypeError, "x holds objects"),
        ([True], TypeError, "x holds booleans"),
        ([1j], TypeError, "x holds complex numbers"),
        (np.zeros(2, "M8[D]"), TypeError, "dtype datetime64"),
        (np.zeros(2, "V8"), TypeError, "dtype"),
        (np.zeros(2, [("a", float)]), TypeError, "dtype"),
        ([[1, 2], [3]], ValueError, "x is not a rectangular array of numbers (its parts differ in length); pad it"),
        ([1, np.nan], ValueError, "x is NaN at index (1,)"),
        ([[1, np.inf]], ValueError, "x is inf at index (0, 1)"),
        (np.ma.masked_array([1.0]), TypeError, "mask="),
    ],
)
def test_refusals_name_the_argument_and_say_what_was_got(x, error, text):
    with pytest.raises(error) as caught:
        as_array(x, "x")
    assert text in str(caught.value)


def test_sparse_matrices_are_refused_and_say_what_to_do():
    import scipy.sparse

    with pytest.raises(TypeError, match=r"x\.toarray\(\)"):
        as_array(scipy.sparse.eye(3), "x")


def test_infinities_pass_only_where_they_have_a_meaning():
    assert as_array([-np.inf, 0], "S", minus_inf=True).tolist() == [-np.inf, 0]
    with pytest.raises(ValueError, match=r"\+inf has no meaning"):
        as_array([np.inf], "S", minus_inf=True)
    assert np.isnan(as_array([np.nan], "S", nan_policy="propagate"))
    with pytest.raises(ValueError, match="nan_policy"):
        as_array([1.0], "S", nan_policy="omit")


def test_shapes():
    with pytest.raises(ValueError, match=r"shape \(2,\); expected 2 dimensions"):
        as_array([1, 2], "x", ndim=2)
    with pytest.raises(ValueError, match="at least 3 dimensions"):
        as_array([1, 2], "x", min_ndim=3)
    for make in (as_rows, as_matrix):
        with pytest.raises(ValueError, match="at least one token"):
            make(np.zeros((0, 3)), "x")
        with pytest.raises(ValueError, match="at least one column"):
            make(np.zeros((3, 0)), "x")
    assert as_rows(np.zeros((4, 2, 3)), "x").shape == (4, 2, 3)
    with pytest.raises(ValueError, match="expected 2 dimensions"):
        as_matrix(np.zeros((4, 2, 3)), "x")
    with pytest.raises(ValueError, match=r"expected \(…, 4\)"):
        as_vector([1, 2], "b", 4)
    with pytest.raises(ValueError, match="cross-attention"):
        as_square(np.zeros((2, 3)), "A")
    with pytest.raises(ValueError, match="at least one token"):
        as_square(np.zeros((0, 0)), "A")


@pytest.mark.parametrize(
    ("kind", "name"),
    [("f2", "float16"), (">f4", "float32"), ("<f8", "float64"), ("i4", "float64")],
)
def test_precision_is_that_of_the_numbers_handed_over(kind, name):
    assert precision(np.zeros(2, kind)) == name


def test_precision_of_lists_and_tensors():
    torch = pytest.importorskip("torch")
    assert precision([1.0]) == "float64"
    assert precision(torch.zeros(2, dtype=torch.bfloat16)) == "bfloat16"


@pytest.mark.parametrize(("kind", "tolerance"), [(np.float64, 1e-6), (np.float32, 1e-5), (np.float16, 1e-3)])
def test_F13_the_tolerance_of_weights_follows_their_precision(kind, tolerance):
    for off, fine in [(0.3, True), (3, False)]:
        A = np.array([[0.5, 0.5 + off * tolerance]]).astype(kind)
        if kind is np.float16:  # halves around 0.5 lie 0.0005 apart
            A = np.array([[0.5, 0.5005 if fine else 0.504]], kind)
        if fine:
            as_weights(A)
        else:
            with pytest.raises(ValueError, match=f"tolerance {tolerance:g}.*Scores\\? call softmax first"):
                as_weights(A)


def test_F13_bfloat16_weights_have_their_own_tolerance():
    torch = pytest.importorskip("torch")
    as_weights(torch.tensor([[0.5, 0.507]], dtype=torch.bfloat16))
    with pytest.raises(ValueError, match="tolerance 0.01"):
        as_weights(torch.tensor([[0.5, 0.55]], dtype=torch.bfloat16))


def test_weights_name_the_worst_row_and_tell_negative_entries():
    with pytest.raises(ValueError, match="row 1 of A sums to 1.2 .off by 0.2"):
        as_weights([[0.5, 0.5], [0.6, 0.6]])
    with pytest.raises(ValueError, match=r"A is -0.25 at index \(0, 1\); attention weights are not negative"):
        as_weights([[1.25, -0.25]])
    with pytest.raises(ValueError, match="at least one token and one key"):
        as_weights(np.zeros((0, 3)))
    as_weights([[0.9, 0.0]], tolerance=0.2)


def test_zero_rows_are_weights_only_where_a_function_says_so():
    with pytest.raises(ValueError, match="row 0 of A sums to 0"):
        as_weights([[0.0, 0.0]])
    assert as_weights([[0.0, 0.0], [1.0, 0.0]], empty_rows="keep").tolist() == [[0, 0], [1, 0]]
    with pytest.raises(ValueError, match="row 0 of A sums to 0.5"):
        as_weights([[0.5, 0.0]], empty_rows="keep")
    with pytest.raises(ValueError, match="empty_rows"):
        as_weights([[1.0]], empty_rows="zero")


def test_masks_are_booleans_of_the_shape_of_the_scores():
    assert as_mask(None, (2, 3)).all()
    assert as_mask([[True, False]], (4, 1, 2)).shape == (4, 1, 2)
    assert as_mask([True, False], (2,)).tolist() == [True, False]
    for bad in ([[0, 1]], [[0.0, -np.inf]]):
        with pytest.raises(TypeError, match="additive mask of 0 and −inf is added to the scores"):
            as_mask(bad, (1, 2))
    with pytest.raises(ValueError, match=r"shape \(2, 1\); expected \(…, 2, 3\)"):
        as_mask([[True], [True]], (2, 3))
    with pytest.raises(ValueError, match=r"shape \(5, 2, 2\), which does not broadcast to \(3, 2, 2\)"):
        as_mask(np.ones((5, 2, 2), bool), (3, 2, 2))
    with pytest.raises(TypeError, match="masked array"):
        as_mask(np.ma.masked_array([[True]]), (1, 1))


def test_numbers_are_one_real_number_in_a_range():
    assert as_number(np.float32(0.5), "x") == 0.5 and type(as_number(1, "x")) is float
    assert type(as_number(np.int64(3), "n", integer=True)) is int
    assert as_number(np.inf, "T", infinite=True) == np.inf
    for bad in (True, "1", None, [1.0], 1j):
        with pytest.raises(TypeError, match="x is .*expected a real number"):
            as_number(bad, "x")
    with pytest.raises(TypeError, match="expected an integer"):
        as_number(2.0, "n", integer=True)
    for bad, text in [(-1, r"x is -1; expected a number in \[0, 2\]"), (np.nan, "x is nan"), (3, "x is 3")]:
        with pytest.raises(ValueError, match=text):
            as_number(bad, "x", low=0, high=2)
    with pytest.raises(ValueError, match=r"\[0, ∞\)"):
        as_number(np.inf, "x", low=0)


def test_randomness_needs_a_seed_or_a_generator():
    rng = np.random.default_rng(3)
    assert as_rng(rng) is rng
    assert as_rng(3).random() == np.random.default_rng(3).random()
    with pytest.raises(ValueError, match="pass a seed"):
        as_rng(None)


def test_finite_names_what_overflowed():
    assert finite(np.ones(2), "x").tolist() == [1, 1]
    with pytest.raises(ValueError, match=r"a score leaves the float64 range at index \(1,\)"):
        finite(np.array([1, np.inf]), "a score")


def test_F21_a_missing_extra_is_named():
    assert require("math", "none").pi > 3
    with pytest.raises(ImportError, match=r"no_such_module is needed here.*'attention-geometry\[plots\]'"):
        require("no_such_module", "plots")
