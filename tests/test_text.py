"""Tokens and numbers as they are shown: literal, visible, escaped (F17, B7, B9)."""

import dataclasses
import html.parser

import numpy as np
import pytest

from attention_geometry._text import Report, as_tokens, number, plain, settle, show, undefined, visible

FAMILY = "👩\u200d👩\u200d👧"
MARKUP = ["a<b<c", "<!--", "<b>x</b>", "</script><script>alert(1)</script>", "\"'&amp;", "<img src=x onerror=alert(1)>"]


@dataclasses.dataclass(frozen=True, repr=False)
class Sample(Report):
    value: float
    label: object = ""
    reasons: dict = dataclasses.field(default_factory=dict)


class Tags(html.parser.HTMLParser):
    def __init__(self, text):
        super().__init__()
        self.tags, self.text = [], ""
        self.feed(text)

    def handle_starttag(self, tag, attributes):
        self.tags.append((tag, dict(attributes)))

    def handle_data(self, data):
        self.text += data


@pytest.mark.parametrize(
    ("token", "shown"),
    [
        ("plain", "plain"),
        ("two words", "two words"),
        (" the", "␣the"),
        ("the ", "the␣"),
        ("", "∅"),
        ("\0", "␀"),
        ("a\nb\tc\r", "a↵b⇥c␍"),
        ("\x1b[31m", "␛[31m"),
        ("\u202eabc", "·U+202E·abc"),
        ("\u2066x\u2069", "·U+2066·x·U+2069·"),
        ("a\u2028b", "a·U+2028·b"),
        ("soft\u00adhyphen", "soft·U+00AD·hyphen"),
        ("\ud83d", "\ufffd"),
        (FAMILY, FAMILY),
        ("שלום", "שלום"),
        (b"\xff\x00", "b'\\xff\\x00'"),
        (17, "17"),
        ("<b>", "<b>"),  # text is escaped where it meets HTML, not here
    ],
)
def test_F17_tokens_are_shown_literally_with_controls_made_visible(token, shown):
    assert visible(token) == shown
    visible(token).encode()  # no surrogate is left


def test_F17_long_tokens_end_in_an_ellipsis_and_no_sign_is_torn():
    assert visible("x" * 10_000, 8) == "x" * 7 + "…"
    assert visible("x" * 8, 8) == "x" * 8
    assert visible("abc" + FAMILY, 5) == "abc…"
    assert visible("abcde\u0301f", 6) == "abcd…"
    assert visible("ab👍🏽c", 4) == "ab…"
    assert len(visible(FAMILY, 3)) <= 3  # one sign longer than the limit is cut all the same


def test_as_tokens_gives_strings_and_keeps_doubles():
    torch = pytest.importorskip("torch")
    assert as_tokens(None, 3) == ("0", "1", "2")
    assert as_tokens(["a", "a"], 2) == ("a", "a")
    assert as_tokens([101, np.int64(5), b"x"], 3) == ("101", "5", "b'x'")
    assert as_tokens(torch.tensor([7, 8]), 2) == ("7", "8")


def test_B9_a_wrong_number_of_tokens_is_refused():
    with pytest.raises(ValueError, match="7 entries but there are 8 tokens; padding"):
        as_tokens(["t"] * 7, 8)
    for text in ("word", b"word"):
        with pytest.raises(TypeError, match="one string"):
            as_tokens(text, 4)


def test_numbers_have_at_most_four_digits_and_undefined_is_a_dash():
    shown = {
        1 / 3: "0.3333",
        12345.678: "1.235e+04",
        0.0: "0",
        3: "3",
        1e-17: "1e-17",
        True: "yes",
        None: "–",
    }
    assert {x: number(x) for x in shown} == shown
    assert number(float("nan")) == number(np.float64("nan")) == "–"
    assert number(1 + 2j) == "1+2j"
    assert show(np.array([1.0, np.nan])) == "[1, –]"
    assert show(np.eye(2)) == "[1, 0; 0, 1]"
    assert show(np.zeros((6, 6))) == "array(6, 6)"
    assert show({"a<": (1.0, "\n")}) == "{a<: (1, ↵)}"
    assert show(np.array(["<b>", "\n"])) == "[<b>, ↵]"
    assert len(show("x" * 10_000)) == 500


@pytest.mark.parametrize("token", MARKUP)
def test_B7_markup_in_a_report_stays_text(token):
    report = Sample(1.0, token, {token: token})
    page = Tags(report._repr_html_())
    assert {tag for tag, _ in page.tags} == {"table", "caption", "tbody", "tr", "th", "td", "bdi"}
    assert all(set(attributes) <= {"class", "scope"} for _, attributes in page.tags)
    assert token in page.text and token in repr(report)


def test_reports_print_one_line_a_field_and_are_frozen():
    report = Sample(2 / 3, "x", {})
    assert repr(report).splitlines() == ["Sample", "  value    0.6667", "  label    x", "  reasons  {}"]
    assert len(repr(Sample(1.0, "a\nb")).splitlines()) == 4  # a newline in a token starts no line
    with pytest.raises(dataclasses.FrozenInstanceError):
        report.value = 1


def test_single_and_batch_results_follow_one_rule():
    assert settle(np.float64(0.5)) == 0.5 and type(settle(np.float64(0.5))) is float
    assert settle(np.nan) is None
    assert np.array_equal(settle([1, np.nan]), [1, np.nan], equal_nan=True)
    assert type(plain(np.float64(0.5))) is float and type(plain(np.int64(3))) is int
    assert np.isnan(plain(np.nan))
    assert plain(np.arange(2)).tolist() == [0, 1]


def test_reasons_say_how_many_and_which_first():
    assert undefined("gap", (False, "never")) == {}
    assert undefined("gap", (True, "one token")) == {"gap": "one token"}
    where = np.array([[False, True], [False, True]])
    assert undefined("gap", (where, "one token")) == {"gap": "one token (2 of 4, first at (0, 1))"}
    both = undefined("gap", (where, "one token"), (np.array([[True, True], [False, False]]), "causal"))
    assert both == {"gap": "one token (2 of 4, first at (0, 1)); causal (1 of 4, first at (0, 0))"}
