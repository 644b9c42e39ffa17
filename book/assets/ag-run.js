// Run in this page: buttons under the cells that need NumPy alone. Nothing is fetched before one of them is pressed.
// What the page's Python does with the cells is in ag_cells.py; here are the buttons, the editor and what is said.
{
  "use strict";
  const script = document.currentScript;
  const root = new URL("../", script.src); // this script lies in _static
  const blocks = [...document.querySelectorAll("div.cell")].filter((cell) => cell.querySelector(".cell_input pre"));
  const stored = blocks.map((cell) => cell.querySelector(".cell_input pre").textContent.replace(/\n$/, ""));
  const editors = [];
  const texts = () => stored.map((text, index) => editors[index]?.value ?? text);
  const make = (tag, settings) => Object.assign(document.createElement(tag), settings);

  const note = make("p", { id: "ag-run-note", className: "ag-run-note", textContent:
    "Each run starts afresh: first what this cell needs of the cells above, as they stand on the page, then the cell. "
    + "What you type stays in this page. In the code, Ctrl or ⌘ with Enter runs; Tab moves on, Escape leaves." });

  // ---------------------------------------------------------- Python

  const { host, megabytes } = script.dataset;
  const waiting = new Map(); // number of a run: who waits for its answer
  let python, stop, runs = 0; // python: a promise of the worker

  function settle(id, answer) {
    waiting.get(id)?.(answer);
    waiting.delete(id);
  }

  const fetched = () => globalThis.agPython || new Promise((resolve, reject) => {
    const tag = make("script", { src: new URL(script.dataset.python, script.src), onerror: reject });
    tag.onload = () => resolve(globalThis.agPython);
    document.head.append(tag);
  });

  async function start() {
    const { source, integrity, archive, worker: code } = await fetched();
    const address = URL.createObjectURL(new Blob([code], { type: "text/javascript" }));
    const worker = new Worker(address); // from a blob: a page opened from disk may not start one from a file
    return new Promise((resolve, reject) => {
      stop = () => { worker.terminate(); reject(new Error("stopped")); };
      worker.onerror = reject;
      worker.onmessage = ({ data }) => {
        if (data.ready) resolve(worker);
        else if (data.failed) stop(reject(new Error(data.failed)));
        else settle(data.id, data);
      };
      worker.postMessage({ settings: { source: new URL(source, root).href, integrity, archive } });
    }).finally(() => URL.revokeObjectURL(address));
  }

  function end() { // ends Python and all runs that wait for it; the next run starts it anew
    stop?.();
    python = stop = undefined;
    for (const id of [...waiting.keys()]) settle(id, { stopped: true });
  }

  function ask(index, say) {
    const id = ++runs;
    const answer = new Promise((resolve) => waiting.set(id, resolve));
    say(`Loading Python, about ${megabytes} MB, from ${host} …`);
    const mine = python ??= start();
    mine.then((worker) => {
      if (!waiting.has(id)) return;
      say("Running …");
      worker.postMessage({ id, run: [texts(), index] });
    }, () => {
      if (python === mine) python = undefined;
      settle(id, { failed: true });
    });
    return answer;
  }

  // ------------------------------------------------- one cell's buttons

  function equip(cell, index) {
    const input = cell.querySelector(".cell_input");
    const button = (label, name) => make("button", { type: "button", textContent: label, ariaLabel: name });
    const run = button("Run", "Run this code"), edit = button("Edit", "Edit this code");
    const reset = button("Reset", "Reset this code and its output");
    const status = make("span", { role: "status" }), bar = make("div", { className: "ag-run-bar" });
    const result = make("div", { className: "ag-run-result", hidden: true });
    let busy = false;
    reset.hidden = true;
    bar.append(run, edit, reset, status);
    input.after(bar, result);

    const say = (text) => { status.textContent = text; };
    const name = (label, long) => { run.textContent = label; run.ariaLabel = long; };
    const used = () => { reset.hidden = false; result.after(note); };

    function show(kind, text) {
      if (!text) return;
      const box = make("pre", { className: kind, textContent: text.replace(/\n$/, "") });
      box.classList.toggle("ag-prose", /.{85}/.test(text)); // longer than code: the sentences of a report
      result.append(box);
      const scrolls = box.scrollWidth > box.clientWidth || box.scrollHeight > box.clientHeight;
      if (scrolls) box.tabIndex = 0; // so that the arrow keys can do it
    }

    async function press() {
      if (busy) return end();
      busy = true;
      used();
      name("Stop", "Stop this run");
      const answer = await ask(index, say);
      busy = false;
      name(...(answer.failed ? ["Retry", "Retry to load Python"] : ["Run", "Run this code"]));
      if (answer.failed) return say(`Python could not be loaded from ${host}. Is there a network?`);
      if (answer.stopped) return say("Stopped.");
      result.replaceChildren();
      result.hidden = false;
      cell.classList.add("ag-ran");
      show("ag-run-output", answer.output);
      show("ag-run-error", answer.error);
      say(answer.error ? "Error." : answer.output ? `Done in ${answer.seconds} s.` : "Done; this cell prints nothing.");
      if (answer.broken) end();
    }

    function open() {
      const area = make("textarea", { className: "ag-run-code", value: stored[index], spellcheck: false, wrap: "off",
        autocapitalize: "off", autocomplete: "off", ariaLabel: "Code of this cell" });
      area.setAttribute("aria-describedby", note.id);
      const fit = () => { area.rows = area.value.split("\n").length; };
      area.addEventListener("input", fit);
      area.addEventListener("keydown", (event) => {
        if (event.isComposing) return;
        if (event.key === "Escape") run.focus();
        if (event.key !== "Enter") return;
        event.preventDefault();
        if (event.ctrlKey || event.metaKey || event.shiftKey) return busy || press();
        const line = area.value.slice(0, area.selectionStart).split("\n").pop();
        const indent = line.match(/^ */)[0] + (/:\s*$/.test(line) ? "    " : "");
        document.execCommand("insertText", false, `\n${indent}`); // the one way in that can be undone
      });
      editors[index] = area;
      cell.classList.add("ag-editing");
      input.append(area);
      fit();
      used();
      edit.hidden = true;
      area.focus();
      const gap = area.value.indexOf("..."); // where an exercise waits for its answer
      area.setSelectionRange(Math.max(gap, 0), gap < 0 ? 0 : gap + 3);
    }

    function restore() {
      if (busy) end();
      run.focus();
      editors[index]?.remove();
      delete editors[index];
      cell.classList.remove("ag-editing", "ag-ran");
      result.hidden = reset.hidden = true;
      edit.hidden = false;
      name("Run", "Run this code");
      say("Code and output are again as they were.");
    }

    run.addEventListener("click", (event) => event.detail > 1 || press()); // a double click is one
    edit.addEventListener("click", open);
    reset.addEventListener("click", restore);
  }

  blocks.forEach((cell, index) => cell.classList.contains("ag-run") && equip(cell, index));
}
