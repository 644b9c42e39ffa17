// What the predict mode of MixtureHull asks, with the answer and the reason.

import { fixed } from "./format.js";
import { temperatureDrift } from "./hull.js";
import * as words from "./strings/mixture_hull.js";

/** What can be asked about a state, each with its answer and the reason. */
export function questions(now, { asked, named }) {
  const { V, scores, allowed: may, weights: a, output: y, temperature: T, verdicts, dimension } = now, found = [];
  if (!a) return found;
  if (verdicts) {
    const answer = ["inside", "edge", "outside"].indexOf(verdicts.stream[0]);
    found.push({ kind: "stream", question: words.askStream, options: words.askStreamOptions, answer,
      why: words.askStreamWhy(words.verdict[verdicts.stream[1]]) });
  }
  const drift = temperatureDrift(scores, may, V, T), open = V.map((_, j) => j).filter((j) => may[j]);
  const j = open[asked % open.length];
  const change = drift && ((y[0] - V[j][0]) * drift[0] + (y[1] - V[j][1]) * drift[1]) / Math.hypot(y[0] - V[j][0], y[1] - V[j][1]);
  if (Number.isFinite(change) && Math.abs(change) > 1e-6) {
    found.push({ kind: "drift", question: words.askDrift(named(j), T), options: words.askDriftOptions, answer: change < 0 ? 0 : 1,
      why: words.askDriftWhy(named(j), fixed(change, 3)) });
  }
  if (open.every((k) => a[k] > 1e-9)) {
    found.push({ kind: "unique", question: words.askUnique, options: words.askUniqueOptions, answer: dimension ? 0 : 1,
      why: words.askUniqueWhy(open.length, open.length - dimension, dimension) });
  }
  return found;
}
