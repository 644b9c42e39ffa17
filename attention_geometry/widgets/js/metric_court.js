// A relation stands trial: tokens as points or a small matrix, a candidate, five verdicts, repairs, challenges.

import { AXIOMS, CANDIDATES, checkAxioms, dissimilarity, evidence, kindOf, repaired, REPAIRS, spread, threshold } from "./axioms.js";
import { createMatrix } from "./court_matrix.js";
import { courtLines } from "./court_numpy.js";
import { createChallenges, createFree, createVerdicts, margin, named } from "./court_panels.js";
import { attr, glyph, html, marker, svg, text } from "./dom.js";
import { composeSvg } from "./exports.js";
import { short, visible } from "./format.js";
import { anchorOf } from "./geometry.js";
import { createPlane } from "./plane.js";
import { cleaned, isMatrix, isRow, keep, where } from "./state.js";
import * as words from "./strings/metric_court.js";
import * as planeWords from "./strings/plane.js";
import { about, select } from "./fields.js";
import { createFrame, widget } from "./view.js";
import { createWitness, onCircle } from "./witness.js";

const TRAITS = ["X", "M", "source", "form", "candidate", "repairs", "shown"];
const FIXED = ["tokens", "challenges", "candidates", "tasks"];
const FORMS = { dot: [[1, 0], [0, 1]], stretch: [[2, 0], [0, 0.5]], minus: [[1, 0], [0, -1]], turn: [[0, 1], [-1, 0]], both: [[1, 1], [-1, 1]] };

export default widget(start, FIXED, (get) => FIXED.map(get));

/** The parts of a state that came from a link or a task, checked against the tokens at hand; null if any is wrong. */
export const cleanState = (raw, { tokens: n, points }) => cleaned(raw, {
  X: where(points, (x) => isMatrix(x, n, 2)),
  M: (x) => isMatrix(x, n, n),
  source: (x) => ["scores", "dissimilarities", points && "points"].includes(x),
  form: (x) => isMatrix(x, 2, 2),
  candidate: (x) => Object.hasOwn(CANDIDATES, x),
  repairs: (x) => Array.isArray(x) && isRow(x, new Set(x).size, (name) => Object.hasOwn(REPAIRS, name)),
  shown: (x) => AXIOMS.includes(x),
});

/** Everything that is shown of a state. D is null where the candidate is not defined, and `why` says why. */
export function judge(state) {
  const given = evidence(state), hand = state.source === "dissimilarities";
  const { D: base, why } = hand ? { D: state.M, why: null } : dissimilarity(state.candidate, given);
  const { D, steps } = base ? repaired(base, state.repairs) : { D: state.M.map((row) => row.map(() => NaN)), steps: [] };
  const verdicts = checkAxioms(D);
  if (!base) for (const axiom of AXIOMS) verdicts[axiom].holds = null;
  return {
    ...state, given, base, why, steps, verdicts, kind: kindOf(verdicts), D: base ? D : D.map((row) => row.map(() => null)),
    threshold: base && !hand ? threshold(state.candidate, base) : null, spread: base && spread(D),
  };
}

