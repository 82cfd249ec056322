/** What a line says of a series, in words that a table and a picture share. */

/** @returns how it grows: 'flat, 4.5 µs', 'straight, 12 µs + 3.1 ns per byte', 'no growth, 4 to 5 µs', or from where to where */
export function sayGrowth({ chart, points, line: { kind, a, b } }) {
  const costs = points.map(({ y }) => y);
  if (kind === 'flat') return `flat, ${round(costs.reduce((sum, cost) => sum + cost, 0) / costs.length)} µs`;
  if (kind === 'straight' && b < 0) return `no growth, ${round(Math.min(...costs))} to ${round(Math.max(...costs))} µs`;
  if (kind === 'straight') return `straight, ${round(a)} µs + ${round(b * 1000)} ns per ${chart.unit}`;
  return `neither, ${round(Math.min(...costs))} to ${round(Math.max(...costs))} µs`;
}

/** A figure with two digits that count, or all of its whole ones. */
export function round(figure) {
  const size = Math.abs(figure);
  return figure.toFixed(size >= 10 ? 0 : size >= 1 ? 1 : size >= 0.1 ? 2 : 3);
}

/** 1,000 as 1k and so on, for marks of an axis. */
export function shortNumber(figure) {
  if (figure >= 1e6) return `${figure / 1e6}M`;
  return figure >= 1000 ? `${figure / 1000}k` : String(figure);
}
