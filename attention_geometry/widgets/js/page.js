// Sets every still picture of a page in motion: one model, one view each, and the link that came with the address.

import queryKeyPlane from "./query_key_plane.js";
import { decodeLink, encodeLink, miniModel } from "./state.js";

const WIDGETS = { QueryKeyPlane: queryKeyPlane };

function mountAll() {
  const seen = {};
  const mounted = {};
  for (const node of document.querySelectorAll(".ag-static[data-ag-widget]")) {
    const name = node.dataset.agWidget;
    if (!Object.hasOwn(WIDGETS, name)) continue;
    const ordinal = (seen[name] = (seen[name] ?? -1) + 1);
    if (node.dataset.agMounted) continue;
    mounted[`${name}.${ordinal}`] = mount(node, name, ordinal);
  }
  const follow = () => {
    const link = decodeLink(location.hash);
    const target = link && mounted[`${link.name}.${link.ordinal}`];
    if (!target) return;
    target.view.apply(link.state);
    target.node.scrollIntoView({ block: "start" });
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
  WIDGETS[name].render({ model: miniModel(JSON.parse(node.dataset.agState)), el: host, page, view });
  node.dataset.agMounted = "true";
  return { node, view };
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", mountAll);
else mountAll();
