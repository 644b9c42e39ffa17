"""The one way in: whatever the caller holds becomes a float64 NumPy array, or a clear refusal.

Accepted: lists, NumPy arrays of any order and byte order, anything with ``__array__`` or ``__dlpack__``, and
tensors that carry a gradient or a half-precision type. The input is never written to, and nothing is dropped in
silence: a masked array, a complex number, a NaN, a row of zeros where a direction is needed all raise an error that
says what was got, what was expected and what to do.
"""

import importlib
import warnings

import numpy as np

#: How far a row of weights may be from summing to one, by the precision it was computed in.
STOCHASTIC_TOLERANCE = {"float64": 1e-6, "float32": 1e-5, "float16": 1e-3, "bfloat16": 1e-2}
#: Relative spacing of the numbers of each precision; 2⁻³ for anything coarser.
EPSILON = {"float64": 2.0**-52, "float32": 2.0**-23, "float16": 2.0**-10, "bfloat16": 2.0**-7}


def precision(x):
    """Name of the floating type that ``x`` was computed in (``"float64"`` for lists and integers)."""
    name = str(getattr(x, "dtype", "float64")).removeprefix("torch.").lstrip("<>=|")
    name = {"f2": "float16", "f4": "float32", "f8": "float64"}.get(name, name)
    return name if name.startswith(("float", "bfloat")) else "float64"


def epsilon(x):
    """Relative spacing of the floating type that ``x`` was computed in, for tolerances that follow the data."""
    return EPSILON.get(precision(x), 2.0**-3)


def as_array(x, name, *, ndim=None, min_ndim=None, nan_policy="raise", minus_inf=False, plus_inf=False):
    """Convert ``x`` to a float64 array, or raise an error that names ``name`` and the first bad index.

    Parameters
    ----------
    x : array_like
        Real numbers. Booleans, complex numbers, strings, objects, masked arrays and matrices are refused.
    name : str
        What the caller calls this argument; it opens every message.
    ndim, min_ndim : int, optional
        Exact, or smallest, number of dimensions.
    nan_policy : {"raise", "propagate"}
        Whether NaN is an error.
    minus_inf, plus_inf : bool
        Whether −inf is allowed (in scores it means "masked"), or +inf (in dissimilarities: "no way there").

    Returns
    -------
    ndarray of float64
        May share memory with ``x``; callers do not write to it.
    """
    if nan_policy not in ("raise", "propagate"):
        raise ValueError(f"nan_policy must be 'raise' or 'propagate', got {nan_policy!r}")
    if isinstance(x, np.ma.MaskedArray):
        raise TypeError(
            f"{name} is a masked array; its mask would be lost. Pass the data and use mask= (True = allowed)"
        )
    if isinstance(x, np.matrix):
        raise TypeError(f"{name} is a numpy.matrix; pass numpy.asarray({name}) instead")
    if type(x).__module__.startswith("scipy.sparse"):
        raise TypeError(f"{name} is a sparse matrix; pass {name}.toarray()")
    array = _to_numpy(x, name)
    if array.dtype.kind == "V" and array.dtype.name.startswith(("bfloat", "float")):  # from ml_dtypes
        array = array.astype(np.float32)
    if array.dtype.kind not in "fiu":
        kind = {"b": "booleans", "c": "complex numbers", "O": "objects", "U": "strings", "S": "bytes"}.get(
            array.dtype.kind, f"dtype {array.dtype}"
        )
        held = f"is {'None' if x is None else 'of type ' + type(x).__name__}" if array.shape == () else f"holds {kind}"
        raise TypeError(f"{name} {held}; expected real numbers")
    array = np.ascontiguousarray(array, dtype=np.float64) if array.ndim else array.astype(np.float64)
    if ndim is not None and array.ndim != ndim:
        raise ValueError(f"{name} has shape {array.shape}; expected {ndim} dimension{'s' * (ndim != 1)}")
    if min_ndim is not None and array.ndim < min_ndim:
        raise ValueError(f"{name} has shape {array.shape}; expected at least {min_ndim} dimensions")
    if np.isfinite(array).all():
        return array
    if nan_policy == "raise" and np.isnan(array).any():
        raise ValueError(f"{name} is NaN at index {_first(np.isnan(array))}; clean it first")
    bad = np.isinf(array) & ~((minus_inf & (array < 0)) | (plus_inf & (array > 0)))
    if bad.any():
        meaning = "; −inf means masked, +inf has no meaning" if minus_inf else "; expected finite numbers"
        where = _first(bad)
        raise ValueError(f"{name} is {array[where]} at index {where}{meaning}")
    return array


