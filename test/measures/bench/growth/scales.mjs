/** From a figure to its place on an axis, between 0 and 1, with the marks of the axis. */

const LOGARITHMS = {
  decades: { of: Math.log10, from: (value) => 10 ** value },
  'decades and 0': { of: (x) => Math.log10(x + 1), from: (value) => 10 ** value - 1 },
  linear: { of: (x) => x, from: (value) => value },
};

/** @param {{ axis: string, points: number[] }} chart */
export function scaleX({ axis, points }) {
  const { of, from } = LOGARITHMS[axis];
  const [low, high] = [of(points[0]), of(points.at(-1))];
  return {
    place: (x) => (of(x) - low) / (high - low),
    marks: axis === 'linear' ? points.filter((x) => x === 0 || x >= 4) : points,
    /** Values at even steps along the axis. */
    steps: Array.from({ length: 61 }, (_, step) => from(low + ((high - low) * step) / 60)),
  };
}

/** How much larger the largest figure is where decades show more than even steps. */
const WIDE = 20;

/** @param {number[]} figures all of a chart */
export function scaleY(figures) {
  const [least, most] = [Math.min(...figures), Math.max(...figures)];
  if (most / least <= WIDE) return evenScale(most * 1.15);
  const [low, high] = [Math.floor(Math.log10(least * 0.9)), Math.ceil(Math.log10(most * 1.1))];
  const marks = Array.from({ length: high - low + 1 }, (_, decade) => 10 ** (low + decade));
  return { place: (y) => (Math.log10(y) - low) / (high - low), marks };
}

function evenScale(most) {
  const decade = 10 ** Math.floor(Math.log10(most / 4));
  const step = [1, 2, 5, 10].map((factor) => factor * decade).find((width) => most / width <= 5) ?? 10 * decade;
  const count = Math.ceil(most / step);
  const digits = Math.max(0, -Math.floor(Math.log10(step)));
  const marks = Array.from({ length: count + 1 }, (_, mark) => Number((mark * step).toFixed(digits)));
  return { place: (y) => y / (count * step), marks };
}
