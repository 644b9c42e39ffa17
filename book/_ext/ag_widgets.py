"""The package's widgets, alive in the built pages without a kernel.

A stored output carries a static picture inside ``<div class="ag-static" …>``. The classic bundle
finds these and mounts the widget; it is loaded only by pages that have one, and only when the reader comes near it.
"""

from __future__ import annotations

from pathlib import Path

from sphinx.util.fileutil import copy_asset

BUNDLE = Path("attention_geometry", "widgets", "static")
LOADER = "ag-near.js"  # in book/assets: it fetches SCRIPT when a widget comes near
SCRIPT, STYLE = "ag-widgets.min.js", "ag-widgets.min.css"  # what `npm run build` makes for readers


def setup(app):
    app.connect("env-updated", drop_widget_state)
    app.connect("html-page-context", add_bundle)
    app.connect("build-finished", copy_bundle)
    return {"version": "1", "parallel_read_safe": True, "parallel_write_safe": True}


def drop_widget_state(app, env):
    """Pages need neither the notebook's widget state nor the manager that would read it."""
    for metadata in getattr(env, "nb_metadata", {}).values():
        for name in [name for name in metadata.get("js_files", {}) if name.startswith("ipywidgets")]:
            del metadata["js_files"][name]


def add_bundle(app, pagename, templatename, context, doctree):
    if 'class="ag-static"' in context.get("body", ""):
        app.add_css_file(STYLE)
        app.add_js_file(LOADER, loading_method="defer")


def copy_bundle(app, error):
    if error is None and app.builder.format == "html":
        for name in (SCRIPT, STYLE):
            copy_asset(Path(app.confdir, BUNDLE, name), Path(app.outdir, "_static"))
