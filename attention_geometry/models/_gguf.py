"""A small reader of GGUF files: metadata, and tensors in the three formats that SmolLM2's file uses.

A GGUF file holds a header, key–value pairs, a table of tensors and their bytes, all little-endian. Matrices may be
stored in blocks of 32 numbers that share a scale, four or eight bits a number; they are handed over as float32,
computed as the reference implementation does, so the numbers are the same to the last bit.
"""

import collections.abc
import math
import mmap
import struct

import numpy as np

#: Formats of numbers in the metadata, by their code in the file.
_NUMBERS = {0: "u1", 1: "i1", 2: "<u2", 3: "<i2", 4: "<u4", 5: "<i4", 6: "<f4", 7: "?", 10: "<u8", 11: "<i8", 12: "<f8"}
_STRING, _ARRAY = 8, 9
_BLOCK = 32
#: Formats of tensors: code in the file → name, numbers a block, layout of one block.
_FORMATS = {
    0: ("F32", 1, np.dtype([("x", "<f4")])),
    3: ("Q4_1", _BLOCK, np.dtype([("scale", "<f2"), ("low", "<f2"), ("nibbles", "u1", _BLOCK // 2)])),
    8: ("Q8_0", _BLOCK, np.dtype([("scale", "<f2"), ("bytes", "i1", _BLOCK)])),
}


def read(path):
    """Open a GGUF file.

    Parameters
    ----------
    path : path-like

    Returns
    -------
    metadata : dict
        Numbers, strings, and lists or arrays of them, by key.
    tensors : Tensors
        By name; a tensor is read and dequantised when it is asked for.

    Raises
    ------
    ValueError
        If the file is not GGUF version 3, ends too early, or holds a format not known here.
    """
    with open(path, "rb") as file:
        magic = file.read(4)
    if magic != b"GGUF":
        raise ValueError(f"{path} is no GGUF file; it begins with {magic!r}")
    cursor = _Cursor(path)
    version, n_tensors, n_pairs = cursor.number(4), cursor.number(10), cursor.number(10)
    if version != 3:
        raise ValueError(f"{path} is GGUF version {version}; only version 3 is read here")
    metadata = {}
    for _ in range(n_pairs):
        key = cursor.string()
        metadata[key] = cursor.value(cursor.number(4))
    table = {}
    for _ in range(n_tensors):
        name = cursor.string()
        shape = tuple(cursor.number(10) for _ in range(cursor.number(4)))[::-1]  # the file counts axes from the inside
        table[name] = shape, cursor.number(4), cursor.number(10)
    step = metadata.get("general.alignment", 32)
    start = -(-cursor.at // step) * step
    return metadata, Tensors(path, cursor.bytes, {name: (*row[:2], start + row[2]) for name, row in table.items()})


class Tensors(collections.abc.Mapping):
    """The tensors of a file by name, float32, each dequantised when it is asked for; ``shapes`` are known before."""

    def __init__(self, path, data, table):
        self._path, self._bytes, self._table = path, data, table
        self.shapes = {name: shape for name, (shape, _, _) in table.items()}

    def __getitem__(self, name):
        shape, code, start = self._table[name]
        if code not in _FORMATS:
            known = ", ".join(kind for kind, *_ in _FORMATS.values())
            raise ValueError(f"tensor {name} of {self._path} has format number {code}; read here are {known}")
        kind, block, layout = _FORMATS[code]
        count = math.prod(shape) // block
        if start + count * layout.itemsize > len(self._bytes):
            raise ValueError(f"{self._path} ends inside the tensor {name}; is it a half-written file?")
        blocks = np.frombuffer(self._bytes, layout, count, start)
        return _DEQUANTISE[kind](blocks).reshape(shape)

    def __iter__(self):
        return iter(self._table)

    def __len__(self):
        return len(self._table)


def _q4_1(blocks):
    """scale · q + low with q from 0 to 15; the low halves of the bytes come first."""
    nibbles, out = np.ascontiguousarray(blocks["nibbles"]), np.empty((len(blocks), _BLOCK), np.float32)
    out[:, : _BLOCK // 2], out[:, _BLOCK // 2 :] = nibbles & 15, nibbles >> 4
    out *= _column(blocks["scale"])
    out += _column(blocks["low"])
    return out


def _q8_0(blocks):
    return np.multiply(_column(blocks["scale"]), blocks["bytes"], dtype=np.float32)


def _column(halves):
    return halves.astype(np.float32)[:, None]


_DEQUANTISE = {"F32": lambda blocks: blocks["x"].astype(np.float32), "Q4_1": _q4_1, "Q8_0": _q8_0}


class _Cursor:
    """Reads one value after the other."""

    def __init__(self, path):
        self.path, self.at = path, 4
        with open(path, "rb") as file:
            self.bytes = mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)

    def take(self, size):
        if self.at + size > len(self.bytes):
            raise ValueError(f"{self.path} ends inside its header; is it a half-written file?")
        self.at += size
        return self.bytes[self.at - size : self.at]

    def number(self, code):
        return self.array(code, 1)[0].item()

    def array(self, code, count):
        if code not in _NUMBERS:
            raise ValueError(f"{self.path} holds metadata of the unknown type {code} before byte {self.at}")
        kind = np.dtype(_NUMBERS[code])
        return np.frombuffer(self.take(count * kind.itemsize), kind)

    def string(self):
        (size,) = struct.unpack("<Q", self.take(8))
        return self.take(size).decode("utf-8")

    def value(self, code):
        if code == _STRING:
            return self.string()
        if code != _ARRAY:
            return self.number(code)
        code, count = self.number(4), self.number(10)
        return [self.string() for _ in range(count)] if code == _STRING else self.array(code, count)
