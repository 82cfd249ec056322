/** Series of growth as one picture: a small chart for each thing that grows, with the figures and the line through them. */
import { CHARTS, sayGrowth, shortNumber } from './charts.mjs';

/** From a figure to its place on an axis, between 0 and 1, with the marks of the axis. */

const LOGARITHMS = {
  decades: { of: Math.log10, from: (value) => 10 ** value },
  'decades and 0': { of: (x) => Math.log10(x + 1), from: (value) => 10 ** value - 1 },
  linear: { of: (x) => x, from: (value) => value },
};

/** How much larger the largest figure is where decades show more than even steps. */
const WIDE = 20;

const COLUMNS = 3;
const CHART = { width: 400, height: 320 };
/** Where the axes of a chart are, within it. */
const FIELD = { left: 54, right: 384, top: 92, bottom: 276 };
const TOP = 44;
const WIDTH = COLUMNS * CHART.width;
const HEIGHT = TOP + Math.ceil(CHARTS.length / COLUMNS) * CHART.height + 8;

/** Colours that those tell apart who see few, and a mark for those who see none. */
const LOOKS = [
  { colour: '#0072b2', mark: (x, y) => `<circle cx="${x}" cy="${y}" r="4"/>` },
  { colour: '#d55e00', mark: (x, y) => `<rect x="${tenth(x - 3.5)}" y="${tenth(y - 3.5)}" width="7" height="7"/>` },
  { colour: '#007a5a', mark: (x, y) => `<path d="M${x} ${tenth(y - 5)}l4.6 8h-9.2z"/>` },
];

/**
 * @param series as `measureGrowth` gives them
 * @returns {string} an SVG with a background of its own
 */
export function drawGrowth(series) {
  const charts = CHARTS.map((chart, index) => {
    const [x, y] = [(index % COLUMNS) * CHART.width, TOP + Math.floor(index / COLUMNS) * CHART.height];
    return drawChart(
      chart,
      series.filter((each) => each.chart.name === chart.name),
      `translate(${x} ${y})`,
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${HEIGHT}" font-family="sans-serif" font-size="12" fill="#24292f">`,
    '<title>How the cost of a call grows</title>',
    `<rect width="${WIDTH}" height="${HEIGHT}" rx="8" fill="#ffffff"/>`,
    '<text x="20" y="30" font-size="17">Microseconds of the server’s CPU, by what may grow</text>',
    ...charts.flat(),
    '</svg>\n',
  ].join('\n');
}

function drawChart(chart, series, transform) {
  const across = scaleX(chart);
  const up = scaleY(series.flatMap(({ points }) => points.map(({ y }) => y)));
  const place = {
    x: (x) => tenth(FIELD.left + (FIELD.right - FIELD.left) * across.place(x)),
    y: (y) => tenth(FIELD.bottom - (FIELD.bottom - FIELD.top) * Math.min(1.02, Math.max(0, up.place(y)))),
  };
  return [
    `<g class="chart" id="${chart.name}" transform="${transform}">`,
    `<text x="20" y="24" font-size="14" font-weight="bold">${escape(chart.title)}</text>`,
    ...series.map((each, index) => drawWords(each, index)),
    ...drawAxes(chart, { across, up }, place),
    ...series.flatMap((each, index) => drawSeries(each, LOOKS[index], { across, place })),
    '</g>',
  ];
}

function drawWords(series, index) {
  const { colour, mark } = LOOKS[index];
  const y = 43 + index * 16;
  return `<g fill="${colour}">${mark(26, y - 4)}<text x="36" y="${y}" font-size="11">${escape(`${series.words}: ${sayGrowth(series)}`)}</text></g>`;
}

function drawAxes({ label }, { across, up }, place) {
  const { left, right, top, bottom } = FIELD;
  return [
    ...up.marks.map(
      (mark) =>
        `<line x1="${left}" x2="${right}" y1="${place.y(mark)}" y2="${place.y(mark)}" stroke="#d8dee4"/>` +
        `<text x="${left - 6}" y="${tenth(place.y(mark) + 4)}" text-anchor="end">${shortNumber(mark)}</text>`,
    ),
    ...across.marks.map(
      (mark) =>
        `<line x1="${place.x(mark)}" x2="${place.x(mark)}" y1="${bottom}" y2="${bottom + 5}" stroke="#57606a"/>` +
        `<text x="${place.x(mark)}" y="${bottom + 18}" text-anchor="middle">${shortNumber(mark)}</text>`,
    ),
    `<path d="M${left} ${top}V${bottom}H${right}" fill="none" stroke="#57606a"/>`,
    `<text x="${(left + right) / 2}" y="${bottom + 36}" text-anchor="middle">${escape(label)}</text>`,
    `<text transform="translate(14 ${(top + bottom) / 2}) rotate(-90)" text-anchor="middle">µs</text>`,
  ];
}

/** The points, and the line through them; where there is none, dashes from point to point. */
function drawSeries({ points, line }, { colour, mark }, { across, place }) {
  const ends = [points[0].x, points.at(-1).x];
  const fitted = across.steps
    .filter((x) => x > ends[0] && x < ends[1])
    .concat(ends)
    .sort((one, other) => one - other)
    .map((x) => ({ x, y: line.a + line.b * x }));
  const isLine = line.kind !== 'neither';
  const path = (isLine ? fitted : points).map(({ x, y }) => `${place.x(x)} ${place.y(y)}`).join('L');
  const dashes = isLine ? '' : ' stroke-dasharray="3 4"';
  return [
    `<path d="M${path}" fill="none" stroke="${colour}" stroke-width="1.5"${dashes}/>`,
    `<g fill="${colour}">${points.map(({ x, y }) => mark(place.x(x), place.y(y))).join('')}</g>`,
  ];
}

function tenth(figure) {
  return Math.round(figure * 10) / 10;
}

function escape(text) {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

/** @param {{ axis: string, points: number[] }} chart */
function scaleX({ axis, points }) {
  const { of, from } = LOGARITHMS[axis];
  const [low, high] = [of(points[0]), of(points.at(-1))];
  return {
    place: (x) => (of(x) - low) / (high - low),
    marks: axis === 'linear' ? points.filter((x) => x === 0 || x >= 4) : points,
    /** Values at even steps along the axis. */
    steps: Array.from({ length: 61 }, (_, step) => from(low + ((high - low) * step) / 60)),
  };
}

/** @param {number[]} figures all of a chart */
function scaleY(figures) {
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
