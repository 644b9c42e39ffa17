"""Committed arrays: every one is derived again from the wheel, and nothing comes without its source."""

import hashlib
import importlib.util
import json
import pathlib

import numpy as np
import pytest

from attention_geometry import bilinear, data
from attention_geometry.attention import effective_keys, scores, softmax
from attention_geometry.data import __main__ as make
from attention_geometry.models import minilm

FOLDER = pathlib.Path(data.__file__).parent
SOURCES = json.loads((FOLDER / "sources.json").read_text(encoding="utf-8"))
needs_wheel = pytest.mark.skipif(
    importlib.util.find_spec(minilm.PACKAGE) is None,
    reason="the wheel of requirements-models.txt is not installed",
)


@needs_wheel
@pytest.mark.parametrize("name", sorted(make.BUILDERS))
def test_every_committed_array_is_derived_again_from_the_wheel(name):
    stored, derived = data.load(name), make.BUILDERS[name][0]()
    assert set(stored) == set(derived)
    for key, array in derived.items():
        assert stored[key].dtype == array.dtype and stored[key].shape == array.shape
        if array.dtype.kind == "f":
            assert np.isfinite(stored[key]).all()
            assert np.abs(stored[key] - array).max() <= 1e-6 * np.abs(array).max(), key
        else:
            assert np.array_equal(stored[key], array), key
    for key in ("W_Q", "W_K", "W_V", "b_Q", "b_K", "b_V", "folded_symmetric_share"):
        if key in derived and key != "folded_symmetric_share":
            assert np.array_equal(stored[key], derived[key])  # the weights are float32: no rounding at all


@needs_wheel
def test_making_the_files_twice_changes_nothing(tmp_path, capsys):
    make.main(tmp_path)
    first = {path.name: path.read_bytes() for path in tmp_path.iterdir()}
    assert set(first) == {"minilm_forms.npz", "minilm_sentence.npz", "sources.json"}
    capsys.readouterr()
    make.main(tmp_path)
    assert capsys.readouterr().out.count("unchanged") == 2
    assert {path.name: path.read_bytes() for path in tmp_path.iterdir()} == first
    made = json.loads(first["sources.json"])
    for name in made:  # dates and zip bytes may differ from the committed ones, what they say may not
        assert {k: v for k, v in made[name].items() if k not in ("date", "sha256")} == {
            k: v for k, v in SOURCES[name].items() if k not in ("date", "sha256")
        }


def test_agree_can_say_no():
    old = {"x": np.array([1.0, 2.0]), "n": np.array([1, 2])}
    assert make.agree(old, {"x": old["x"] + 1e-7, "n": old["n"]})
    assert not make.agree(old, {"x": old["x"] + 1e-5, "n": old["n"]})
    assert not make.agree(old, {"x": old["x"], "n": old["n"] + 1})
    assert not make.agree(old, {"x": old["x"]})
    assert not make.agree(old, {"x": old["x"].astype(np.float32), "n": old["n"]})
    assert not make.agree(old, {"x": np.array([1.0, np.nan]), "n": old["n"]})


def test_each_file_is_listed_with_a_whole_provenance_and_its_checksum():
    assert {path.stem for path in FOLDER.glob("*.npz")} == set(SOURCES) == set(data.names())
    for name, source in SOURCES.items():
        for key in ("what", "model", "authors", "licence", "licence_source", "source", "script", "date", "version"):
            assert isinstance(source[key], str) and source[key].strip(), (name, key)
        if name in make.BUILDERS:
            assert source["licence"] == "Apache-2.0"
            assert source["weights_sha256"] == minilm.SHA256["model.safetensors"]
            assert minilm.REQUIREMENT in source["source"]
            assert len(source["wheel_sha256"]) == 64
        else:
            assert source["licence"] == "CC BY 4.0" and name.startswith("toy_")
        assert hashlib.sha256((FOLDER / f"{name}.npz").read_bytes()).hexdigest() == source["sha256"]
        assert set(source["arrays"]) == set(data.load(name))


def test_everything_together_is_under_one_megabyte():
    sizes = [path.stat().st_size for path in FOLDER.iterdir() if path.suffix in (".npz", ".json")]
    assert 0 < sum(sizes) < 1_000_000