def _to_numpy(x, name):
    if hasattr(x, "detach") and hasattr(x, "cpu"):  # a torch tensor: NumPy knows neither its gradient nor bfloat16
        if getattr(x, "is_sparse", False):
            raise TypeError(f"{name} is a sparse tensor; pass {name}.to_dense()")
        x = x.detach().cpu()
        if "complex" not in str(x.dtype) and "bool" not in str(x.dtype):
            x = x.double()
        return x.numpy()
    if isinstance(x, (list, tuple)) and any(hasattr(row, "detach") for row in x):
        x = [_to_numpy(row, name) for row in x]
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            if hasattr(x, "__dlpack__") and not hasattr(x, "__array__"):
                return np.from_dlpack(x)
            return np.asarray(x)
    except (ValueError, TypeError, RuntimeError, BufferError, Warning) as error:
        why = "its parts differ in length" if "inhomogeneous" in str(error) else error
        raise ValueError(f"{name} is not a rectangular array of numbers ({why}); pad it and pass mask=") from error


def _first(where):
    return tuple(int(i) for i in np.argwhere(where)[0])


def as_rows(x, name, **kwargs):
    """An array ``(…, n, d)`` with n ≥ 1 and d ≥ 1: tokens, or inputs of a projection, as rows."""
    array = as_array(x, name, min_ndim=2, **kwargs)
    if array.shape[-2] == 0:
        raise ValueError(f"{name} has shape {array.shape}; expected at least one token (one row)")
    if array.shape[-1] == 0:
        raise ValueError(
            f"{name} has shape {array.shape}; expected at least one column (a width of 0 has no scale 1/√d)"
        )
    return array


def as_matrix(x, name, **kwargs):
    """A two-dimensional array with at least one row and one column."""
    return as_rows(x, name, ndim=2, **kwargs)


def as_vector(x, name, width):
    """An array ``(…, width)``."""
    array = as_array(x, name, min_ndim=1)
    if array.shape[-1] != width:
        raise ValueError(f"{name} has shape {array.shape}; expected (…, {width})")
    return array


def as_number(x, name, *, low=None, high=None, integer=False, infinite=False):
    """One real number in [low, high], as float or, with ``integer``, as int. Booleans are refused."""
    array = _to_numpy(x, name)
    if array.dtype.kind not in ("iu" if integer else "fiu") or array.ndim:
        expected = "an integer" if integer else "a real number"
        raise TypeError(f"{name} is {x!r}; expected {expected}"[:300])
    value = int(array) if integer else float(array)
    low_text, high_text = "−∞" if low is None else low, "∞" if high is None else high
    outside = (low is not None and value < low) or (high is not None and value > high)
    if np.isnan(value) or outside or (np.isinf(value) and not infinite):
        closed = "]" if infinite or high is not None else ")"
        raise ValueError(f"{name} is {value:g}; expected a number in [{low_text}, {high_text}{closed}")
    return value


def finite(array, what):
    """``array`` as it is, or an error saying that finite inputs led out of the float64 range."""
    if not np.isfinite(array).all():
        raise ValueError(
            f"{what} leaves the float64 range at index {_first(~np.isfinite(array))}; scale the inputs down"
        )
    return array


def exponent(x, axis):
    """Powers of two, to divide x by (exactly, with `ldexp`) so that its largest entry along ``axis`` is near 1."""
    return np.frexp(np.abs(x).max(axis, where=np.isfinite(x), initial=0.0, keepdims=True))[1]


def as_square(x, name, **kwargs):
    """An array ``(…, n, n)`` with n ≥ 1."""
    array = as_array(x, name, min_ndim=2, **kwargs)
    if array.shape[-1] != array.shape[-2]:
        raise ValueError(
            f"{name} has shape {array.shape}; expected (…, n, n). In cross-attention queries and keys are "
            "different tokens, so this quantity is not defined for it"
        )
    if array.shape[-1] == 0:
        raise ValueError(f"{name} has shape {array.shape}; expected at least one token")
    return array


