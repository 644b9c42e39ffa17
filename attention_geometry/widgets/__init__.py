"""Widgets that move without a kernel: drag the vectors, and weights, mixture and graph follow.

They need the extra ``widgets`` (anywidget). Importing this module loads nothing; a class is fetched when asked for.
"""

_WHERE = {
    "AttentionPipeline": "attention_pipeline",
    "MetricCourt": "metric_court",
    "MixtureHull": "mixture_hull",
    "QueryKeyPlane": "query_key_plane",
}

__all__ = ["AttentionPipeline", "MetricCourt", "MixtureHull", "QueryKeyPlane"]


def __getattr__(name):
    if name not in _WHERE:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    from importlib import import_module

    return getattr(import_module(f"{__name__}.{_WHERE[name]}"), name)


def __dir__():
    return [*globals(), *_WHERE]
