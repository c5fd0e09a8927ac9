// Squarified treemaps: Mark Bruls, Kees Huizing and Jarke J. van Wijk, "Squarified Treemaps", Data Visualization 2000.
// Areas are laid in rows along the shorter side of the remaining space; an area joins the row while that improves the
// worst ratio of sides in the row.

/**
 * Divides a box among sizes, which must be positive and in descending order.
 * Returns a box { x, y, w, h } for each of them.
 */
function squarify(sizes, box) {
  const total = sizes.reduce((sum, size) => sum + size, 0);
  const areas = sizes.map((size) => size / total * box.w * box.h);
  const boxes = [];
  let left = { ...box };
  let row = [];
  let index = 0;
  while (index < areas.length) {
    const side = Math.min(left.w, left.h);
    const longer = [...row, areas[index]];
    if (row.length === 0 || worst(longer, side) <= worst(row, side)) {
      row = longer;
      index += 1;
    } else {
      left = layRow(row, left, boxes);
      row = [];
    }
  }
  if (row.length > 0) layRow(row, left, boxes);
  return boxes;
}

/** The worst ratio of sides, if the areas fill a row along the side. */
function worst(areas, side) {
  const sum = areas.reduce((total, area) => total + area, 0);
  const largest = Math.max(...areas);
  const smallest = Math.min(...areas);
  return Math.max(side * side * largest / (sum * sum), sum * sum / (side * side * smallest));
}

/** Appends the boxes of a row; returns the remaining space. */
function layRow(areas, { x, y, w, h }, boxes) {
  const sum = areas.reduce((total, area) => total + area, 0);
  const upright = w >= h; // the row is a column at the left side
  const depth = sum / (upright ? h : w);
  let offset = 0;
  for (const area of areas) {
    const length = area / depth;
    boxes.push(upright ? { x, y: y + offset, w: depth, h: length } : { x: x + offset, y, w: length, h: depth });
    offset += length;
  }
  return upright ? { x: x + depth, y, w: w - depth, h } : { x, y: y + depth, w, h: h - depth };
}
