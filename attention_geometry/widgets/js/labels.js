// Where the names of the handles of one plane go: outwards from the origin if that place is free, else beside it.
// The still picture (svg.py) places its names by the same rule.

import { anchorOf } from "./geometry.js";

const LETTER = 7.4, ABOVE = 11, BELOW = 4, MARK = 9; // box of a name and of a marker, in units of the picture

/** Offsets and anchors in order of preference, for a handle at [x, y]. */
export function places([x, y]) {
  const length = Math.hypot(x - 160, y - 160);
  const [c, s] = length ? [(x - 160) / length, (y - 160) / length] : [0, -1]; // at the origin itself: above
  const outwards = [15 * c, 19 * s + 4.5, anchorOf(c)];
  return [outwards, [13, 4.5, "start"], [-13, 4.5, "end"], [0, -14, "middle"], [0, 23, "middle"]];
}

/**
 * items: { at, letters, wanted, last (the place it had, or undefined) }, the most important first.
 * Gives one of the places to each, or null where none is free; a name stays where it is as long as that is free.
 */
export function placeNames(items) {
  const taken = items.map(({ at: [x, y] }) => [x - MARK, y - MARK, x + MARK, y + MARK]);
  return items.map(({ at, letters, wanted, last }, own) => {
    if (!wanted) return null;
    const options = places(at);
    const order = [last, 0, 1, 2, 3, 4].filter((i) => i !== undefined);
    for (const i of order) {
      const box = boxOf(at, options[i], letters);
      if (box[0] < -4 || box[2] > 324 || taken.some((other, k) => k !== own && overlap(box, other))) continue;
      taken.push(box);
      return { place: options[i], index: i };
    }
    return null;
  });
}

function boxOf([x, y], [dx, dy, anchor], letters) {
  const width = LETTER * letters;
  const left = x + dx - { start: 0, middle: width / 2, end: width }[anchor];
  return [left, y + dy - ABOVE, left + width, y + dy + BELOW];
}

const overlap = (a, b) => a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3];
