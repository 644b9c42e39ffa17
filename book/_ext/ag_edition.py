"""Which edition of the book a page belongs to, and where its notebook runs.

The version is the package's. The first button of a chapter opens it in the JupyterLite beside the pages; it is there
where ``tools/lite.py`` builds both, which sets the variable `LITE`. The menu that opens a chapter elsewhere comes from
the repository's address in _config.yml, through ``tools/repository.py``: where there is no address, there is no menu.
"""

from __future__ import annotations

import os
import shutil
import sys
from pathlib import Path

import attention_geometry

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))

from repository import Repository  # noqa: E402

LITE = "AG_LITE"
ICONS = {"Binder": "fas fa-server", "Colab": "fas fa-cloud"}


def setup(app):
    app.connect("config-inited", stamp)
    app.connect("builder-inited", without_lite)
    app.connect("html-page-context", add_buttons, priority=600)  # after the theme has made its list of buttons
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def stamp(app, config):
    config.version = config.release = attention_geometry.__version__
    options = config.html_theme_options
    options["extra_footer"] = f"{options.get('extra_footer', '')} Version {config.release}.".strip()


def without_lite(app):
    """A JupyterLite of an earlier build goes: it would serve old chapters, and no page would lead to it."""
    shutil.rmtree(Path(app.outdir, "lite"), ignore_errors=True)


def add_buttons(app, pagename, templatename, context, doctree):
    """One button for this page's notebook in the browser, and one menu of the hosts that open it."""
    path = Path(app.env.doc2path(pagename, base=False)) if pagename in app.env.found_docs else Path()
    if path.suffix != ".ipynb":
        return
    add_menu(app, path, context)
    if os.environ.get(LITE):
        address = f"{context['pathto']('lite/notebooks/index.html', 1)}?path={path.as_posix()}"
        look = {"icon": "fas fa-play", "classes": "ag-lite", "tooltip": "Run this chapter in this browser"}
        context["header_buttons"].insert(0, {"type": "link", "text": "In this browser", "url": address, **look})


def add_menu(app, path, context):
    buttons = [
        {"type": "link", "text": name, "tooltip": f"Open in {name}", "icon": ICONS[name], "url": url}
        for name, url in Repository.of(Path(app.confdir, "_config.yml")).launch(path.as_posix()).items()
    ]
    if buttons:
        group = {"type": "group", "tooltip": "Run this chapter", "icon": "fas fa-rocket", "buttons": buttons}
        context["header_buttons"].insert(0, {**group, "label": "launch-buttons"})
