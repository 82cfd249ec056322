/**
 * What was done to the cluster, and when: the chaos writes it, the picture is drawn of it, and whoever got an error asks it whether
 * there was a cause. Times are in milliseconds since the start.
 */

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

/** Seconds between two marks of the axis. */
const MARKS = 10;

const WORDS: readonly (readonly [Fault['kind'], string])[] = [
  ['killed', 'killed, or Redis restarted with its data'],
  ['paused', 'held still'],
  ['emptied', 'restarted without its data'],
  ['unsubscribed', 'listeners cut off'],
];

/** What is done to a process of the cluster. */
export type LaneFault = 'killed' | 'paused';
/** What is done to Redis. */
export type RedisFault = 'restarted' | 'emptied' | 'unsubscribed' | 'asleep';

/** Something that lasts. */
export interface Fault {
  /** The number of the process; undefined for Redis. */
  readonly lane: number | undefined;
  readonly kind: LaneFault | RedisFault;
  readonly from: number;
  /** Infinity as long as it lasts. */
  to: number;
}

/** A stream that broke on one process and was taken up at another. */
export interface Resumption {
  readonly from: number;
  readonly to: number;
  readonly brokenAt: number;
  readonly resumedAt: number;
}

/** Milliseconds for which something may go wrong after its cause is over: others have to notice that it was. */
const AFTERMATH = 4000;

/** Everything that happened. */
export class Timeline {
  readonly faults: Fault[] = [];
  readonly resumptions: Resumption[] = [];
  readonly #start = performance.now();

  /** Milliseconds since the start. */
  get now(): number {
    return performance.now() - this.#start;
  }

  /** Notes the begin of a fault. @returns a function that notes its end */
  begin(kind: Fault['kind'], lane?: number): () => void {
    const fault: Fault = { lane, kind, from: this.now, to: Infinity };
    this.faults.push(fault);
    return () => void (fault.to = this.now);
  }

  /** How often something was done. */
  count(kind: Fault['kind']): number {
    return this.faults.filter((fault) => fault.kind === kind).length;
  }

  /** Whether a process was killed or held still after a point in time. */
  disturbed(lane: number, since: number): boolean {
    return this.faults.some((fault) => fault.lane === lane && fault.to >= since);
  }

  /** Whether a process was killed after a point in time, or shortly before it. */
  killed(lane: number, since: number): boolean {
    return this.faults.some((fault) => fault.kind === 'killed' && fault.lane === lane && fault.to >= since);
  }

  /** Whether Redis was out of reach after a point in time, or shortly before it. */
  redisAway(since: number): boolean {
    return this.faults.some(({ lane, to }) => lane === undefined && to + AFTERMATH >= since);
  }

  /** Whether Redis has lost everything after a point in time. */
  emptied(since: number): boolean {
    return this.faults.some(({ kind, to }) => kind === 'emptied' && to >= since);
  }

  /** Whether anything at all was done to the cluster after a point in time, or shortly before it. */
  anything(since: number): boolean {
    return this.faults.some(({ to }) => to + AFTERMATH >= since);
  }
}

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

function drawAxis(now: number, x: (time: number) => number, y: number): string[] {
  const marks = Array.from({ length: Math.floor(now / 1000 / MARKS) + 1 }, (_, index) => index * MARKS);
  return marks.map(
    (seconds) =>
      `<line x1="${x(seconds * 1000)}" x2="${x(seconds * 1000)}" y1="${y - 6}" y2="${y}" stroke="#666"/>` +
      `<text x="${x(seconds * 1000)}" y="${y + 14}" text-anchor="middle" fill="#666">${seconds} s</text>`,
  );
}

function drawLegend(y: number): string[] {
  return WORDS.map(
    ([kind, words], index) =>
      `<rect x="${LEFT + index * 280}" y="${y - 11}" width="12" height="12" fill="${COLOURS[kind]}"/>` +
      `<text x="${LEFT + index * 280 + 18}" y="${y}">${words}</text>`,
  );
}
