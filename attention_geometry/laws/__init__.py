"""What the exercises of the book test: one module a chapter, loaded when its first exercise is checked.

The exercise ``ch1-rank`` is the function decorated with ``@exercise("ch1-rank", …)`` in ``laws/ch1.py``; see
`attention_geometry.exercises` for how to write one.
"""
