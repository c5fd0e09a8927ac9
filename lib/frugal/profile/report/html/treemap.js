// A treemap that can be entered: a click opens a folder, the path above it leads back.

class Treemap {
  constructor(section, root) {
    this.section = section;
    this.root = root;
    this.trail = [root];
    this.mode = "time";
    this.crumbs = element("nav", { class: "crumbs", "aria-label": "Opened folder" });
    this.legend = element("span", { class: "legend" });
    this.map = element("div", { class: "map time", onkeydown: (event) => this.key(event), onmouseleave: hideTip });
    this.about = element("p", { class: "about-tile", "aria-live": "polite" });
    this.list = element("div", { class: "scroll" });
    section.append(element("div", { class: "bar" }, this.crumbs, this.choice(), this.legend), this.map, this.about,
      element("details", {}, element("summary", {}, "As a table"), this.list));
    onWidth(this.map, () => this.draw());
  }

  choice() {
    const name = `colour-${this.section.id}`;
    return element("span", { class: "choice", role: "radiogroup", "aria-label": "Colour" }, "Colour:",
      ...Object.entries(MODES).map(([mode, { title }]) => element("label", {},
        element("input", { type: "radio", name, value: mode, checked: mode === this.mode, onchange: () => this.paint(mode) }), title)));
  }

  paint(mode) {
    this.mode = mode;
    this.map.className = `map ${mode}`;
    this.draw();
  }

  /** Opens the last node of the trail, or its parent if the node has no children. */
  open(trail) {
    const folder = trail[trail.length - 1].k ? trail : trail.slice(0, -1);
    if (folder.length === this.trail.length && folder.every((node, index) => node === this.trail[index])) return;
    this.trail = folder;
    hideTip();
    this.draw();
    this.focus(0);
  }

  draw() {
    const width = this.map.clientWidth;
    const height = Math.round(Math.max(260, Math.min(width * 0.5, 520)));
    const found = tiles(this.trail, { x: 0, y: 0, w: width, h: height });
    const most = strongest(found, this.mode);
    this.nodes = found.map((tile) => this.interactive(tile, drawTile(tile, { mode: this.mode, most, label: this.label(tile) })));
    if (this.nodes.length > 0) this.nodes[0].setAttribute("tabindex", "0");
    this.map.replaceChildren(shape("svg", { viewBox: `0 0 ${width} ${height}`, role: "group", "aria-label": "Treemap" }, ...this.nodes));
    this.about.textContent = "";
    this.drawCrumbs();
    this.drawLegend(most);
    this.drawList();
  }

  label({ node, trail }) {
    return [this.path(trail), ...describe(node)].join(", ");
  }

  path(trail) {
    return trail.slice(1).map((node) => node.n).join("/").replace(/\/(:\d+)$/, "$1");
  }

  interactive(tile, node) {
    const text = [this.path(tile.trail), ...describe(tile.node)].join("\n");
    node.addEventListener("click", () => this.open(tile.trail));
    node.addEventListener("mousemove", (event) => {
      event.stopPropagation();
      showTip(text, event.clientX, event.clientY);
    });
    node.addEventListener("focus", () => { this.about.textContent = this.label(tile); });
    node.addEventListener("keydown", (event) => { if (event.key === "Enter" || event.key === " ") this.open(tile.trail); });
    return node;
  }

  key(event) {
    const moves = { ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1 };
    const at = this.nodes.indexOf(document.activeElement);
    if (event.key in moves && at >= 0) this.focus((at + moves[event.key] + this.nodes.length) % this.nodes.length);
    else if (event.key === "Escape" && this.trail.length > 1) this.open(this.trail.slice(0, -1));
    else if (event.key !== "Enter" && event.key !== " ") return;
    event.preventDefault();
  }

  focus(index) {
    this.nodes.forEach((node, other) => node.setAttribute("tabindex", other === index ? "0" : "-1"));
    if (this.nodes[index]) this.nodes[index].focus({ preventScroll: true });
  }

  drawCrumbs() {
    const last = this.trail.length - 1;
    this.crumbs.replaceChildren(...this.trail.flatMap((node, index) => [
      ...(index > 0 ? [element("span", { class: "separator" }, "›")] : []),
      element("button", { type: "button", "aria-current": index === last ? "true" : null, onclick: () => this.open(this.trail.slice(0, index + 1)) },
        index === 0 ? "all" : node.n),
    ]));
  }

  drawLegend(most) {
    const { show } = MODES[this.mode];
    this.legend.replaceChildren(element("span", {}, show(0)), element("i", { class: this.mode }), element("span", {}, show(most)));
  }

  drawList() {
    const rows = this.trail[this.trail.length - 1].k.slice(0, 100);
    const cells = (node) => [count(node.c), share(node.f, node.c), duration(node.t)].map((text) => element("td", { class: "number" }, text));
    this.list.replaceChildren(element("table", {},
      element("thead", {}, element("tr", {}, element("th", {}, "Name"), ...["Calls", "Fail", "Time"].map((title) => element("th", { class: "number" }, title)))),
      element("tbody", {}, ...rows.map((node) => element("tr", {}, element("td", { class: "path" }, node.n), ...cells(node))))));
  }
}