@needs_wheel
def test_the_licence_is_the_one_on_the_model_card():
    card = (minilm._folder() / "README.md").read_text(encoding="utf-8")
    assert "license: apache-2.0" in card.split("---")[1]


def test_load_reads_no_pickle_and_names_what_there_is(tmp_path, monkeypatch):
    np.savez(tmp_path / "minilm_forms.npz", symmetric_share=np.array([{}], dtype=object))
    monkeypatch.setattr(data, "_folder", lambda: tmp_path)
    with pytest.raises(ValueError, match="allow_pickle"):
        data.load("minilm_forms")
    for name in ("../secrets", "", "minilm", None):
        with pytest.raises(ValueError, match="minilm_forms, minilm_sentence"):
            data.load(name)


def test_a_dataset_prints_itself_is_read_only_and_names_its_arrays():
    forms = data.load("minilm_forms")
    assert "Apache-2.0" in repr(forms) and "singular_values" in repr(forms)
    with pytest.raises(ValueError, match="read-only"):
        forms["symmetric_share"][0, 0] = 1
    with pytest.raises(KeyError, match="symmetric_share"):
        forms["share"]


def test_the_stored_forms_obey_the_laws():
    forms = data.load("minilm_forms")
    for prefix in ("", "folded_"):
        f, rho = forms[prefix + "symmetric_share"], forms[prefix + "symmetry_score"]
        assert np.allclose(f, (1 + rho) / 2, atol=1e-12)
        eigenvalues, sigma = (forms[prefix + n].astype(float) for n in ("symmetric_eigenvalues", "singular_values"))
        assert np.allclose((eigenvalues**2).sum(-1) / (sigma**2).sum(-1), f, atol=1e-6)  # ‖B_s‖² / ‖B‖²
        assert np.allclose(eigenvalues.sum(-1) / np.abs(eigenvalues).sum(-1), forms[prefix + "trace_ratio"], atol=1e-5)
        assert (forms[prefix + "positive"] == (eigenvalues > 0).sum(-1)).all()
        assert (forms[prefix + "negative"] == (eigenvalues < 0).sum(-1)).all()


def test_the_sentence_record_is_consistent_without_the_model():
    record = data.sentence_record()
    assert " ".join(record.tokens) == "[CLS] the dog saw its owner drop the saw . [SEP]"
    assert np.array_equal(softmax(record.scores), record.weights)
    assert np.array_equal(record.inputs, record.hidden[:-1])
    assert data.load("minilm_sentence")["text"] == make.SENTENCE


@needs_wheel
def test_the_sentence_record_is_the_models():
    stored, live = data.sentence_record(), minilm.record(make.SENTENCE)
    for name in ("scores", "weights", "inputs", "hidden", "values"):
        assert np.abs(getattr(stored, name) - getattr(live, name)).max() <= 3e-6, name
    assert (stored.tokens, stored.model, stored.positions) == (live.tokens, live.model, live.positions)


def test_the_named_heads_compute_from_tokens_to_scores_and_values():
    for name, head in data.sentence_heads().items():
        again = scores(head.X, head.W_Q, head.W_K, b_Q=head.b_Q, b_K=head.b_K)
        assert np.abs(again - head.scores).max() <= 1e-5, name
        assert np.allclose(head.Q @ head.K.T / np.sqrt(32), again, atol=1e-12)
        assert np.abs(head.X @ head.W_V + head.b_V - head.V).max() <= 1e-5
        share = data.load("minilm_forms")["symmetric_share"][head.layer, head.head]
        assert np.isclose(bilinear.symmetric_share(head.W_Q, head.W_K), share, atol=1e-12)


def test_the_named_heads_are_what_their_names_say():
    heads, n = data.sentence_heads(), 11
    assert list(heads) == list(make.HEADS) == ["previous", "twin", "broad"]
    assert np.diagonal(heads["previous"].weights, offset=-1).min() > 0.99
    first, second = (i for i, token in enumerate(heads["twin"].tokens) if token == "saw")
    assert min(heads["twin"].weights[first, second], heads["twin"].weights[second, first]) > 5 / n
    assert data.load("minilm_forms")["symmetric_share"].argmax() == 2 * 12 + 9
    keys = effective_keys(data.sentence_record().weights).mean(-1)
    assert keys.argmax() == 0 * 12 + 3 and keys.max() > 8
