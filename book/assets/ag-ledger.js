// The ledger's filter: one box per kind of statement. Without this script all statements are shown.
for (const list of document.querySelectorAll(".ag-ledger")) {
  const rows = [...list.children];
  const kind = (row) => row.querySelector(".ag-statement-kind").textContent.trim();
  const kinds = [...new Set(rows.map(kind))];

  const filter = document.createElement("fieldset");
  filter.className = "ag-filter";
  filter.append(Object.assign(document.createElement("legend"), { textContent: "Show statements of the kind" }));
  const boxes = kinds.map((name) => {
    const box = Object.assign(document.createElement("input"), { type: "checkbox", checked: true, value: name });
    const label = document.createElement("label");
    label.append(box, name);
    filter.append(label);
    return box;
  });
  const told = document.createElement("output");
  filter.append(told);

  filter.addEventListener("change", () => {
    const chosen = new Set(boxes.filter((box) => box.checked).map((box) => box.value));
    for (const row of rows) row.hidden = !chosen.has(kind(row));
    told.textContent = `${rows.filter((row) => !row.hidden).length} of ${rows.length} statements are shown.`;
  });
  list.before(filter);
}
