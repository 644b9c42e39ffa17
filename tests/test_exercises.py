"""The engine of the self-checking exercises: holds, witness, hint; never the key."""

import html.parser
import pkgutil

import numpy as np
import pytest

from attention_geometry import exercises, laws
from attention_geometry.exercises import Verdict, Witness, check, check_function, check_value, exercise

KEY = 0.73105857863  # what the exercise below is after: it must never be printed


@pytest.fixture
def registry(monkeypatch):
    """Exercises of a chapter that exists in this test only."""
    monkeypatch.setattr(exercises, "_EXERCISES", {})

    @exercise("demo-rows", hint="Divide each row by its own sum.")
    def rows(answer):
        "Rows sum to one, for two score matrices."
        cases = [(np.zeros((2, 2)),), (np.array([[800.0, 0.0]]),)]
        return check_function(answer, cases, {"each row sums to one": lambda A, S: np.allclose(np.sum(A, -1), 1)})

    @exercise("demo-number", hint="Which weight has a score one larger?")
    def number(answer):
        "The weight, recomputed from the definition."
        laws = {
            "a weight lies between 0 and 1": lambda a: 0 < a < 1,
            "it is the definition's value": lambda a: abs(a - 1 / (1 + np.exp(-1))) < 1e-6,
        }
        return check_value(answer, laws, shape=())


def right(S):
    e = np.exp(S - S.max(-1, keepdims=True))
    return e / e.sum(-1, keepdims=True)


def unsolved(S): ...


@pytest.mark.parametrize("answer", [..., None, unsolved])
def test_no_answer_gets_the_hint(registry, answer):
    verdict = check("demo-rows", answer)
    assert verdict.holds is None and not verdict
    hint = "  hint  Divide each row by its own sum." + " (So far the function returns nothing.)" * callable(answer)
    assert repr(verdict).splitlines() == ["demo-rows: no answer yet", hint]


def test_a_right_answer_holds_and_says_what_was_tested(registry):
    verdict = check("demo-rows", right)
    assert verdict and verdict.holds is True and verdict.witness is None
    assert repr(verdict).splitlines() == [
        "demo-rows: holds",
        "  tested  Rows sum to one, for two score matrices.",
    ]


def test_a_wrong_function_gets_the_input_its_value_and_the_law(registry):
    verdict = check("demo-rows", lambda S: np.exp(S))
    assert verdict.holds is False and not verdict
    assert verdict.witness.law == "each row sums to one"
    assert np.array_equal(verdict.witness.case["S"], np.zeros((2, 2)))
    assert np.array_equal(verdict.witness.got, np.ones((2, 2)))
    assert repr(verdict).splitlines() == [
        "demo-rows: does not hold here",
        "  law          each row sums to one",
        "  S            [0, 0; 0, 0]",
        "  your answer  [1, 1; 1, 1]",
        '  for a hint   check("demo-rows", ...)',
    ]


def test_the_first_failing_case_is_the_witness(registry):
    with np.errstate(all="ignore"):
        verdict = check("demo-rows", lambda S: np.exp(S) / np.exp(S).sum(-1, keepdims=True))
    assert np.array_equal(verdict.witness.case["S"], [[800.0, 0.0]])


def test_a_function_that_raises_is_its_own_witness(registry):
    verdict = check("demo-rows", lambda S: S / undefined_name)  # noqa: F821
    assert verdict.witness.law == "the function returns a value for this input"
    assert verdict.witness.got == "NameError: name 'undefined_name' is not defined"
    assert check("demo-rows", lambda: 1).holds is False  # takes no argument
    assert check("demo-rows", 3).witness.law == "the answer is a function"
    assert check("demo-rows", lambda S: "text").holds is False


def test_interrupts_are_not_swallowed(registry):
    def stop(S):
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        check("demo-rows", stop)


def test_a_function_cannot_spoil_the_cases(registry):
    cases = [(np.zeros(2),)]

    def greedy(x):
        x += 1
        return x

    seen = check_function(greedy, cases, {"never": lambda value, x: not x.any()})
    assert seen is None and cases[0][0].tolist() == [0, 0]


