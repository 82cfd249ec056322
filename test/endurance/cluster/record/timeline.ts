/**
 * What was done to the cluster, and when: the chaos writes it, the picture is drawn of it, and whoever got an error asks it whether
 * there was a cause. Times are in milliseconds since the start.
 */

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
