// Elements, numbers and the tooltip. Texts become text nodes, so no name in a profile is ever read as HTML.

const SVG = "http://www.w3.org/2000/svg";

/** Makes an element. Attributes that begin with "on" are listeners; those that are null or false are left out. */
function element(name, attributes = {}, ...children) {
  return filled(document.createElement(name), attributes, children);
}

function shape(name, attributes = {}, ...children) {
  return filled(document.createElementNS(SVG, name), attributes, children);
}

function filled(node, attributes, children) {
  for (const [key, value] of Object.entries(attributes)) {
    if (value === null || value === undefined || value === false) continue;
    if (key.startsWith("on")) node.addEventListener(key.slice(2), value);
    else node.setAttribute(key, value === true ? "" : value);
  }
  node.append(...children.filter((child) => child !== null));
  return node;
}

/** A path, which may break after each slash. */
function path(text) {
  const parts = text.split(/(?<=\/)/);
  return element("span", { class: "path" }, ...parts.flatMap((part, index) => (index > 0 ? [element("wbr"), part] : [part])));
}

const count = (number) => number.toLocaleString("en");
const plural = (number, noun) => `${count(number)} ${noun}${number === 1 ? "" : "s"}`;

/** Microseconds as "1.24 s", "96 ms", "9.6 ms", "40 µs" or "0.4 µs". */
function duration(time) {
  if (time > 0 && time < 9.95) return `${time.toFixed(1)} µs`;
  if (time < 999.5) return `${Math.round(time)} µs`;
  if (time < 9950) return `${(time / 1000).toFixed(1)} ms`;
  if (time < 999500) return `${Math.round(time / 1000)} ms`;
  return `${(time / 1e6).toFixed(time < 1e7 ? 2 : 1)} s`;
}

function share(part, whole) {
  const percent = whole ? part * 100 / whole : 0;
  if (percent > 0 && percent < 0.1) return "under 0.1 %";
  return `${percent > 0 && percent < 1 ? percent.toFixed(1) : Math.round(percent)} %`;
}

const tip = element("div", { id: "tip", hidden: true, "aria-hidden": "true" });
document.body.append(tip);

/** Shows the text beside a point of the window. */
function showTip(text, x, y) {
  tip.textContent = text;
  tip.hidden = false;
  const box = tip.getBoundingClientRect();
  tip.style.left = `${Math.max(4, Math.min(x + 14, window.innerWidth - box.width - 4))}px`;
  tip.style.top = `${y + 18 + box.height > window.innerHeight ? Math.max(4, y - box.height - 10) : y + 18}px`;
}

function hideTip() {
  tip.hidden = true;
}

/** Draws now, and again when the width of the node changes. */
function onWidth(node, draw) {
  let width = 0;
  const check = () => {
    if (node.clientWidth === width || node.clientWidth === 0) return;
    width = node.clientWidth;
    draw(width);
  };
  new ResizeObserver(() => requestAnimationFrame(check)).observe(node);
  check();
}
