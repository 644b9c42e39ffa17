// Where the names of the handles of one plane go: outwards from the origin if that place is free, else above, below or beside it.
// The still picture (svg.py) places its names in the same way, with a mean width for a letter.

import { anchorOf } from "./geometry.js";

const ABOVE = 11, BELOW = 4, MARK = 9; // box of a name and of a marker, in units of the picture

/** Offsets and anchors in order of preference, for a handle at [x, y] whose mark reaches so far. */
function places([x, y], mark) {
  const length = Math.hypot(x - 160, y - 160);
  const [c, s] = length ? [(x - 160) / length, (y - 160) / length] : [0, -1]; // at the origin itself: above
  return [
    [(mark + 6) * c, (mark + 10) * s + 4.5, anchorOf(c)],
    [0, -5 - mark, "middle"], [0, mark + 14, "middle"], [mark + 4, 4.5, "start"], [-4 - mark, 4.5, "end"],
    [0, -20 - mark, "middle"], [0, mark + 29, "middle"],
  ];
}

export const around = ([x, y], half = MARK, high = half) => [x - half, y - high, x + half, y + high];

/** Boxes on the way from one point to another. */
export const along = ([x, y], [u, v]) => Array.from({ length: 25 }, (_, i) => around([x + (u - x) * i / 24, y + (v - y) * i / 24], 4));

export const isFree = (box, boxes) => !boxes.some((other) => box[0] < other[2] && other[0] < box[2] && box[1] < other[3] && other[1] < box[3]);

/**
 * items: { at, width (of the name; none: there is only a mark), mark (its reach), last (the place it had, or undefined) }, the
 * most important first; `taken` are boxes that stand there already. Gives { place, index, box, free } for each name, where none
 * of its places is free the first one beside its mark. No name leaves the picture; each stays where it is while that is free.
 */
export function placeNames(items, taken = []) {
  const boxes = [...items.map(({ at }) => around(at)), ...taken];
  return items.map(({ at: [x, y], width, mark = MARK, last }, own) => {
    if (!width) return null;
    const options = places([x, y], mark).map(([dx, dy, anchor], index) => {
      const left = x + dx - { start: 0, middle: width / 2, end: width }[anchor], inside = Math.max(0, Math.min(320 - width, left));
      return { place: [dx + inside - left, dy, anchor], index, box: [inside, y + dy - ABOVE, inside + width, y + dy + BELOW] };
    }).filter(({ box }) => isFree(box, [around([x, y], mark + 1, mark - 4)]));
    const others = boxes.filter((_, k) => k !== own);
    const free = [options.find(({ index }) => index === last), ...options].find((option) => option && isFree(option.box, others));
    if (free) boxes.push(free.box);
    return { ...(free ?? options[0]), free };
  });
}
