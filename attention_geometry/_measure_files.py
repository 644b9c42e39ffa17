"""Measurements on disk: one safetensors file, the arrays as they are and the rest as JSON in its header."""

import errno
import json
import os
import pathlib
import tempfile

from attention_geometry import __version__
from attention_geometry._inputs import require

FORMAT = "attention-geometry measurements 1"
FIELDS = ("reasons", "conditions", "measures", "nulls", "layers", "heads")


def save(found, path):
    """Write beside the path first and rename then, so that no half-written file ever bears the name."""
    safetensors = require("safetensors.numpy", "models")
    path = pathlib.Path(path)
    if not path.parent.is_dir():
        raise FileNotFoundError(errno.ENOENT, "no such folder", str(path.parent))
    arrays = {f"value {name}": x for name, x in found.values.items()}
    arrays |= {f"draws {name} {null}": x for (name, null), x in found.draws.items()}
    head = {"format": FORMAT, "version": __version__, "order": list(arrays)}
    text = json.dumps(head | {name: getattr(found, name) for name in FIELDS})
    data = safetensors.save(arrays, {"json": text})
    descriptor, temporary = tempfile.mkstemp(dir=path.parent, prefix=f".{path.name}.")
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        os.replace(temporary, path)
    except BaseException:
        os.unlink(temporary)
        raise


def load(path):
    """Read measurements that ``save`` wrote (extra ``models``).

    Parameters
    ----------
    path : str or path-like

    Returns
    -------
    Measurements
        Equal to what was saved, to the last bit.

    Raises
    ------
    OSError
        If there is no such file, or it cannot be read.
    ValueError
        If the file is cut short or something else.
    """
    from attention_geometry._measure_table import Measurements

    safetensors = require("safetensors", "models")
    with open(path, "rb"):  # a missing file is the plain OSError
        pass
    try:
        with safetensors.safe_open(path, framework="numpy") as file:
            text = json.loads((file.metadata() or {}).get("json", "{}"))
            arrays = {name: file.get_tensor(name) for name in file.keys()}
        if text["format"] != FORMAT or sorted(text["order"]) != sorted(arrays):
            raise KeyError("format")
        fields = {name: text[name] for name in FIELDS}
        keys = {name: name.split(" ") for name in text["order"]}
        values = {key[1]: arrays[name] for name, key in keys.items() if key[0] == "value"}
        draws = {tuple(key[1:]): arrays[name] for name, key in keys.items() if key[0] == "draws"}
    except (safetensors.SafetensorError, KeyError, TypeError, ValueError) as error:
        raise ValueError(
            f"{path} is no complete file of measurements ({FORMAT}): cut short, or something else"
        ) from error
    fields |= {"layers": tuple(fields["layers"]), "heads": tuple(fields["heads"])}
    return Measurements(values=values, draws=draws, **fields)