@pytest.mark.parametrize(("answer", "law"), [(2.0, "between 0 and 1"), (0.5, "definition"), ([0.1, 0.2], "one number")])
def test_a_wrong_value_is_told_which_law_it_breaks_and_not_the_key(registry, answer, law):
    verdict = check("demo-number", answer)
    assert verdict.holds is False and law in verdict.witness.law
    for text in (repr(verdict), verdict._repr_html_(), str(verdict.witness)):
        assert "0.73" not in text
    assert "0.73" not in repr(check("demo-number", ...))
    assert check("demo-number", KEY)
    assert "0.73" not in repr(check("demo-number", KEY))


@pytest.mark.parametrize("answer", ["0.5", True, {}, object(), np.nan, 1j, [[1, 2], [3]], Ellipsis.__class__])
def test_answers_of_another_kind_are_wrong_and_never_a_crash(registry, answer):
    verdict = check("demo-number", answer)
    assert verdict.holds is False
    assert verdict.witness.law == "the answer has the form the exercise asks for"
    assert " at 0x" not in repr(verdict) or type(answer) is object


def test_a_law_may_say_where_it_fails():
    witness = check_value(
        [1.0, -2.0], {"no entry is negative": lambda v: (v >= 0).all() or f"entry {v.argmin()}"}, shape=(2,)
    )
    assert witness == Witness("no entry is negative", [1.0, -2.0], {}, "entry 1")
    assert check_value([1.0, 2.0], {"no entry is negative": lambda v: (v >= 0).all() or "never"}, shape=(None,)) is None
    assert check_value([[1.0]], {}, shape=(None, 2)).law == "the answer is an array of shape (any, 2)"
    assert check_value("row", {"one of two words": lambda v: v in ("row", "column")}) is None


def test_a_law_that_cannot_be_tested_is_broken():
    witness = check_value("row", {"it has a length in tokens": lambda v: v.n_tokens > 1})
    assert witness.detail == "AttributeError: 'str' object has no attribute 'n_tokens'"


def test_markup_in_answers_is_shown_and_not_run(registry):
    class Tags(html.parser.HTMLParser):
        seen = frozenset()

        def handle_starttag(self, tag, attributes):
            self.seen |= {tag}

    tags = Tags()
    tags.feed(check("demo-rows", lambda S: "<script>x</script>")._repr_html_())
    assert tags.seen == {"table", "caption", "tbody", "tr", "th", "td", "bdi"}


def test_functions_are_shown_without_their_address(registry):
    assert "your answer  the function right" in repr(check("demo-number", right))


def test_unknown_labels_list_the_neighbours(registry):
    with pytest.raises(KeyError, match="no exercise 'demo-row'; known here: demo-number, demo-rows"):
        check("demo-row", ...)
    for label in ("nowhere-else", "../secrets-x", "os-path", ""):
        with pytest.raises(KeyError, match="no exercise"):
            check(label, ...)


def test_an_exercise_needs_a_new_label_and_words_for_what_it_tests(registry):
    def silent(answer):
        return None

    def documented(answer):
        "Something."

    for label, test in [("demo-rows", documented), ("demo", documented), ("demo-new", silent)]:
        with pytest.raises(ValueError, match="new label with a hyphen, and a docstring"):
            exercise(label, hint="h")(test)


def test_verdicts_can_grade(registry):
    assert [bool(check("demo-rows", a)) for a in (right, np.exp, ...)] == [True, False, False]
    assert isinstance(check("demo-rows", right), Verdict)


def shipped():
    for module in pkgutil.iter_modules(laws.__path__):
        with pytest.raises(KeyError):
            check(f"{module.name}-", ...)  # loads the chapter
    return sorted(exercises._EXERCISES)


@pytest.mark.parametrize("label", shipped())
def test_every_exercise_of_the_book_has_a_hint_and_refuses_nonsense(label):
    hint = check(label, ...)
    assert hint.holds is None and len(hint.hint) > 10 and hint.tested
    for nonsense in (object(), "no", [], lambda *a, **k: "no", float("nan")):
        assert check(label, nonsense).holds is False, nonsense
