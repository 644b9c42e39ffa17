// What is wider than its box scrolls; give it a tab stop then, so that the arrow keys can scroll it too.
// Looked at when it comes into view or the browser is idle: measuring a whole chapter at once would hold it up.
const reach = (box) => {
  if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
  else box.removeAttribute("tabindex");
};
const seen = new IntersectionObserver((entries) => {
  for (const entry of entries) if (entry.isIntersecting) reach(entry.target);
});
const boxes = [...document.querySelectorAll(
  ".ag-math-scroll, .pst-scrollable-table-container, .bd-article pre, .cell_output > .output",
)];
for (const box of boxes) seen.observe(box);
const meanwhile = () => {
  reach(boxes.shift());
  if (boxes.length) requestIdleCallback(meanwhile);
};
if (boxes.length && window.requestIdleCallback) addEventListener("load", () => requestIdleCallback(meanwhile));

// The theme's one menu, which downloads the page. (Bootstrap, 24 KB, would do no more.)
for (const button of document.querySelectorAll('[data-bs-toggle="dropdown"]')) {
  const show = (open) => {
    button.nextElementSibling.classList.toggle("show", open);
    button.setAttribute("aria-expanded", open);
  };
  button.addEventListener("click", () => show(button.getAttribute("aria-expanded") !== "true"));
  addEventListener("click", (event) => event.target.closest(".dropdown") === button.parentElement || show(false));
  button.parentElement.addEventListener("keydown", (event) => {
    if (event.key === "Escape") { show(false); button.focus(); }
  });
}

// Parts of a long page get their true height when they come into view, and widgets grow when they wake. A jump to a
// heading is therefore repeated until it holds, unless the reader moves.
{
  let until = 0;
  const again = () => {
    if (performance.now() > until) return;
    document.querySelector(":target")?.scrollIntoView();
    requestAnimationFrame(again);
  };
  const jump = () => {
    until = performance.now() + 1500;
    again();
  };
  for (const move of ["wheel", "touchmove", "keydown", "pointerdown"]) {
    addEventListener(move, () => { until = 0; }, { passive: true });
  }
  addEventListener("hashchange", jump);
  if (location.hash) jump();
}
