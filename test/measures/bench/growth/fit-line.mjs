/** Figures -> the line through them, and whether they are flat, straight, or neither. */

/** A rise over all points by less than this share of the start is none; a line is straight whose points are no farther from it. */
const FLAT = 0.1;
const STRAIGHT = 0.25;

/**
 * Lays y = a + b·x through points. Distances count in shares of y, so that the small ones count as much as the large ones.
 * @param {{ x: number, y: number, noise?: number }[]} points `noise` is how far y may be off, in its own unit
 * @returns {{ a: number, b: number, kind: 'flat' | 'straight' | 'neither', rise: number, farthest: number }} `rise`: over all points, as a
 * share of the smallest x's y; `farthest`: distance of a point from the line, as a share of it
 */
export function fitLine(points) {
  const { a, b } = leastSquares(points);
  const level = weightedMean(points);
  const [first, last] = [points[0], points.at(-1)];
  const rise = (b * (last.x - first.x)) / (a + b * first.x);
  const noise = Math.max(...points.map(({ y, noise = 0 }) => noise / y));
  const farthest = farthestFrom(points, (x) => a + b * x);
  const isFlat = Math.abs(rise) <= Math.max(FLAT, noise) && farthestFrom(points, () => level) <= Math.max(FLAT, noise);
  const isStraight = farthest <= Math.max(STRAIGHT, noise);
  return { a, b, rise, farthest, kind: isFlat ? 'flat' : isStraight ? 'straight' : 'neither' };
}

function leastSquares(points) {
  const sums = { w: 0, x: 0, y: 0, xx: 0, xy: 0 };
  for (const { x, y } of points) {
    const w = 1 / y ** 2;
    sums.w += w;
    sums.x += w * x;
    sums.y += w * y;
    sums.xx += w * x * x;
    sums.xy += w * x * y;
  }
  const b = (sums.w * sums.xy - sums.x * sums.y) / (sums.w * sums.xx - sums.x ** 2);
  return { a: (sums.y - b * sums.x) / sums.w, b };
}

function weightedMean(points) {
  const weights = points.map(({ y }) => 1 / y ** 2);
  const sum = weights.reduce((total, weight) => total + weight, 0);
  return points.reduce((total, { y }, index) => total + y * weights[index], 0) / sum;
}

function farthestFrom(points, lineAt) {
  return Math.max(...points.map(({ x, y }) => Math.abs(y / lineAt(x) - 1)));
}
