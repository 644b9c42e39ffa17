"""The geometry of attention heads: the bilinear form, the mixture, and what can be measured of them.

The public surface is the modules: ``from attention_geometry import attention, bilinear``.
Importing the package loads NumPy and nothing heavier; each module says which extra it needs.
"""

__version__ = "0.1.0"
