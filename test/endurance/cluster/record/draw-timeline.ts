/** A run as a picture: a lane for each process, with what was done to it, and a line for each stream that went on elsewhere. */
import type { Fault, Timeline } from './timeline';

const WIDTH = 1200;
const LEFT = 90;
const LANE = 70;
const TOP = 50;

const COLOURS: Readonly<Record<Fault['kind'], string>> = {
  killed: '#c0392b',
  paused: '#e0a030',
  restarted: '#c0392b',
  emptied: '#6c2c91',
  asleep: '#e0a030',
  unsubscribed: '#2c7fb8',
};

/** An SVG. */
export function drawTimeline({ faults, resumptions, now }: Timeline, processes: number): string {
  const x = (time: number): number => Math.round((LEFT + ((WIDTH - LEFT - 20) * Math.min(time, now)) / now) * 10) / 10;
  const y = (lane: number | undefined): number => TOP + (lane === undefined ? 0 : lane + 1) * LANE;
  const height = y(processes) + 20;
  const axis = y(processes) - LANE / 2;
  const lanes = [undefined, ...Array.from({ length: processes }, (_, lane) => lane)].map(
    (lane) =>
      `<text x="10" y="${y(lane) + 5}">${lane === undefined ? 'Redis' : `process ${lane + 1}`}</text>` +
      `<line x1="${LEFT}" x2="${WIDTH - 20}" y1="${y(lane)}" y2="${y(lane)}" stroke="#7aa874" stroke-width="12"/>`,
  );
  const harms = faults.map(
    ({ lane, kind, from, to }) =>
      `<rect x="${x(from)}" y="${y(lane) - 8}" width="${Math.max(3, x(to) - x(from))}" height="16" fill="${COLOURS[kind]}">` +
      `<title>${kind}</title></rect>`,
  );
  const streams = resumptions
    .filter(({ from, to }) => from !== to)
    .map(
      ({ from, to, brokenAt, resumedAt }) =>
        `<line x1="${x(brokenAt)}" y1="${y(from)}" x2="${x(resumedAt)}" y2="${y(to)}" stroke="#34495e" opacity="0.35"/>`,
    );
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${WIDTH} ${height}" font-family="sans-serif" font-size="13">`,
    `<rect width="${WIDTH}" height="${height}" fill="#fff"/>`,
    `<text x="${LEFT}" y="22">${(now / 1000).toFixed(0)} s; each thin line is a stream that broke at one process and went on at another</text>`,
    ...lanes,
    ...harms,
    ...streams,
    ...drawAxis(now, x, axis),
    ...drawLegend(y(processes) + 5),
    '</svg>\n',
  ].join('\n');
}

/** Seconds between two marks of the axis. */
const MARKS = 10;

function drawAxis(now: number, x: (time: number) => number, y: number): string[] {
  const marks = Array.from({ length: Math.floor(now / 1000 / MARKS) + 1 }, (_, index) => index * MARKS);
  return marks.map(
    (seconds) =>
      `<line x1="${x(seconds * 1000)}" x2="${x(seconds * 1000)}" y1="${y - 6}" y2="${y}" stroke="#666"/>` +
      `<text x="${x(seconds * 1000)}" y="${y + 14}" text-anchor="middle" fill="#666">${seconds} s</text>`,
  );
}

const WORDS: readonly (readonly [Fault['kind'], string])[] = [
  ['killed', 'killed, or Redis restarted with its data'],
  ['paused', 'held still'],
  ['emptied', 'restarted without its data'],
  ['unsubscribed', 'listeners cut off'],
];

function drawLegend(y: number): string[] {
  return WORDS.map(
    ([kind, words], index) =>
      `<rect x="${LEFT + index * 280}" y="${y - 11}" width="12" height="12" fill="${COLOURS[kind]}"/>` +
      `<text x="${LEFT + index * 280 + 18}" y="${y}">${words}</text>`,
  );
}
