// Sets the still pictures of a page in motion: one model, one view each, and the link that came with the address.

import attentionPipeline from "./attention_pipeline.js";
import metricCourt from "./metric_court.js";
import mixtureHull from "./mixture_hull.js";
import queryKeyPlane from "./query_key_plane.js";
import { decodeLink, encodeLink, miniModel } from "./state.js";

export const widgets = {
  AttentionPipeline: attentionPipeline,
  MetricCourt: metricCourt,
  MixtureHull: mixtureHull,
  QueryKeyPlane: queryKeyPlane,
};

// A widget is mounted when the reader is one screen away from it, so that a long page opens as fast as its text.
function mountNear() {
  const seen = {};
  const still = {};
  const near = new IntersectionObserver((entries) => entries.forEach((e) => e.isIntersecting && wake(e.target)), {
    rootMargin: "100% 0%",
  });
  const wake = (node) => {
    near.unobserve(node);
    return (node.agWidget ??= mount(node, ...node.agPlace));
  };
  for (const node of document.querySelectorAll(".ag-static[data-ag-widget]")) {
    const name = node.dataset.agWidget;
    if (!Object.hasOwn(widgets, name)) continue;
    const ordinal = (seen[name] = (seen[name] ?? -1) + 1);
    if (node.agPlace) continue;
    node.agPlace = [name, ordinal];
    still[`${name}.${ordinal}`] = node;
    near.observe(node);
  }
  const follow = () => {
    const link = decodeLink(location.hash);
    const node = link && still[`${link.name}.${link.ordinal}`];
    if (!node) return;
    wake(node).apply(link.state);
    node.scrollIntoView({ block: "start" });
  };
  window.addEventListener("hashchange", follow);
  follow();
}

function mount(node, name, ordinal) {
  const host = document.createElement("div");
  node.append(host);
  const page = {
    url: (state) => `${location.href.split("#")[0]}#${encodeLink(name, ordinal, state)}`,
  };
  const view = { apply: () => false };
  widgets[name].render({ model: miniModel(JSON.parse(node.dataset.agState)), el: host, page, view });
  node.dataset.agMounted = "true";
  return view;
}

// A front end with a kernel loads the same text as a module and draws by itself: there document.currentScript is null.
if (globalThis.document?.currentScript) {
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mountNear);
  else mountNear();
}