function start(model, el, page, view) {
  const get = (name) => model.get(name);
  const n = get("M").length, points = Boolean(get("X")), tokens = get("tokens");
  const numbers = Array.from({ length: n }, (_, i) => i + 1);
  const short7 = numbers.map((i) => (tokens && tokens[i - 1] !== String(i) ? visible(tokens[i - 1], 7) : null));
  const label = numbers.map((i) => (short7[i - 1] ? `${i} ${short7[i - 1]}` : String(i)));
  const called = numbers.map((i) => words.token(i, short7[i - 1] && visible(tokens[i - 1], 14)));
  const state = () => Object.fromEntries(TRAITS.map((name) => [name, get(name)]));
  const lore = ({ source, candidate }) => {
    const [, question, domain, known] = source === "dissimilarities" ? [] : get("candidates").find(([name]) => name === candidate);
    return { question, domain, known };
  };
  const compute = keep(TRAITS, get, () => ({ ...judge(state()), ...lore(state()) }));
  const whySentence = ([reason, ...where]) => words.reasons[reason](...where.slice(0, 2), short(where[2] ?? null));
  const failed = ({ verdicts }) => AXIOMS.filter((axiom) => verdicts[axiom].holds === false);

  const frame = createFrame({
    model, el, page, label: words.label, traits: TRAITS, compute,
    clean: (raw) => cleanState(raw, { tokens: n, points }),
    summary() {
      const now = compute(), broken = failed(now).map((axiom) => words.names[axiom]);
      return now.why ? words.summaryNone(whySentence(now.why)) : words.summary(broken, margin(now.shown, now.verdicts[now.shown], now.D));
    },
    file: "metric_court", picture: () => composed(), rows: () => table(), code: () => courtLines(state(), compute().base, tokens),
    predict: { cover: () => covered, ask: () => question(compute()) },
  });
  view.apply = (raw) => frame.apply(raw);
  const set = (name, value, key = null, sentence = null) => { frame.set(name, value); frame.commit(key, sentence); };

  const witnesses = [];
  const over = (picture) => { const witness = createWitness(); witnesses.push(witness); return { witness, picture }; };
  const plane = !points ? null : createPlane({
    frame, label: words.planeLabel, initial: get("X"), vectors: () => get("X"),
    points: get("X").map((_, index) => ({
      id: `x${index}`, kind: "x", trait: "X", index, sign: String(index + 1), label: label[index], full: tokens?.[index], name: called[index],
    })),
  });
  const onPlane = plane && over(plane.picture).witness;
  if (plane) {
    plane.under.append(onPlane.mesh, onPlane.under);
    plane.over.append(onPlane.over);
    plane.over.setAttribute("class", "ag-court-over");
  }
  const circle = createCircle(label, tokens);
  witnesses.push(circle.witness);
  const drawn = html("p", { class: "ag-hint ag-court-drawn" });
  const verdicts = createVerdicts(frame, (axiom) => set("shown", axiom));
  const free = createFree();
  const matrix = createMatrix(frame, label, (name) => {
    const on = !get("repairs").includes(name);
    set("repairs", on ? [...get("repairs"), name] : get("repairs").filter((other) => other !== name));
  });
  const challenges = createChallenges(get("challenges"));
  plane?.hold("x0"); // the fields show a point from the start
  plane?.hold(null);
  const controls = createControls(frame, { get, compute, points, whySentence });
  
  const swatch = (kind) => html("span", { class: "ag-key" },
    svg("svg", { class: "ag-court-swatch", viewBox: "0 0 26 12", "aria-hidden": "true" }, svg("g", { class: `ag-court-${kind}` },
      svg("path", { d: "M1 6H17" }), svg("path", { d: "M0 0L-9 4.6V-4.6Z", transform: "translate(25 6)" }))), words.keys[kind]);
  const legend = ["direct", "room", "detour"].map((kind) => [kind, swatch(kind)]);
  const key = html("span", { class: "ag-row" }, ...legend.map(([, node]) => node));
  const covered = [verdicts.node, free.node, challenges.node.lastChild, drawn, key, ...witnesses.flatMap((w) => [w.under, w.over])];
  const panel = (draw, ...parts) => frame.region(html("section", { class: "ag-panel" }, ...parts), draw);
  frame.body.append(
    frame.region(controls.node, controls.draw),
    html("div", { class: "ag-panels ag-court-panels" },
      panel((now) => {
        const on = now.source === "points", { holds } = now.verdicts[now.shown];
        for (const node of [plane?.node, plane?.fields].filter(Boolean)) attr(node, "hidden", on ? null : "");
        attr(circle.picture, "hidden", on ? "" : null);
        if (on) {
          plane.draw(null);
          plane.avoid(onPlane.draw(now, now.X.map(plane.place)));
        } else circle.witness.draw(now, circle.at);
        for (const [kind, node] of legend) node.hidden = holds === null || (kind === "detour" ? now.shown !== "triangle" : (kind === "direct") === holds);
        text(drawn, now.why ? words.notDefined(whySentence(now.why)) : words.drawn(words.names[now.shown], margin(now.shown, now.verdicts[now.shown], now.D)));
      }, html("p", { class: "ag-title" }, html("span", { class: "ag-key" }, glyph("x"), words.tokens), key),
      plane ? plane.node : "", circle.picture, drawn, plane ? plane.fields : ""),
      panel(verdicts.draw, html("div", { class: "ag-title" }, words.verdicts, about(words.verdicts, words.verdictsHint)), verdicts.node),
      panel((now) => {
        matrix.draw(now);
        free.draw(now);
      }, html("p", { class: "ag-title" }, words.matrix), matrix.node, free.node)),
    get("challenges").length ? frame.region(challenges.node, challenges.draw) : "");
  frame.close(points && planeWords.helpTitle, planeWords.help);

  function question({ verdicts: now, why, D, shown }) {
    if (why || AXIOMS.some((axiom) => now[axiom].holds === null)) return null;
    const truth = AXIOMS.map((axiom) => now[axiom].holds);
    const flipped = (...axioms) => truth.map((holds, a) => (axioms.includes(a) ? !holds : holds));
    const options = [truth, flipped(4), flipped(3), flipped(1, 4)].sort((a, b) => Number(b.map(Number).join("")) - Number(a.map(Number).join("")));
    const broken = AXIOMS.filter((axiom) => !now[axiom].holds);
    return {
      question: words.ask, options: options.map(named), answer: options.indexOf(truth),
      why: (broken.length ? broken : [shown]).map((axiom) => `${words.names[axiom]}: ${margin(axiom, now[axiom], D)}.`).join(" "),
    };
  }
  const composed = () => composeSvg([{ title: words.judged(get("source") === "dissimilarities" ? "" : get("candidate"), get("repairs").length), picture: get("source") === "points" ? plane.picture : circle.picture }], frame.root);
  const table = () => {
    const { D } = compute();
    return [["from", "to", "from_token", "to_token", "d"],
      ...D.flatMap((row, i) => row.map((d, j) => [i, j, tokens?.[i] ?? "", tokens?.[j] ?? "", d === Infinity ? "inf" : d]))];
  };
  return () => frame.dispose();
}

