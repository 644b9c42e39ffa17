// The state of a widget without a kernel: a model with the same five methods, links that carry it, and its history.

/** What a kernel's model offers, over a plain object. */
export function miniModel(state) {
  const listeners = new Map();
  const of = (event) => listeners.get(event) ?? listeners.set(event, new Set()).get(event);
  return {
    get: (name) => state[name],
    set(name, value) {
      if (state[name] === value) return;
      state[name] = value;
      for (const event of [`change:${name}`, "change"]) for (const f of [...of(event)]) f();
    },
    save_changes() {},
    on: (event, f) => void of(event).add(f),
    off: (event, f) => void of(event).delete(f),
  };
}

const VERSION = 1;

/** The fragment that carries a state: "ag=1:QueryKeyPlane.0:<base64url of JSON>"; the number counts widgets of that name. */
export function encodeLink(name, ordinal, state) {
  const bytes = new TextEncoder().encode(JSON.stringify(state));
  const text = btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
  return `ag=${VERSION}:${name}.${ordinal}:${text}`;
}

/** What a fragment says, or null if it is not one of ours. Nothing in it is trusted: the widget checks the state. */
export function decodeLink(hash) {
  const found = /^#?ag=1:([A-Za-z]+)\.(\d{1,3}):([\w-]{1,20000})$/.exec(hash);
  if (!found) return null;
  try {
    const bytes = Uint8Array.from(atob(found[3].replaceAll("-", "+").replaceAll("_", "/")), (c) => c.charCodeAt(0));
    const state = JSON.parse(new TextDecoder().decode(bytes));
    return state && typeof state === "object" ? { name: found[1], ordinal: Number(found[2]), state } : null;
  } catch {
    return null;
  }
}

/** A value computed from traits, computed again only when one of them is another. */
export function keep(names, get, make) {
  let known = [], value = null;
  return () => {
    const now = names.map(get);
    if (now.some((x, i) => x !== known[i])) [known, value] = [now, make(...now)];
    return value;
  };
}

/** Undo and redo over snapshots. Commits that follow each other under one key are one step. */
export function createHistory(snapshot) {
  let past = [], future = [], last = snapshot(), lastKey = null;
  const step = (from, to) => {
    if (!from.length) return null;
    to.push(last);
    last = from.pop();
    lastKey = null;
    return JSON.parse(last);
  };
  return {
    commit(key = null) {
      const now = snapshot();
      if (now === last) return false;
      if (key === null || key !== lastKey) past = [...past.slice(-199), last];
      future = [];
      [last, lastKey] = [now, key];
      return true;
    },
    /** The state changed from elsewhere: go on from there, without a step of its own. */
    follow() { [last, lastKey] = [snapshot(), null]; },
    undo: () => step(past, future),
    redo: () => step(future, past),
    get canUndo() { return past.length > 0; },
    get canRedo() { return future.length > 0; },
  };
}

const isNumber = (x) => Number.isFinite(x) && Math.abs(x) <= 1e6;
export const isBoolean = (x) => typeof x === "boolean";
export const isIndex = (x, size) => Number.isInteger(x) && x >= 0 && x < size;
export const isTemperature = (x) => x === "inf" || (Number.isFinite(x) && x >= 0);
export const isRow = (x, length, good = isNumber) => Array.isArray(x) && x.length === length && x.every(good);
export const isMatrix = (x, rows, columns, good = isNumber) => isRow(x, rows, (row) => isRow(row, columns, good));

/** A test that stands where the widget has such a trait; elsewhere null is left out, and all else is wrong. */
export const where = (here, test) => (x) => (here ? test(x) : x === null ? undefined : false);

/**
 * The parts of a state from outside (a link, a task), a copy; null if any is wrong. A test says true, false, or undefined for
 * a part that is left out.
 */
export function cleaned(raw, tests) {
  const state = {};
  for (const [name, test] of Object.entries(tests)) {
    if (!Object.hasOwn(raw, name)) continue;
    const good = test(raw[name]);
    if (good === false) return null;
    if (good) state[name] = structuredClone(raw[name]);
  }
  return state;
}
