/** The loads of an instance and of a node of Redis as the number of instances grows, as one picture. */
import { FULL } from '../model/capacity';
import { othersOf } from './limits';
import { SIZES, type Growth, type Played, type Simulated } from './play-sizes';

const CHART = { width: 400, height: 320 };
/** Where the axes of a chart are, within it. */
const FIELD = { left: 54, right: 384, top: 92, bottom: 276 };
const TOP = 44;

/** A line of a chart, with its figures for each size. */
interface Line {
  readonly words: string;
  readonly figures: readonly number[];
}

interface Chart {
  readonly title: string;
  readonly unit: string;
  /** Where the limit is drawn. */
  readonly limit: { readonly figure: number; readonly words: string };
  readonly lines: readonly Line[];
}

/** Colours that those tell apart who see few, and a mark for those who see none. */
const LOOKS = [
  { colour: '#0072b2', mark: (x: number, y: number) => `<circle cx="${x}" cy="${y}" r="4"/>` },
  {
    colour: '#d55e00',
    mark: (x: number, y: number) => `<rect x="${x - 3.5}" y="${tenth(y - 3.5)}" width="7" height="7"/>`,
  },
  { colour: '#007a5a', mark: (x: number, y: number) => `<path d="M${x} ${tenth(y - 5)}l4.6 8h-9.2z"/>` },
] as const;
const LIMIT_COLOUR = '#a40e26';

/** @returns an SVG with a background of its own */
export function drawScale({ played }: Simulated): string {
  const charts = chartsOf(played);
  const [width, height] = [CHART.width * charts.length, TOP + CHART.height + 8];
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" font-family="sans-serif" font-size="12" fill="#24292f">`,
    '<title>How the load of an instance and of a node of Redis grows</title>',
    `<rect width="${width}" height="${height}" rx="8" fill="#ffffff"/>`,
    '<text x="20" y="30" font-size="17">Load by the number of instances, each with 10,000 sessions (model)</text>',
    ...charts.flatMap((chart, index) => drawChart(chart, index * CHART.width)),
    '</svg>\n',
  ].join('\n');
}

function chartsOf(played: Simulated['played']): readonly Chart[] {
  const line = (growth: Growth, words: string, figure: (one: Played) => number): Line => ({
    words,
    figures: played[growth].map(figure),
  });
  const both = (figure: (one: Played) => number): Line[] => [
    line('more nodes', 'all that clients do', figure),
    line('many changes', 'with ten times as many changes of resources', figure),
  ];
  const network = ({ outcome: { masters } }: Played): number =>
    (masters.most.bytesIn + masters.most.bytesOut + masters.most.bus) / 1e6;
  const instance = ({ outcome }: Played): number => outcome.instances.mean.cpu / 1e4;
  const core = { figure: FULL * 100, words: '80 % of a core' };
  return [
    {
      title: 'An instance',
      unit: '% of a core',
      limit: core,
      lines: both(instance),
    },
    {
      title: 'A node of Redis',
      unit: '% of a core',
      limit: core,
      lines: [
        line('more nodes', 'the one with the log of list changes', ({ outcome }) => outcome.masters.most.cpu / 1e4),
        line('more nodes', 'the others, if nodes grow with the sessions', (one) => othersOf(one) / 1e4),
        line('six nodes', 'the others of six nodes', (one) => othersOf(one) / 1e4),
      ],
    },
    {
      title: 'Network of the busiest node of Redis',
      unit: 'MB a second',
      limit: { figure: 1250, words: '10 Gbit/s' },
      lines: both(network),
    },
  ];
}

function drawChart({ title, unit, limit, lines }: Chart, left: number): string[] {
  const figures = [limit.figure, ...lines.flatMap((line) => line.figures)];
  const [low, high] = [Math.floor(Math.log10(Math.min(...figures))), Math.ceil(Math.log10(Math.max(...figures)))];
  const x = (instances: number): number =>
    tenth(FIELD.left + ((FIELD.right - FIELD.left) * Math.log10(instances / SIZES[0])) / Math.log10(1000 / SIZES[0]));
  const y = (figure: number): number =>
    tenth(FIELD.bottom - ((FIELD.bottom - FIELD.top) * (Math.log10(figure) - low)) / (high - low));
  const decades = Array.from({ length: high - low + 1 }, (_, decade) => 10 ** (low + decade));
  const { left: from, right: to, bottom } = FIELD;
  return [
    `<g class="chart" transform="translate(${left} ${TOP})">`,
    `<text x="20" y="24" font-size="14" font-weight="bold">${title}</text>`,
    ...lines.map(({ words }, index) => drawWords(words, index)),
    ...decades.map(
      (figure) =>
        `<line x1="${from}" x2="${to}" y1="${y(figure)}" y2="${y(figure)}" stroke="#d8dee4"/><text x="48" y="${tenth(y(figure) + 4)}" text-anchor="end">${shortNumber(figure)}</text>`,
    ),
    ...SIZES.map(
      (size) =>
        `<line x1="${x(size)}" x2="${x(size)}" y1="${bottom}" y2="281" stroke="#57606a"/><text x="${x(size)}" y="294" text-anchor="middle">${size}</text>`,
    ),
    `<path d="M54 92V276H384" fill="none" stroke="#57606a"/>`,
    `<text x="219" y="312" text-anchor="middle">instances</text>`,
    `<text transform="translate(14 184) rotate(-90)" text-anchor="middle">${unit}</text>`,
    `<line x1="${from}" x2="${to}" y1="${y(limit.figure)}" y2="${y(limit.figure)}" stroke="${LIMIT_COLOUR}" stroke-width="1.5" stroke-dasharray="6 4"/>`,
    `<text x="${from + 6}" y="${tenth(y(limit.figure) - 5)}" fill="${LIMIT_COLOUR}">${limit.words}</text>`,
    ...lines.flatMap((line, index) => drawLine(line, index, { x, y })),
    '</g>',
  ];
}

function drawWords(words: string, index: number): string {
  const look = LOOKS[index] ?? LOOKS[0];
  return `<g fill="${look.colour}">${look.mark(26, 39 + index * 16)}<text x="36" y="${43 + index * 16}" font-size="11">${words}</text></g>`;
}

function drawLine(
  { figures }: Line,
  index: number,
  { x, y }: { readonly x: (instances: number) => number; readonly y: (figure: number) => number },
): string[] {
  const look = LOOKS[index] ?? LOOKS[0];
  const points = figures.map((figure, at) => [x(SIZES[at] ?? 0), y(figure)] as const);
  const marks = points.map(([across, up]) => look.mark(across, up)).join('');
  return [
    `<path d="M${points.map((point) => point.join(' ')).join('L')}" fill="none" stroke="${look.colour}" stroke-width="1.5"/>`,
    `<g fill="${look.colour}">${marks}</g>`,
  ];
}

/** 1,000 as 1k, for marks of an axis. */
function shortNumber(figure: number): string {
  return figure >= 1000 ? `${figure / 1000}k` : String(figure);
}

function tenth(figure: number): number {
  return Math.round(figure * 10) / 10;
}
