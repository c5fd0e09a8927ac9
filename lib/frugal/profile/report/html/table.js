// Tables whose rows can be sorted, and opened to show details.

/**
 * Adds a table to a section.
 * columns: [{ title, value: row => number or string, show: row => text or node, number, wide, main, text }]
 * options: { rows, sort: index of a column, detail: row => node, more: rows that are left out, empty: text }
 */
function table(section, columns, { rows, sort, detail = null, more = 0, empty }) {
  if (rows.length === 0) {
    section.append(element("p", { class: "empty" }, empty));
    return;
  }
  const body = element("tbody");
  const heads = columns.map((column, index) => head(column, () => sortBy(index)));
  let order = { index: sort, descending: columns[sort].number === true };

  function sortBy(index) {
    const again = order.index === index;
    order = { index, descending: again ? !order.descending : columns[index].number === true };
    fill();
  }

  function fill() {
    const { value } = columns[order.index];
    const sign = order.descending ? -1 : 1;
    const sorted = rows.map((row, index) => ({ row, index, key: value(row) }));
    sorted.sort((a, b) => sign * (a.key < b.key ? -1 : a.key > b.key ? 1 : 0) || a.index - b.index);
    heads.forEach((node, index) => {
      if (index === order.index) node.setAttribute("aria-sort", order.descending ? "descending" : "ascending");
      else node.removeAttribute("aria-sort");
    });
    body.replaceChildren(...sorted.flatMap(({ row, index }) => nodes(row, index)));
  }

  const made = new Map();
  function nodes(row, index) {
    if (!made.has(index)) made.set(index, detail ? openable(columns, row, detail) : [plain(columns, row)]);
    return made.get(index);
  }

  fill();
  section.append(element("div", { class: "scroll" }, element("table", {}, element("thead", {}, element("tr", {}, ...heads)), body)));
  if (more > 0) section.append(element("p", { class: "empty" }, `… and ${plural(more, "smaller row")}`));
}

function head(column, sort) {
  return element("th", { class: classes(column), scope: "col" }, element("button", { type: "button", onclick: sort }, column.title));
}

function classes(column) {
  return ["number", "wide", "main", "text"].filter((name) => column[name]).join(" ") || null;
}

function plain(columns, row) {
  return element("tr", {}, ...columns.map((column) => element("td", { class: classes(column) }, column.show(row))));
}

/** A row and the row with its details, which a click shows. */
function openable(columns, row, detail) {
  const button = element("button", { type: "button", class: "open", "aria-expanded": "false", "aria-label": "Details" });
  const more = element("tr", { class: "detail", hidden: true }, element("td", { colspan: columns.length }, detail(row)));
  const line = plain(columns, row);
  line.classList.add("row");
  line.firstChild.prepend(button);
  line.addEventListener("click", () => {
    if (String(window.getSelection()) !== "") return;
    more.hidden = !more.hidden;
    button.setAttribute("aria-expanded", String(!more.hidden));
  });
  return [line, more];
}
