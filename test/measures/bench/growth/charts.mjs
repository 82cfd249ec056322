/** What is measured, one chart for each thing that may grow. The names of series are those under which their figures come. */

/** A rise over all points by less than this share of the start is none; a line is straight whose points are no farther from it. */
const FLAT = 0.1;

const STRAIGHT = 0.25;

/** Sizes of arguments and of results, bytes. */
export const SIZES = [100, 1000, 10_000, 100_000, 1_000_000];

/**
 * `axis` says how x is drawn: each step as long as the next ('linear'), each decade ('decades'), or decades with a place for 0
 * ('decades and 0').
 */
export const CHARTS = [
  {
    name: 'tools',
    title: 'Tools of the server',
    unit: 'tool',
    label: 'tools',
    axis: 'decades',
    points: [3, 10, 100, 1000, 10_000],
    series: [
      { name: 'call', words: 'a call of one of them' },
      { name: 'turns', words: 'a call of each in turn' },
    ],
  },
  {
    name: 'sessions',
    title: 'Open sessions (HTTP)',
    unit: 'session',
    label: 'sessions',
    axis: 'decades',
    points: [1, 10, 100, 1000, 10_000],
    series: [
      { name: 'call', words: 'a call in one of them' },
      { name: 'turns', words: 'a call in each in turn' },
    ],
  },
  {
    name: 'subscriptions',
    title: 'Subscriptions',
    unit: 'subscription',
    label: 'subscriptions',
    axis: 'decades and 0',
    points: [0, 1, 10, 100, 1000],
    series: [
      { name: 'call', words: 'a call of the session that has them' },
      { name: 'change', words: 'a change told to that session', from: 1 },
      { name: 'shared', words: 'a change told to one of as many sessions', from: 1 },
    ],
  },
  {
    name: 'interceptors',
    title: 'Interceptors',
    unit: 'interceptor',
    label: 'interceptors',
    axis: 'linear',
    points: [0, 1, 2, 4, 8, 16, 32],
    series: [
      { name: 'tool', words: 'a call, all on its tool' },
      { name: 'server', words: 'a call, all on the server', from: 1 },
    ],
  },
  {
    name: 'tasks',
    title: 'Tasks that wait for an answer',
    unit: 'task',
    label: 'tasks',
    axis: 'decades',
    points: [1, 10, 100, 1000, 10_000],
    series: [
      { name: 'call', words: 'a call that is no task' },
      { name: 'get', words: 'tasks/get of each in turn' },
    ],
  },
  {
    name: 'views',
    title: 'Views, each with a tool',
    unit: 'view',
    label: 'views',
    axis: 'decades',
    points: [1, 10, 100, 1000],
    series: [
      { name: 'call', words: 'a call of a tool with a view' },
      { name: 'read', words: 'reading a view' },
    ],
  },
  {
    name: 'instances',
    title: 'Instances that share a Redis (HTTP)',
    unit: 'instance',
    label: 'instances',
    axis: 'decades',
    points: [1, 2, 4, 8, 16],
    series: [
      { name: 'call', words: 'a call in a session' },
      { name: 'change', words: 'a change, for a subscriber at another' },
    ],
  },
  {
    name: 'arguments',
    title: 'Size of arguments (HTTP)',
    unit: 'byte',
    label: 'bytes of arguments',
    axis: 'decades',
    points: SIZES,
    series: [
      { name: 'text', words: 'one string' },
      { name: 'list', words: 'small objects, each validated' },
    ],
  },
  {
    name: 'results',
    title: 'Size of results (HTTP)',
    unit: 'byte',
    label: 'bytes of the result',
    axis: 'decades',
    points: SIZES,
    series: [
      { name: 'text', words: 'one string' },
      { name: 'list', words: 'small objects, each validated' },
    ],
  },
];

/** Each series with its chart, and the points that it has. */
export function allSeries() {
  return CHARTS.flatMap((chart) =>
    chart.series.map((series) => ({
      ...series,
      chart,
      points: chart.points.filter((x) => x >= (series.from ?? 0)),
    })),
  );
}

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

/** @returns how it grows: 'flat, 4.5 µs', 'straight, 12 µs + 3.1 ns per byte', 'no growth, 4 to 5 µs', or from where to where */
export function sayGrowth({ chart, points, line: { kind, a, b } }) {
  const costs = points.map(({ y }) => y);
  if (kind === 'flat') return `flat, ${round(costs.reduce((sum, cost) => sum + cost, 0) / costs.length)} µs`;
  if (kind === 'straight' && b < 0) return `no growth, ${round(Math.min(...costs))} to ${round(Math.max(...costs))} µs`;
  if (kind === 'straight') return `straight, ${round(a)} µs + ${round(b * 1000)} ns per ${chart.unit}`;
  return `neither, ${round(Math.min(...costs))} to ${round(Math.max(...costs))} µs`;
}

/** A figure with two digits that count, or all of its whole ones. */
function round(figure) {
  const size = Math.abs(figure);
  return figure.toFixed(size >= 10 ? 0 : size >= 1 ? 1 : size >= 0.1 ? 2 : 3);
}

/** 1,000 as 1k and so on, for marks of an axis. */
export function shortNumber(figure) {
  if (figure >= 1e6) return `${figure / 1e6}M`;
  return figure >= 1000 ? `${figure / 1000}k` : String(figure);
}
