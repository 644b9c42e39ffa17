// What is wider than its box scrolls; give it a tab stop then, so that the arrow keys can scroll it too.
const scrollers = document.querySelectorAll(".ag-math-scroll, .pst-scrollable-table-container, .cell_input pre, .cell_output pre");
const reach = () => {
  for (const box of scrollers) {
    if (box.scrollWidth > box.clientWidth) box.tabIndex = 0;
    else box.removeAttribute("tabindex");
  }
};
addEventListener("load", reach);
addEventListener("resize", reach);

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
