"""Refuse a jupyter-book that would not build this book: 2.x ignores its configuration and still exits 0."""

import sys
from importlib.metadata import version

found = version("jupyter-book")
if not found.startswith("1."):
    sys.exit(f"jupyter-book {found} cannot build this book, 1.0.4.post1 can. Run: make clean book")
