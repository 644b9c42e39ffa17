"""What every widget of the book shares: a JSON state, a still picture of it, and a file that holds it all.

A widget goes out in three forms at once. A live front end takes the widget view. A page without a kernel takes
``text/html``: one ``<div class="ag-static">`` whose attribute carries the state and whose content is a still picture
and a table made here; the script of the built book finds it and sets it in motion. A terminal takes the repr.
"""

import html
import json
import math
import pathlib

from .._inputs import require
from .._text import visible
from .checks import as_tasks

anywidget = require("anywidget", "widgets")
traitlets = require("traitlets", "widgets")

STATIC = pathlib.Path(__file__).parent / "static"
BUNDLE = STATIC / "ag-widgets.js"
VIEW = "application/vnd.jupyter.widget-view+json"
DIGITS = 10  #: significant digits of a number in a stored page, so that two machines store the same page


def script(name):
    """The one bundle of all widgets as the ES module of one of them, for a live front end."""
    return f"{BUNDLE.read_text('utf-8')}\nexport default AttentionGeometry.widgets.{name};\n"


class GeometryWidget(anywidget.AnyWidget):
    """A widget whose state is a small JSON and whose arithmetic runs where it is shown.

    A subclass gives ``_esm = script("ItsName")``, names its traits in ``_state`` (in the order they are stored) and
    those that a reader or a task may move in ``_moving``, checks each of these in ``_check_<trait>(value)``, draws
    itself in `still`, and tells its numbers in ``__repr__``. Traits hold JSON values only: lists, numbers, strings,
    booleans, None. One of them is ``tasks``, made by `_tasks`.
    """

    _css = STATIC / "ag-widgets.css"
    _state = ()
    _moving = ()
    _ipython_display_ = None  # ipywidgets 7 would show the bare view here and drop the still picture

    def state(self):
        """The traits that make the picture, as JSON can hold them (∞ is the string ``"inf"``)."""
        to_json = {name: self.trait_metadata(name, "to_json") for name in self._state}
        values = {name: getattr(self, name) for name in self._state}
        return {name: to_json[name](value, self) if to_json[name] else value for name, value in values.items()}

    def get_state(self, key=None, drop_defaults=False):
        """What a live front end is sent. Tasks go as text: a kernel in a browser loses what is None inside a dict."""
        state = super().get_state(key, drop_defaults)
        return {name: json.dumps(value) if name == "tasks" else value for name, value in state.items()}

    def still(self):
        """HTML of the picture as it stands now: SVG and a table, no script, no style, no id."""
        raise NotImplementedError

    def static_html(self):
        """The element that stands in a page without a kernel, state in its attribute and `still` inside."""
        state = json.dumps(_rounded(self.state()), ensure_ascii=True, allow_nan=False, separators=(",", ":"))
        name = type(self).__name__
        return (
            f'<div class="ag-static" data-ag-widget="{name}" data-ag-state="{html.escape(state)}">'
            f'<div class="ag-still">{self.still()}{_task_list(self.tasks)}</div></div>'
        )

    def to_html(self, path, *, title=None):
        """Write one self-contained file that moves in any browser, offline.

        Parameters
        ----------
        path : str or path-like
            Where to write; an existing file is replaced.
        title : str, optional
            Title of the document, shown above the widget; the widget's name, not shown, unless given.

        Returns
        -------
        pathlib.Path
        """
        script = (STATIC / "ag-widgets.min.js").read_text("utf-8").replace("</script", "<\\/script")
        style = (STATIC / "ag-widgets.min.css").read_text("utf-8").replace("</style", "<\\/style")
        name, look = html.escape(title or type(self).__name__), "" if title else ' class="ag-hidden"'
        page = _PAGE.format(title=name, look=look, style=style, body=self.static_html(), script=script)
        path = pathlib.Path(path)
        path.write_text(page, encoding="utf-8")
        return path

    def _tasks(self, tasks):
        """The tasks as the trait holds them; see `checks.as_tasks`."""
        return as_tasks(tasks, self._moving, self._as_json)

    def _as_json(self, name, value):
        checked = getattr(self, f"_check_{name}")(value)
        to_json = self.trait_metadata(name, "to_json")
        return to_json(checked, self) if to_json else checked

    def _repr_mimebundle_(self, **kwargs):
        stock = getattr(super(), "_repr_mimebundle_", None)
        bundle = stock(**kwargs) if stock else None
        data, metadata = bundle if isinstance(bundle, tuple) else (bundle, {})
        data = dict(data or {VIEW: {"version_major": 2, "version_minor": 0, "model_id": self.model_id}})
        return {**data, "text/plain": repr(self), "text/html": self.static_html()}, metadata


def _task_list(tasks):
    items = "".join(f"<li>{html.escape(visible(task['text']))}</li>" for task in tasks)
    return f'<div class="ag-tasks"><p>Try this</p><ol>{items}</ol></div>' if tasks else ""


class Checked(traitlets.Any):
    """A trait whose validator sees every value, None too (`traitlets.Any` lets None pass unseen)."""

    allow_none = False


def infinity_to_json(value, widget):
    return "inf" if value == math.inf else value


def infinity_from_json(value, widget):
    return math.inf if value == "inf" else value


def _rounded(value):
    if isinstance(value, float):
        return float(f"{value:.{DIGITS}g}")
    if isinstance(value, dict):
        return {k: _rounded(v) for k, v in value.items()}
    return [_rounded(v) for v in value] if isinstance(value, (list, tuple)) else value


_PAGE = """<!doctype html>
<html lang="en" class="ag-page">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>{title}</title>
<link rel="icon" href="data:,">
<style>
{style}
</style>
<main>
<h1{look}>{title}</h1>
{body}
</main>
<script>
{script}
</script>
</html>
"""
