"""The pages of the package leave out what only Python's machinery says: fields of a named tuple without a text."""


def skip(_app, _what, _name, member, skipped, _options):
    return True if (getattr(member, "__doc__", None) or "").startswith("Alias for field number") else skipped


def setup(app):
    app.setup_extension("sphinx.ext.autodoc")
    app.setup_extension("sphinx.ext.napoleon")
    app.connect("autodoc-skip-member", skip)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
