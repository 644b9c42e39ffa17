"""Which edition of the book a page belongs to, and where its notebook runs.

The version is the package's. The buttons that open a chapter elsewhere come from the repository's address in
_config.yml, through ``tools/repository.py``: where there is no address, there is no button.
"""

from __future__ import annotations

import sys
from pathlib import Path

import attention_geometry

ROOT = Path(__file__).resolve().parents[2]
sys.path.append(str(ROOT / "tools"))

from repository import Repository  # noqa: E402

ICONS = {"Binder": "fas fa-server", "Colab": "fas fa-cloud"}


def setup(app):
    app.connect("config-inited", stamp)
    app.connect("html-page-context", add_buttons, priority=600)  # after the theme has made its list of buttons
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def stamp(app, config):
    config.version = config.release = attention_geometry.__version__
    options = config.html_theme_options
    options["extra_footer"] = f"{options.get('extra_footer', '')} Version {config.release}.".strip()


def add_buttons(app, pagename, templatename, context, doctree):
    """One menu of the hosts that open this page's notebook."""
    path = Path(app.env.doc2path(pagename, base=False)) if pagename in app.env.found_docs else Path()
    if path.suffix != ".ipynb":
        return
    buttons = [
        {"type": "link", "text": name, "tooltip": f"Open in {name}", "icon": ICONS[name], "url": url}
        for name, url in Repository.of(Path(app.confdir, "_config.yml")).launch(path.as_posix()).items()
    ]
    if buttons:
        group = {"type": "group", "tooltip": "Run this chapter", "icon": "fas fa-rocket", "buttons": buttons}
        context["header_buttons"].insert(0, {**group, "label": "launch-buttons"})
