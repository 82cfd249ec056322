/** Panels of a dashboard with what their queries have returned, as SVG. */
import type { Panel } from '../../support/dashboard/dashboard';

/** A panel with its series. */
export interface DrawnPanel extends Panel {
  readonly series: readonly { readonly name: string; readonly values: readonly (readonly [number, number])[] }[];
}

/** A place in the picture. */
interface Box {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const COLUMN = 50;
const ROW = 26;
const GAP = 8;
const TOP = 44;
const INK = '#1f2933';
const PALE = '#57606a';
const LINE = '#d5dbe1';
const COLOURS = [
  '#1a4d7a',
  '#c2571a',
  '#2f7d4f',
  '#8a3ffc',
  '#b8860b',
  '#b3261e',
  '#0f7b8a',
  '#6b7280',
  '#d14d8b',
  '#4b5bd6',
];
/** Series beyond that are not named, so that the names fit. */
const NAMED = 8;

/** @param range seconds of the left and the right edge */
export function drawDashboard(
  title: string,
  panels: readonly DrawnPanel[],
  range: { readonly start: number; readonly end: number },
): string {
  const width = 24 * COLUMN + GAP;
  const bottom = Math.max(...panels.map(({ gridPos: { y, h } }) => y + h));
  const height = TOP + bottom * ROW + GAP;
  const seconds = Math.round(range.end - range.start);
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="11" fill="${INK}">`,
    `<title>${escaped(title)}</title>`,
    `<rect width="${width}" height="${height}" rx="8" fill="#f4f6f8"/>`,
    words(`${title}, ${seconds} seconds`, { x: 14, y: 28, 'font-size': 16, 'font-weight': 600 }),
    ...panels.map((panel) => (panel.type === 'row' ? drawRow(panel) : drawPanel(panel, range))),
    '</svg>',
    '',
  ].join('\n');
}

function boxOf({ gridPos: { x, y, w, h } }: Panel): Box {
  return { x: x * COLUMN + GAP, y: TOP + y * ROW, width: w * COLUMN - GAP, height: h * ROW - GAP };
}

function drawRow(panel: DrawnPanel): string {
  const { x, y } = boxOf(panel);
  return words(panel.title, { x: x + 6, y: y + 15, 'font-size': 13, 'font-weight': 600, fill: PALE });
}

function drawPanel(panel: DrawnPanel, { start, end }: { readonly start: number; readonly end: number }): string {
  const box = boxOf(panel);
  const unit = panel.fieldConfig?.defaults.unit ?? '';
  const plot = { x: box.x + 58, y: box.y + 32, width: box.width - 70, height: box.height - 32 - legendHeight(panel) };
  const highest = ceilingOf(
    unit,
    Math.max(0, ...panel.series.flatMap(({ values }) => values.map(([, value]) => value).filter(Number.isFinite))),
  );
  const place = ([at, value]: readonly [number, number]): string =>
    `${round(plot.x + ((at - start) / (end - start)) * plot.width)} ${round(plot.y + plot.height * (1 - value / highest))}`;
  const lines = panel.series.map(({ values }, index) => {
    const points = values.filter(([, value]) => Number.isFinite(value)).map(place);
    return `<path d="M${points.join('L')}" fill="none" stroke="${colourOf(index)}" stroke-width="1.4"/>`;
  });
  const steps = [0, 0.5, 1].map((share) => {
    const y = round(plot.y + plot.height * (1 - share));
    return (
      `<path d="M${plot.x} ${y}h${plot.width}" stroke="${LINE}"/>` +
      words(written(share * highest, unit), { x: plot.x - 6, y: y + 4, 'text-anchor': 'end', fill: PALE })
    );
  });
  return [
    `<rect x="${box.x}" y="${box.y}" width="${box.width}" height="${box.height}" rx="4" fill="#ffffff" stroke="${LINE}"/>`,
    words(panel.title, { x: box.x + 10, y: box.y + 20, 'font-size': 12.5, 'font-weight': 600 }),
    ...steps,
    ...lines,
    ...legendOf(panel, box),
  ].join('\n');
}

const LEGEND_LINE = 14;
const MIB = 2 ** 20;

/** The names in lines. */
function legendLines({ series, gridPos: { w } }: DrawnPanel): (readonly [name: string, index: number])[][] {
  const most = w * COLUMN - 40;
  const named = series.slice(0, NAMED).map(({ name }, index) => [name, index] as const);
  const rest = series.length > NAMED ? [[`and ${series.length - NAMED} more`, -1] as const] : [];
  const lines: (readonly [string, number])[][] = [[]];
  let used = 0;
  for (const item of [...named, ...rest]) {
    const width = widthOf(item[0]);
    if (used + width > most) {
      lines.push([]);
      used = 0;
    }
    lines.at(-1)?.push(item);
    used += width;
  }
  return lines;
}

function legendHeight(panel: DrawnPanel): number {
  return legendLines(panel).length * LEGEND_LINE + 12;
}

function legendOf(panel: DrawnPanel, box: Box): string[] {
  const lines = legendLines(panel);
  return lines.flatMap((line, row) => {
    const y = box.y + box.height - 8 - (lines.length - 1 - row) * LEGEND_LINE;
    let x = box.x + 12;
    return line.map(([name, index]) => {
      const mark = index < 0 ? '' : `<path d="M${x} ${y - 4}h10" stroke="${colourOf(index)}" stroke-width="2.4"/>`;
      const text = words(name, { x: x + 14, y, fill: PALE });
      x += widthOf(name);
      return mark + text;
    });
  });
}

function widthOf(name: string): number {
  return Math.round(name.length * 6.1 + 28);
}

/** The next number with one or two digits that matter. */
function ceilingOf(unit: string, value: number): number {
  if (value === 0) return 1;
  if (unit === 'bytes' && value > MIB) return Math.ceil(value / MIB / 100) * 100 * MIB;
  const digit = 10 ** Math.floor(Math.log10(value));
  return ([1, 1.5, 2, 3, 4, 5, 6, 8, 10].find((factor) => factor * digit >= value) ?? 10) * digit;
}

function written(value: number, unit: string): string {
  if (unit === 'percentunit') return `${round(value * 100)} %`;
  if (unit === 'bytes') return value >= MIB ? `${round(value / MIB)} MiB` : `${round(value / 1024)} KiB`;
  if (unit === 's') return value >= 1 || value === 0 ? `${round(value)} s` : `${round(value * 1000)} ms`;
  return `${round(value)}${unit === 'short' ? '' : '/s'}`;
}

function colourOf(index: number): string {
  return COLOURS[index % COLOURS.length] ?? INK;
}

function words(text: string, attributes: Readonly<Record<string, string | number>>): string {
  const written = Object.entries(attributes).map(([name, value]) => ` ${name}="${value}"`);
  return `<text${written.join('')}>${escaped(text)}</text>`;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}

function round(number: number): number {
  return Math.round(number * 10) / 10;
}
