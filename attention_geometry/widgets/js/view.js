// The frame around every widget: one drawing per animation frame, history, live region, links, files, tasks, keys.
// It uses nothing of the model but get, set, save_changes, on and off.

import { attr, formula, html, text } from "./dom.js";
import { download, pngBlob, svgBlob } from "./exports.js";
import { csv } from "./format.js";
import { createPredict } from "./predict.js";
import { createHistory } from "./state.js";
import * as words from "./strings/frame.js";

const LATE = 20, LONG = 500, REST = 250; // milliseconds between frames: one was missed; nothing moved; the movement has ended
const TURNS = 4; // frames in which every part has been drawn once

/**
 * options: model, el, page (null under a kernel; else { url(state) }), label,
 * traits (names of the state that moves), clean(raw) → checked state or null, compute() → what the regions draw,
 * summary() → sentence,
 * file (name of its files), picture() → svg, rows() → table, code() → lines of NumPy,
 * predict { cover(), ask() } (see predict.js; optional).
 */
export function createFrame(options) {
  const { model, el, page, traits, clean } = options;
  const stop = new AbortController();
  const reads = new Set();
  const keys = new Map();
  let request = 0, own = 0, timer = 0, rest = 0, said = "";

  const snapshot = () => JSON.stringify(Object.fromEntries(traits.map((name) => [name, model.get(name)])));
  const initial = JSON.parse(snapshot());
  const history = createHistory(snapshot);

  const live = html("p", { class: "ag-say", role: "status" });
  const body = html("div", { class: "ag-body" });
  const root = html("div", {
    class: "ag-widget", role: "group", "aria-label": options.label, "data-lm-suppress-shortcuts": "true",
  }, body);

  const frame = {
    root, body, keys, initial, model,
    signal: stop.signal,
    on: (node, event, run, more) => node.addEventListener(event, run, { signal: stop.signal, ...more }),
    /** Work that reads the layout, run at the start of the next drawing. */
    read(work) { reads.add(work); frame.schedule(); },
    /** A part of the widget and how to draw it: draw(what compute() gave, has the movement ended?). */
    region(node, draw) {
      regions.set(node, { draw, seen: true, times: regions.size });
      draw(options.compute(), true);
      watcher.observe(node);
      return node;
    },
    schedule() { request ||= requestAnimationFrame(tick); },
    /**
     * Under a moving pointer what the eye cannot follow takes turns, numbers and pale arrows: is it the turn of part i of a region?
     * Numbers that change together change in one frame, since one new text is as dear to lay out as ten. `at` counts the drawings.
     */
    due: (i, turns = TURNS, at = times) => steps < 2 || (at + i) % turns === 0,
    /** A weight as fine as a moving picture shows it: what changes less is not drawn anew. At rest it is itself. */
    rough: (w) => (steps < 2 ? w : Math.round(100 * w) / 100),
    set(name, value) { own += 1; model.set(name, value); own -= 1; frame.schedule(); },
    /** One step of the history; steps that follow each other under one key are one. */
    commit(key = null, sentence = null) {
      if (!history.commit(key)) return;
      model.save_changes();
      refresh();
      predict?.follow();
      frame.say(sentence ?? predict?.question ?? options.summary());
    },
    /** Sets a whole state that came from elsewhere: a task, a link. */
    apply(raw, sentence = words.linkSet) {
      const state = clean(raw);
      if (!state) return frame.say(words.linkRefused), false;
      put(state);
      if (typeof raw.predict === "boolean") predict?.set(raw.predict);
      frame.commit(null, sentence);
      return true;
    },
    /** The sentence is spoken when the movement has ended. */
    say(sentence) { said = sentence; frame.settle(); },
    settle() {
      rest = performance.now() + REST;
      timer ||= setTimeout(still, REST);
    },
    dispose() {
      stop.abort();
      watcher.disconnect();
      cancelAnimationFrame(request);
      clearTimeout(timer);
      for (const name of traits) model.off(`change:${name}`, changed);
      root.remove();
    },
  };

  // While things move, only what is in sight is drawn; the rest follows when the movement has ended.
  const regions = new Map();
  const watcher = new IntersectionObserver((entries) => {
    for (const { target, isIntersecting } of entries) regions.get(target).seen = isIntersecting;
    frame.schedule();
  }, { rootMargin: "80px" });

  // Under a pointer the region that has the focus is drawn in every frame; where frames come late, the others take turns.
  let pressed = false, before = 0, turns = 1, turn = 0, steps = 0, times = 0; // steps: frames since the pointer went down or rested
  const press = (event) => { [pressed, steps] = [event.type === "pointerdown", 0]; };
  for (const event of ["pointerdown", "pointerup", "pointercancel"]) frame.on(root, event, press, { capture: true });

  function tick(time) {
    const late = time - before;
    turns = !pressed || late > LONG ? 1 : Math.max(1, Math.min(8, late > LATE ? turns + 1 : turns - 0.05));
    [before, turn, steps] = [time, turn + 1, pressed ? steps + 1 : 0];
    for (const work of reads) work();
    reads.clear();
    const now = options.compute(), active = root.getRootNode().activeElement;
    [...regions].filter(([, { seen }]) => seen).forEach(([node, region], i) => {
      if ((turn + i) % Math.floor(turns) && !node.contains(active)) return;
      times = region.times += 1;
      region.draw(now);
    });
    predict?.follow();
    request = 0;
    frame.settle();
  }

  function still() {
    const left = rest - performance.now();
    timer = left > 1 ? setTimeout(still, left) : 0;
    if (timer) return;
    steps = 0;
    const now = options.compute();
    for (const region of regions.values()) region.draw(now, true);
    text(live, said);
  }

  function changed() {
    if (own) return;
    history.follow();
    frame.schedule();
  }

  function put(state) {
    for (const [name, value] of Object.entries(state)) frame.set(name, value);
  }

  function travel(state, sentence) {
    if (!state) return;
    put(state);
    model.save_changes();
    refresh();
    predict?.follow();
    frame.say(sentence);
  }

  const undo = () => travel(history.undo(), words.undone);
  const redo = () => travel(history.redo(), words.redone);
  const button = (label, run, more) => {
    const node = html("button", { type: "button", ...more }, label);
    frame.on(node, "click", () => node.getAttribute("aria-disabled") !== "true" && run());
    return node;
  };
  frame.button = button;

  const undoButton = button(words.undo, undo);
  const redoButton = button(words.redo, redo);
  function refresh() {
    attr(undoButton, "aria-disabled", String(!history.canUndo));
    attr(redoButton, "aria-disabled", String(!history.canRedo));
  }

  const predict = options.predict && createPredict(frame, options.predict, snapshot);
  if (predict) body.append(predict.node);

  const tray = createTray(frame);
  const files = {
    SVG: () => svgBlob(options.picture()), PNG: () => pngBlob(options.picture()),
    CSV: () => new Blob([csv(options.rows())], { type: "text/csv" }),
  };
  const save = async (kind, make) => {
    const name = `${options.file.replaceAll("_", "-")}.${kind.toLowerCase()}`;
    try {
      download(await make(), name);
      frame.say(words.saved(name));
    } catch {
      frame.say(words.failed);
    }
  };
  const link = () => tray.offer(page.url(JSON.parse(snapshot())), words.linkShown);
  const code = () => tray.offer(options.code(), words.codeShown, `${options.file}.py`);

  /** How to do it without dragging, the row of buttons and the tray of texts to copy stand last; the tasks come first. */
  frame.close = (helpTitle, help) => {
    const tasks = taskList(frame, model.get("tasks") ?? []);
    if (tasks) body.prepend(tasks);
    body.append(...[
    helpTitle && html("details", { class: "ag-help" }, html("summary", {}, helpTitle), html("p", { class: "ag-hint" }, help)),
    html("div", { class: "ag-actions", role: "group", "aria-label": words.actions },
      undoButton, redoButton,
      button(words.reset, () => { put(initial); frame.commit(null, words.resetDone); }),
      page && button(words.link, link), predict?.toggle,
      html("span", { class: "ag-save" },
        html("span", { class: "ag-hint", "aria-hidden": "true" }, words.save),
        ...Object.entries(files).map(([kind, make]) => button(kind, () => save(kind, make), { "aria-label": words.saveAs(kind) })),
        button("NumPy", code))),
    tray.node,
    live,
    ].filter(Boolean));
  };

  // Notebooks listen for keys on the document: while something here has the focus, keys are taken before they get there.
  const onKey = (event) => {
    const target = event.composedPath()[0];
    if (!(target instanceof Node && root.contains(target))) return;
    const command = event.ctrlKey || event.metaKey;
    const typing = target.matches("textarea, input:not([type=checkbox], [type=radio], [type=range])");
    const wanted = { z: event.shiftKey ? redo : undo, y: redo }[command && !typing ? event.key.toLowerCase() : ""];
    const plain = !command && !event.altKey;
    if (wanted || (plain && keys.get(target)?.(event))) {
      wanted?.();
      event.preventDefault();
      event.stopImmediatePropagation();
    } else if (plain && event.key !== "Tab") event.stopImmediatePropagation();
  };
  let listening = false;
  const listen = (wanted) => {
    if (wanted === listening) return;
    listening = wanted;
    if (wanted) window.addEventListener("keydown", onKey, { capture: true, signal: stop.signal });
    else window.removeEventListener("keydown", onKey, { capture: true });
  };
  frame.on(root, "focusin", () => listen(true));
  frame.on(root, "focusout", (event) => listen(root.contains(event.relatedTarget)));

  for (const name of traits) model.on(`change:${name}`, changed);
  refresh();
  el.append(root);
  return frame;
}