def as_unmasked_scores(S, name="S"):
    """Finite scores ``(…, n, n)`` of every pair of tokens; sums of a few of them stay finite too."""
    S = as_square(S, name, minus_inf=True)
    masked = np.isneginf(S)
    if masked.any():
        where = _first(masked)
        raise ValueError(
            f"{name} is -inf at index {where}: a masked pair. This quantity compares i → j with j → i and is vacuous "
            "for masked pairs (a causal map has no second direction). Pass the scores before the mask, and say "
            "'counterfactual scores'"
        )
    with np.errstate(over="ignore"):
        finite(64 * S, f"a sum of entries of {name}")
    return S


def as_weights(x, name="A", *, square=False, tolerance=None, empty_rows="raise"):
    """Rows of non-negative numbers that sum to one, ``(…, n_query, n_key)``.

    The tolerance defaults to 1e-6 for float64, 1e-5 for float32, 1e-3 for float16 and 1e-2 for bfloat16.
    With ``empty_rows="keep"`` a row of exact zeros (a query with no allowed key) passes too.
    """
    if empty_rows not in ("raise", "keep"):
        raise ValueError(f"empty_rows must be 'raise' or 'keep', got {empty_rows!r}")
    tol = STOCHASTIC_TOLERANCE.get(precision(x), 1e-2) if tolerance is None else tolerance
    array = as_square(x, name) if square else as_array(x, name, min_ndim=1)
    if 0 in array.shape[-2:]:
        raise ValueError(f"{name} has shape {array.shape}; expected at least one token and one key")
    if array.size and array.min() < -tol:
        where = np.unravel_index(int(array.argmin()), array.shape)
        raise ValueError(
            f"{name} is {array.min():.4g} at index {tuple(map(int, where))}; attention weights are not negative"
        )
    deviation = np.abs(array.sum(-1) - 1.0)
    if empty_rows == "keep":
        deviation = np.where((array == 0).all(-1), 0.0, deviation)
    if deviation.size and deviation.max() > tol:
        where = tuple(int(i) for i in np.unravel_index(int(deviation.argmax()), deviation.shape))
        raise ValueError(
            f"row {where if len(where) != 1 else where[0]} of {name} sums to {array[where].sum():.6g} "
            f"(off by {deviation.max():.2g}, tolerance {tol:g}); attention weights sum to 1 over the keys. "
            "Scores? call softmax first"
        )
    return array


def as_mask(mask, shape, name="mask"):
    """A boolean array of ``shape``, True where the query may attend; leading (batch, head) axes broadcast."""
    if mask is None:
        return np.ones(shape, dtype=bool)
    if isinstance(mask, np.ma.MaskedArray):
        raise TypeError(f"{name} is a masked array; pass a plain boolean array (True = may attend)")
    array = _to_numpy(mask, name)
    if array.dtype.kind != "b":
        raise TypeError(
            f"{name} has dtype {array.dtype}; expected booleans, True where the query may attend. "
            "An additive mask of 0 and −inf is added to the scores instead; a 0/1 mask is mask.astype(bool)"
        )
    if array.ndim < len(shape[-2:]) or array.shape[-len(shape[-2:]) :] != tuple(shape[-2:]):
        expected = f"(…, {shape[-2]}, {shape[-1]})" if len(shape) > 1 else f"({shape[-1]},)"
        raise ValueError(f"{name} has shape {array.shape}; expected {expected}")
    try:
        return np.broadcast_to(array, shape)
    except ValueError:
        raise ValueError(f"{name} has shape {array.shape}, which does not broadcast to {tuple(shape)}") from None


def as_rng(rng, name="rng"):
    """A NumPy Generator; a seed is turned into one. None is refused, because a result nobody can repeat is not one."""
    if rng is None:
        raise ValueError(f"{name} is None; pass a seed or numpy.random.default_rng(seed)")
    return np.random.default_rng(rng)


def require(module, extra):
    """Import an optional dependency, or say which extra brings it."""
    try:
        return importlib.import_module(module)
    except ImportError as error:
        if error.name and error.name.split(".")[0] != module.split(".")[0]:
            raise
        raise ImportError(
            f"{module} is needed here; install it with: pip install 'attention-geometry[{extra}]'"
        ) from error
