// The tiles of a treemap: their places and their appearance.

const HEADER = 18; // pixels of a folder for its name
const PADDING = 2;
const LEVELS = 5; // folders within folders
const TILES = 1200; // the most that a reader can distinguish

/**
 * Lays out the node and what it contains.
 * Returns [{ node, trail, box, group }], the outer ones first; `trail` has the nodes from the root to the node.
 */
function tiles(trail, box) {
  const found = [];
  const queue = [{ trail, box, level: 0 }];
  while (queue.length > 0 && found.length < TILES) {
    const { trail: above, box: space, level } = queue.shift();
    const children = above[above.length - 1].k.filter((child) => child.c > 0);
    squarify(children.map((child) => child.c), space).forEach((inner, index) => {
      const node = children[index];
      if (inner.w < 3 || inner.h < 3) return;
      const group = node.k !== undefined && level + 1 < LEVELS && inner.w > 56 && inner.h > 44;
      found.push({ node, trail: [...above, node], box: inner, group });
      if (group) queue.push({ trail: [...above, node], box: inside(inner), level: level + 1 });
    });
  }
  return found;
}

function inside({ x, y, w, h }) {
  return { x: x + PADDING, y: y + HEADER, w: w - 2 * PADDING, h: h - HEADER - PADDING };
}

const MODES = {
  time: { title: "time of a call", of: (node) => (node.c ? node.t / node.c : 0), show: duration },
  failures: { title: "share that fails", of: (node) => (node.c ? node.f / node.c : 0), show: (value) => share(value, 1) },
};

/** The value that gets the strongest colour: the slowest twentieth must not make all others look alike. */
function strongest(found, mode) {
  if (mode === "failures") return 1;
  const values = found.filter((tile) => !tile.group).map((tile) => MODES[mode].of(tile.node)).sort((a, b) => a - b);
  return values[Math.floor(values.length * 0.95)] || values[values.length - 1] || 0;
}

function describe(node) {
  const lines = [`${plural(node.c, "call")}, ${duration(node.t)}`];
  if (node.f > 0) lines.push(`${count(node.f)} fail (${share(node.f, node.c)})`);
  const functions = Object.entries(node.b || {}).sort((a, b) => b[1] - a[1]);
  if (functions.length > 0) lines.push(functions.slice(0, 8).map(([name, number]) => `${name} ${count(number)}`).join(", "));
  return lines;
}

/** Returns a group with a rectangle and the words that fit into it. */
function drawTile({ node, box, group }, { mode, most, label }) {
  const value = most > 0 ? Math.min(MODES[mode].of(node) / most, 1) : 0;
  const texts = group ? groupTexts(node, box) : leafTexts(node, box);
  const rect = shape("rect", { x: box.x.toFixed(1), y: box.y.toFixed(1), width: box.w.toFixed(1), height: box.h.toFixed(1) });
  const tile = shape("g", { class: group ? "tile group" : "tile", role: "button", tabindex: "-1", "aria-label": label }, rect, ...texts);
  tile.style.setProperty("--v", value.toFixed(3));
  return tile;
}

function leafTexts(node, box) {
  if (box.h < 17 || fit(node.n, box.w) === "") return [];
  const name = shape("text", { x: box.x + 4, y: box.y + 14 }, fit(node.n, box.w));
  const number = count(node.c);
  const both = box.h >= 31 && fit(number, box.w) === number;
  return both ? [name, shape("text", { x: box.x + 4, y: box.y + 28, class: "small" }, number)] : [name];
}

/** The name at the left and the number at the right, if there is room for both. */
function groupTexts(node, box) {
  const number = count(node.c);
  const both = (node.n.length + number.length + 2) * 6.8 < box.w - 8;
  const name = shape("text", { x: box.x + 4, y: box.y + 13 }, fit(node.n, box.w));
  return both ? [name, shape("text", { x: box.x + box.w - 4, y: box.y + 13, class: "small end" }, number)] : [name];
}

function fit(text, width) {
  const room = Math.floor((width - 8) / 6.8);
  if (text.length <= room) return text;
  return room < 3 ? "" : `${text.slice(0, room - 1)}…`;
}
