"""What the widgets accept: points of a plane, names of tokens, tasks. No widget library is needed here."""

from .._inputs import as_matrix
from .._text import as_tokens

LARGEST = 32  #: vectors of one kind that a hand can still drag apart


def as_points(value, name, *, count=None, largest=LARGEST):
    """Rows ``[x, y]`` of finite numbers, as lists.

    Parameters
    ----------
    value : array_like, shape (n, 2)
        At least one point.
    name : str
        What the caller calls this argument; it opens every message.
    count : int, optional
        How many points there have to be: a widget moves its points, it neither adds nor removes any.
    largest : int
        How many points there may be.

    Returns
    -------
    list of list of float

    Raises
    ------
    ValueError, TypeError
        If the shape does not fit or a number is not finite.

    Examples
    --------
    >>> as_points([[1, 2]], "Q")
    [[1.0, 2.0]]
    """
    rows = as_matrix(value, name)
    if rows.shape[1] != 2:
        raise ValueError(f"{name} has shape {rows.shape}; expected (n, 2): the picture is a plane")
    if rows.shape[0] > largest:
        raise ValueError(
            f"{name} has {rows.shape[0]} rows; at most {largest} can be told apart in one plane. Choose some of them"
        )
    if count is not None and len(rows) != count:
        raise ValueError(f"{name} has {len(rows)} rows; expected {count}. For more vectors make a new widget")
    return rows.tolist()


def as_names(tokens, n, name):
    """Names of ``n`` tokens as text that can travel, or None where there are none."""
    return None if tokens is None else [whole(token) for token in as_tokens(tokens, n, name)]


def as_tasks(tasks, settings, check):
    """Tasks as the page reads them: ``{"text": …}``, with ``"state"`` where a button sets a view.

    Parameters
    ----------
    tasks : sequence or None
        Each is a string, or a pair ``(text, state)`` with a dict of settings. The setting ``predict=True`` opens the
        predict mode, ``predict=False`` closes it.
    settings : sequence of str
        Names that a task may set.
    check : callable
        ``check(name, value)`` gives the value as JSON holds it, or raises.

    Returns
    -------
    list of dict

    Raises
    ------
    TypeError, ValueError
        If a task is neither, or sets what the widget does not have.

    Examples
    --------
    >>> as_tasks(["Look.", ("Turn.", {"angle": 3, "predict": True})], ("angle",), lambda name, value: value)
    [{'text': 'Look.'}, {'text': 'Turn.', 'state': {'angle': 3, 'predict': True}}]
    """
    if isinstance(tasks, (str, dict)):
        raise TypeError(f"tasks is a {type(tasks).__name__}; expected a sequence of tasks")
    return [_task(task, settings, check) for task in tasks or []]


def _task(task, settings, check):
    text, state = task if isinstance(task, (tuple, list)) and len(task) == 2 else (task, None)
    if not isinstance(text, str) or not (state is None or isinstance(state, dict)):
        raise TypeError(
            f"a task is a string, or a pair (text, state) with a dict of settings, got {type(task).__name__}"
        )
    if not state:
        return {"text": whole(text)}
    unknown = [str(name) for name in state if name not in (*settings, "predict")]
    if unknown:
        raise ValueError(f"a task sets {', '.join(unknown)}; expected {', '.join(settings)}, predict")
    if not isinstance(state.get("predict", True), bool):
        raise TypeError(f"a task sets predict to {state['predict']!r}; expected True or False")
    checked = {name: value if name == "predict" else check(name, value) for name, value in state.items()}
    return {"text": whole(text), "state": checked}


def whole(text):
    """The text with halves of surrogate pairs replaced: they cannot travel as UTF-8."""
    return "".join("\ufffd" if 0xD800 <= ord(c) < 0xE000 else c for c in text)
