// Predict mode: what would give the answer away is covered, the reader commits to one, then it is uncovered and explained.

import { attr, html, text } from "./dom.js";
import * as words from "./strings/frame.js";

/** The answers to the question which of `names` is largest: one that is open to choice, or none of them alone. */
export function whichLargest(best, may, names, tie) {
  const open = names.map((_, j) => j).filter((j) => may[j]);
  return {
    open, options: [...open.map((j) => names[j]), ...(open.length > 1 ? [tie] : [])],
    answer: best.length > 1 ? open.length : open.indexOf(best[0]),
  };
}

/**
 * options: cover() → nodes that would give the answer away, ask() → { question, options, answer, why } or null where
 * there is nothing to ask; snapshot() → text of the state. Gives the toggle, the form, and what the frame tells it.
 */
export function createPredict(frame, { cover, ask }, snapshot) {
  let on = false, asked = null, state = null, covered = [];
  const toggle = frame.button(words.predict, () => set(!on), { "aria-pressed": "false" });
  const question = html("legend", {}), choices = html("div", { class: "ag-row" });
  const verdict = html("p", { class: "ag-verdict" });
  const commit = frame.button(words.predictCommit, answer);
  const again = frame.button(words.predictAgain, () => renew(true));
  const node = html("fieldset", { class: "ag-predict", hidden: true, tabindex: -1 }, question, choices,
    html("div", { class: "ag-row" }, commit, again, verdict));

  function set(wanted) {
    if (wanted === on) return;
    on = wanted;
    attr(toggle, "aria-pressed", String(on));
    node.hidden = !on;
    uncover();
    state = asked = null;
    if (!on) return;
    renew();
    node.focus({ preventScroll: true });
    node.scrollIntoView({ block: "nearest" });
  }

  function uncover() {
    for (const part of covered) {
      part.classList.remove("ag-covered");
      part.removeAttribute("inert");
      part.removeAttribute("aria-hidden");
    }
    covered = [];
  }

  function hide() {
    uncover();
    covered = [...cover()];
    for (const part of covered) {
      part.classList.add("ag-covered");
      part.setAttribute("inert", "");
      part.setAttribute("aria-hidden", "true");
    }
  }

  /** Asks anew if the state is not the one asked about. */
  function renew(force = false) {
    const now = snapshot();
    if (now === state && !force) return;
    state = now;
    asked = ask();
    text(verdict, "");
    attr(verdict, "class", "ag-verdict");
    text(question, asked ? asked.question : words.predictNothing);
    choices.replaceChildren(...(asked?.options ?? []).map((option, i) => html("label", { class: "ag-field" },
      html("input", { type: "radio", name: `ag-${serial}`, value: i }), html("bdi", {}, option))));
    commit.hidden = !asked;
    again.hidden = true;
    if (asked) hide();
    else uncover();
  }
  const serial = `predict-${Math.random().toString(36).slice(2)}`; // radio buttons of one form are told by their name

  function answer() {
    const chosen = choices.querySelector(":checked");
    if (!chosen) return void text(verdict, words.predictChoose);
    const { options, answer: right, why } = asked;
    const good = Number(chosen.value) === right;
    const sentence = `${good ? words.predictRight : words.predictWrong(options[right])} ${why}`;
    uncover();
    text(verdict, sentence);
    attr(verdict, "class", `ag-verdict ag-${good ? "right" : "wrong"}`);
    for (const input of choices.querySelectorAll("input")) input.disabled = true;
    commit.hidden = true;
    again.hidden = false;
    again.focus({ preventScroll: true });
    frame.say(sentence);
  }

  return {
    node, toggle, set,
    get on() { return on; },
    /** What may be said aloud after a step: the question as long as the answer is covered. */
    get question() { return covered.length ? asked.question : null; },
    /** Something may have moved: a question about another state is another question. */
    follow() { if (on) renew(); },
  };
}