/** A widget that start(model, el, page, view) → dispose draws, and that starts again when its shape(get) is another. */
export const widget = (start, names, shape) => ({
  render({ model: given, el, page = null, view = {} }) {
    const model = page ? given : whole(given);
    const look = () => JSON.stringify(shape((name) => model.get(name)));
    let now = look(), dispose = start(model, el, page, view);
    const restart = () => {
      if (look() === now) return;
      now = look();
      dispose();
      dispose = start(model, el, page, view);
    };
    for (const name of names) model.on(`change:${name}`, restart);
    return () => {
      for (const name of names) model.off(`change:${name}`, restart);
      dispose();
    };
  },
});

/** A kernel's model: the tasks come as text, and None, which a kernel in a browser sends as undefined, is null. */
const whole = (model) => ({
  get(name) {
    const value = model.get(name) ?? null;
    return name === "tasks" && typeof value === "string" ? JSON.parse(value) : value;
  },
  set: (name, value) => model.set(name, value),
  save_changes: () => model.save_changes(),
  on: (event, run) => model.on(event, run),
  off: (event, run) => model.off(event, run),
});

/** A field that shows a text to copy, for browsers that do not let a page copy, and for eyes. */
function createTray(frame) {
  const area = html("textarea", { readonly: true, rows: 3, spellcheck: "false", class: "ag-text" });
  const note = html("span", { class: "ag-hint" });
  let name = null;
  const copy = frame.button(words.copy, async () => text(note, (await copied(area.value)) ? words.copied : byHand()));
  const file = frame.button(words.saveAs(".py"), () => download(new Blob([area.value], { type: "text/x-python" }), name));
  const close = frame.button(words.close, () => { node.hidden = true; });
  const node = html("div", { class: "ag-tray", hidden: true }, area, html("div", { class: "ag-row" }, copy, file, close, note));
  const byHand = () => (area.select(), words.copyByHand);
  return {
    node,
    /** Copies a text, and shows it where that is not allowed, or where it can be saved: `as` is the name of its file. */
    async offer(value, sentence, as = null) {
      area.value = value;
      area.rows = Math.min(14, value.split("\n").length + 1);
      area.setAttribute("aria-label", sentence);
      name = as;
      file.hidden = !as;
      const good = await copied(value);
      node.hidden = good && !as;
      text(note, good ? words.copied : byHand());
      frame.say(good ? `${words.copied} ${sentence}` : sentence);
    },
  };
}

async function copied(value) {
  try {
    await navigator.clipboard.writeText(value);
    return true;
  } catch {
    return false;
  }
}

function taskList(frame, tasks) {
  if (!tasks.length) return null;
  const item = ({ text: task, state }) => html("li", {}, html("span", {}, ...formula(task)),
    state ? frame.button(words.setView, () => frame.apply(state, words.viewSet)) : null);
  return html("div", { class: "ag-tasks" },
    html("p", { class: "ag-title" }, words.tasks), html("ol", {}, ...tasks.map(item)));
}
