// Numbers and tokens as text: for the eye, for a CSV file, for a Python source. Tokens are data, never markup.

/** A number with a fixed number of decimals and a true minus sign; an en dash where it is undefined. */
export function fixed(x, digits = 2) {
  if (x === null || x === undefined) return "–";
  if (Math.abs(x) >= 1e5) return short(x);
  const text = x.toFixed(digits);
  return (Number(text) === 0 ? text.replace("-", "") : text).replace("-", "−");
}

/** A number as it is stored, up to four decimals; zeros after the second are left out. */
export function stored(x) {
  return fixed(x, 4).replace(/(\.\d\d)(\d*?)0+$/, "$1$2");
}

/** At most four significant digits. */
export function short(x) {
  if (x === null || x === undefined) return "–";
  if (x === 0) return "0";
  const text = Math.abs(x) >= 1e-3 && Math.abs(x) < 1e5 ? String(Number(x.toPrecision(4))) : x.toExponential(2);
  return text.replaceAll("-", "−").replace("e+", "e");
}

/** Four significant digits, zeros kept, so that a column of numbers lines up. */
export function four(x) {
  return x >= 1e-3 && x < 1e4 ? x.toPrecision(4) : short(x);
}

export const subscript = (n) => String(n).replace(/\d/g, (d) => "₀₁₂₃₄₅₆₇₈₉"[d]);

const NAMED = {
  "\n": "↵", "\t": "⇥", "\r": "␍", "\x7f": "␡", "\u200b": "·ZWSP·", "\ufeff": "·BOM·",
};
const UNSEEN = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069\u0080-\u009f\u00ad\u2028\u2029]/;
const JOINS = /^[\u200d\p{Mn}\p{Me}\u{1f3fb}-\u{1f3ff}]$/u;

/** A token as it can be shown: control signs visible, direction marks named; mirrors attention_geometry._text.visible. */
export function visible(token, limit = Infinity) {
  const signs = [...(token === "" ? "∅" : token)];
  const last = signs.length - 1;
  const text = signs.map((c, i) => {
    if (c === " ") return i === 0 || i === last ? "␣" : c;
    if (NAMED[c]) return NAMED[c];
    const code = c.codePointAt(0);
    if (code < 32) return String.fromCharCode(0x2400 + code);
    if (UNSEEN.test(c)) return `·U+${code.toString(16).toUpperCase().padStart(4, "0")}·`;
    return code >= 0xd800 && code < 0xe000 ? "\ufffd" : c;
  }).join("");
  const shown = [...text];
  return shown.length <= limit ? text : shown.slice(0, cut(shown, Math.max(1, limit - 1))).join("") + "…";
}

/** Where to cut so that no joined emoji, accent or skin tone is torn off its base; at `end` if all is one sign. */
function cut(signs, end) {
  let start = end;
  while (start > 1 && (JOINS.test(signs[start]) || signs[start - 1] === "\u200d")) start -= 1;
  return start > 1 || !JOINS.test(signs[1]) ? start : end;
}

/** The token as a Python string literal in ASCII. */
export function pythonString(token) {
  const named = { "\\": "\\\\", "'": "\\'", "\n": "\\n", "\r": "\\r", "\t": "\\t" };
  const hex = (code, letter, width) => `\\${letter}${code.toString(16).padStart(width, "0")}`;
  const body = [...token].map((c) => {
    const code = c.codePointAt(0);
    if (named[c]) return named[c];
    if (code >= 32 && code < 127) return c;
    return code < 256 ? hex(code, "x", 2) : code < 65536 ? hex(code, "u", 4) : hex(code, "U", 8);
  });
  return `'${body.join("")}'`;
}

/** Rows as CSV. Text that a spreadsheet would run as a formula is prefixed with an apostrophe. */
export function csv(rows) {
  const cell = (x) => {
    if (x === null || x === undefined) return "";
    if (typeof x !== "string") return String(x);
    const safe = /^[=+\-@\t\r]/.test(x) ? `'${x}` : x;
    return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
  };
  return rows.map((row) => row.map(cell).join(",")).join("\r\n") + "\r\n";
}
