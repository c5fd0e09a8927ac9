// Fills the sections of the page from its data.

const data = JSON.parse(document.getElementById("data").textContent);
const section = (name) => document.getElementById(name);

function findingDetail(finding) {
  const entries = [
    ["What", finding.about], ["Proof", finding.message],
    ["Known from", finding.known.join(", ")], ["Called from", finding.callers.join(", ")], ["Assumes", finding.assumption], ["Fix", finding.fix],
    ["Drop-in", finding.dropIn && element("span", {}, `${finding.dropIn}: `, element("code", {}, section("findings").dataset.run))],
    ["Worth", finding.worth ? null : `not worth it: ${finding.part}`],
    ["Examples", finding.examples.length > 0 && element("span", {}, ...finding.examples.flatMap((file) => [path(file), element("br")]))],
  ];
  return element("dl", {}, ...entries.filter(([, value]) => value)
    .flatMap(([title, value]) => [element("dt", {}, title), element("dd", {}, value)]));
}

function findingName(finding) {
  return element("span", {}, finding.kind, ...(finding.worth ? [] : [" ", element("span", { class: "badge" }, "not worth it")]),
    element("span", { class: "proof" }, finding.message), ...(finding.worth ? [element("span", { class: "fix" }, finding.fix)] : []),
    element("span", { class: "narrow" }, path(finding.place)));
}

const findingColumns = [
  { title: "Saves", number: true, value: (row) => row.saved, show: (row) => duration(row.saved) },
  { title: "Finding", main: true, value: (row) => row.kind, show: findingName },
  { title: "Place", wide: true, text: true, value: (row) => row.place, show: (row) => path(row.place) },
  { title: "Superfluous", number: true, wide: true, value: (row) => row.count, show: (row) => count(row.count) },
  { title: "Fail", number: true, wide: true, value: (row) => row.failRate || 0, show: (row) => (row.failRate === null ? "" : share(row.failRate, 1)) },
  { title: "Proof", wide: true, value: (row) => (row.assumption ? 1 : 0), show: (row) => (row.assumption ? "likely" : "proven") },
];

/** Shows the findings that are worth a change, or a few others, and folds the rest. */
function findings(node, all) {
  const least = 3;
  const worth = all.filter((row) => row.worth);
  const first = worth.length < least ? all.slice(0, least) : worth;
  const rest = all.filter((row) => !first.includes(row));
  table(node, findingColumns, { rows: first, sort: 0, detail: findingDetail, empty: "No waste was found." });
  if (rest.length === 0) return;

  const saved = duration(rest.reduce((sum, row) => sum + row.saved, 0));
  const folded = element("details", {}, element("summary", {}, `${plural(rest.length, "more finding")}, ${saved} together: not worth a change`));
  table(folded, findingColumns, { rows: rest, sort: 0, detail: findingDetail, empty: "" });
  node.append(folded);
  window.addEventListener("beforeprint", () => { folded.open = true; });
}

findings(section("findings"), data.findings);

if (data.undeclared.rows.length > 0) {
  for (const hidden of document.querySelectorAll('#undeclared, a[href="#undeclared"]')) hidden.hidden = false;
  table(section("undeclared"), [
    { title: "Files", number: true, value: (row) => row[4], show: (row) => count(row[4]) },
    { title: "Task", main: true, text: true, value: (row) => row[0], show: (row) => element("span", {}, path(row[0]), element("span", { class: "proof" }, row[2])) },
    { title: "Defined", wide: true, text: true, value: (row) => row[1], show: (row) => path(row[1]) },
    { title: "Fix", text: true, value: (row) => row[3], show: (row) => element("code", {}, row[3]) },
  ], { rows: data.undeclared.rows, more: data.undeclared.more, sort: 0, empty: "None." });
}

for (const name of ["paths", "sources"]) {
  if (data[name].c > 0) new Treemap(section(name), data[name]);
  else section(name).append(element("p", { class: "empty" }, "No call was recorded."));
}

timeline(section("timeline"), data.timeline);

table(section("exceptions"), [
  { title: "Raised", number: true, value: (row) => row[3], show: (row) => count(row[3]) },
  { title: "Class", text: true, value: (row) => row[0], show: (row) => path(row[0]) },
  { title: "Place", text: true, value: (row) => row[1], show: (row) => path(row[1]) },
  { title: "Depth", number: true, value: (row) => row[2], show: (row) => count(row[2]) },
], { rows: data.exceptions.rows, more: data.exceptions.more, sort: 0, empty: "None was raised." });

table(section("processes"), [
  { title: "Start", value: (row) => row[4], show: (row) => duration(row[4]) },
  { title: "Pid", number: true, value: (row) => row[0], show: (row) => String(row[0]) },
  { title: "Parent", number: true, wide: true, value: (row) => row[1], show: (row) => String(row[1]) },
  { title: "Command", text: true, value: (row) => row[2], show: (row) => path(row[2]) },
  { title: "Ruby", wide: true, value: (row) => row[3], show: (row) => row[3] },
  { title: "Calls", number: true, value: (row) => row[5], show: (row) => count(row[5]) },
  { title: "Exceptions", number: true, wide: true, value: (row) => row[6], show: (row) => count(row[6]) },
  { title: "No room", number: true, wide: true, value: (row) => row[7], show: (row) => count(row[7]) },
], { rows: data.processes.rows, more: data.processes.more, sort: 0, empty: "None was recorded." });

document.documentElement.dataset.ready = "true";