/** Tokens without a place: on a circle, with the worst case between them. */
function createCircle(label, tokens) {
  const n = label.length, witness = createWitness(), at = label.map((_, i) => onCircle(i, n));
  const nodes = at.map(([x, y], i) => {
    const [c, s] = [(x - 160) / 86, (y - 160) / 86], full = tokens?.[i];
    return svg("g", {}, svg("g", { transform: `translate(${x} ${y})` }, marker("x")),
      svg("text", {
        class: "ag-name", x: (160 + 104 * c).toFixed(1), y: (164.5 + 110 * s).toFixed(1),
        "text-anchor": anchorOf(c),
      }, label[i], full && full !== label[i] ? svg("title", {}, full) : null));
  });
  const picture = svg("svg", { class: "ag-picture", viewBox: "0 0 320 320", role: "img", "aria-label": words.circleLabel },
    witness.mesh, witness.under, ...nodes, witness.over);
  return { picture, witness, at };
}

function createControls(frame, { get, compute, points, whySentence }) {
  const kinds = ["points", "scores", "dissimilarities"].filter((kind) => points || kind !== "points");
  const source = select(frame, words.source, kinds.map((kind) => [kind, words.sources[kind]]), (kind) => {
    const { given, D } = compute(); // a matrix by hand starts where the trial stands
    const M = kind === "scores" ? given.S : kind === "dissimilarities" && D;
    if (M && M.flat().every((x) => x !== null && Math.abs(x) <= 1e6)) frame.set("M", M.map((row) => row.map((x) => Number(x.toPrecision(10)))));
    if (kind === "dissimilarities") frame.set("repairs", []);
    frame.set("source", kind);
    frame.commit();
  });
  const form = select(frame, words.form, [...Object.keys(FORMS), "custom"].map((kind) => [kind, words.forms[kind]]), (kind) => {
    frame.set("form", FORMS[kind]);
    frame.commit();
  }, "custom");
  const candidate = select(frame, words.candidate, [["", words.byHand], ...Object.keys(CANDIDATES).map((name) => [name, name])], (name) => {
    frame.set("candidate", name);
    frame.commit();
  }, "");
  const question = html("p", { class: "ag-hint" }), B = html("span", { class: "ag-number-text" });
  const others = html("ul", {}), count = html("summary", {});
  const apart = html("details", { class: "ag-help" }, count, others);
  const hints = [[source, words.source, words.sourceHint], [form, words.form, words.formHint], [candidate, words.candidate, words.candidateHint]];
  const [sourceField, formField, candidateField] = hints.map(([{ field }, name, hint]) => html("div", { class: "ag-row" }, field, about(name, hint)));
  formField.insertBefore(B, formField.lastChild);
  return {
    node: html("div", { class: "ag-stack" },
      html("div", { class: "ag-controls", role: "group", "aria-label": words.controls }, sourceField, points ? formField : "", candidateField), question, apart),
    draw(now, settled) {
      const hand = now.source === "dissimilarities";
      source.draw(now.source);
      formField.hidden = now.source !== "points";
      form.draw(Object.keys(FORMS).find((name) => String(FORMS[name]) === String(now.form)) ?? "custom");
      text(B, `B = (${now.form.map((row) => row.map(short).join(" ")).join("; ")})`);
      candidate.draw(hand ? "" : now.candidate);
      candidate.node.disabled = hand;
      text(question, `${words.lead[now.source]} ${hand ? words.questionHand : words.question(now.question, now.domain)}`);
      if (!settled) return;
      const out = Object.keys(CANDIDATES).map((name) => [name, dissimilarity(name, now.given).why]).filter(([, why]) => why);
      for (const option of [...candidate.node.options].slice(1)) option.disabled = out.some(([name]) => name === option.value) && option.value !== now.candidate;
      apart.hidden = hand || !out.length;
      text(count, words.notHere(out.length));
      others.replaceChildren(...out.map(([name, why]) => html("li", {}, words.reason(name, whySentence(why)))));
    },
  };
}
