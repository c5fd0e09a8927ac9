// Calls over time: a lane for each process, bars for the calls, marks for exceptions.

const LANE = 46; // pixels
const BARS = 32; // pixels of a lane for the bars

function timeline(section, { span, steps, rows }) {
  if (rows.length === 0) {
    section.append(element("p", { class: "empty" }, "Nothing was recorded."));
    return;
  }
  const most = Math.max(1, ...rows.flatMap((row) => row.calls));
  section.append(key(most, span / steps));
  for (const row of rows) lane(section, row.label, (width) => drawLane(row, { span, steps, most, width }));
  lane(section, "", (width) => drawAxis(span, width));
}

function key(most, step) {
  return element("p", { class: "key" }, element("span", {}, element("i", { class: "ok" }), "calls"),
    element("span", {}, element("i", { class: "fail" }), "of them, calls that fail"),
    element("span", {}, element("b", {}, "×"), "exceptions"),
    element("span", {}, `the highest bar: ${plural(most, "call")} in ${duration(step)}`));
}

/** Appends a label and, beside it, a drawing for the available width. */
function lane(section, label, draw) {
  const place = element("div");
  section.append(element("div", { class: "lane" }, element("div", { class: "name", title: label }, label), place));
  onWidth(place, (width) => place.replaceChildren(draw(width)));
}

function drawLane(row, { span, steps, most, width }) {
  const bar = width / steps;
  const height = (number) => (number === 0 ? 0 : Math.max(1, number / most * BARS));
  const cursor = shape("rect", { class: "cursor", y: 0, width: bar.toFixed(2), height: LANE, visibility: "hidden" });
  const svg = shape("svg", { viewBox: `0 0 ${width} ${LANE}`, tabindex: "0", role: "img", "aria-label": laneLabel(row) },
    shape("path", { class: "ok", d: bars(row.calls, bar, height) }), shape("path", { class: "fail", d: bars(row.failed, bar, height) }),
    shape("line", { class: "base", x1: 0, y1: LANE - 0.5, x2: width, y2: LANE - 0.5 }),
    shape("path", { class: "raised", d: crosses(Object.keys(row.raised), bar) }), cursor);
  let at = 0;
  const point = (step, x, y) => {
    at = Math.max(0, Math.min(step, steps - 1));
    cursor.setAttribute("x", (at * bar).toFixed(2));
    cursor.setAttribute("visibility", "visible");
    showTip(stepText(row, at, span / steps), x, y);
  };
  const leave = () => {
    cursor.setAttribute("visibility", "hidden");
    hideTip();
  };
  svg.addEventListener("mousemove", (event) => point(Math.floor(event.offsetX / svg.clientWidth * steps), event.clientX, event.clientY));
  svg.addEventListener("mouseleave", leave);
  svg.addEventListener("blur", leave);
  svg.addEventListener("keydown", (event) => {
    const move = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (move === undefined) return;
    event.preventDefault();
    const box = svg.getBoundingClientRect();
    point(at + move, box.left + (at + move) * bar, box.top + 20);
  });
  return svg;
}

function bars(numbers, bar, height) {
  return numbers.map((number, step) => {
    const h = height(number);
    return h === 0 ? "" : `M${(step * bar).toFixed(2)} ${LANE - 1}v${(-h).toFixed(2)}h${Math.max(bar - 0.4, 0.6).toFixed(2)}v${h.toFixed(2)}z`;
  }).join("");
}

function crosses(steps, bar) {
  return steps.map((step) => {
    const x = (Number(step) + 0.5) * bar;
    return `M${(x - 3).toFixed(1)} 2l6 6m0 -6l-6 6`;
  }).join("");
}

function laneLabel(row) {
  const sum = (numbers) => numbers.reduce((total, number) => total + number, 0);
  const raised = sum(Object.values(row.raised).map(([number]) => number));
  return `${row.label}: ${plural(sum(row.calls), "call")}, ${count(sum(row.failed))} fail, ${plural(raised, "exception")}`;
}

function stepText(row, step, length) {
  const lines = [`${duration(step * length)} to ${duration((step + 1) * length)}`, plural(row.calls[step], "call")];
  if (row.failed[step] > 0) lines.push(`${count(row.failed[step])} fail`);
  if (row.raised[step]) {
    const [number, name] = row.raised[step];
    lines.push(`${plural(number, "exception")}${number > 1 ? ", most of them" : ":"} ${name}`);
  }
  return lines.join("\n");
}

function drawAxis(span, width) {
  const ticks = width > 600 ? 6 : 3;
  const texts = Array.from({ length: ticks + 1 }, (_, tick) => {
    const anchor = tick === 0 ? "start" : tick === ticks ? "end" : "middle";
    return shape("text", { x: (tick / ticks * width).toFixed(1), y: 13, "text-anchor": anchor }, duration(tick / ticks * span));
  });
  return shape("svg", { viewBox: `0 0 ${width} 18`, "aria-hidden": "true" }, ...texts);
}
