/** A core that does one piece of work after the other: an instance, or a node of Redis. */

/** Work, and what is counted with it. */
export interface Load {
  /** Microseconds of CPU. */
  readonly cpu: number;
  readonly commands: number;
  readonly bytesIn: number;
  readonly bytesOut: number;
  /** Bytes that it reads from the bus of the cluster. */
  readonly bus: number;
}

/** A sum of loads. */
export class LoadSum implements Load {
  cpu = 0;
  commands = 0;
  bytesIn = 0;
  bytesOut = 0;
  bus = 0;

  add({ cpu, commands, bytesIn, bytesOut, bus }: Load, times = 1): void {
    this.cpu += cpu * times;
    this.commands += commands * times;
    this.bytesIn += bytesIn * times;
    this.bytesOut += bytesOut * times;
    this.bus += bus * times;
  }
}

/** Times are seconds of the model. */
export class Station {
  readonly #own = new LoadSum();
  /** When the work that it has so far is done. */
  #busyUntil = 0;
  /** Microseconds of the shared work that it has done. */
  #sharedDone = 0;

  /** @param shared what each of several stations has to do beside its own work; each does it when it is next looked at */
  constructor(private readonly shared = new LoadSum()) {}

  /** Adds work that comes at a time. @returns when it is done */
  work(at: number, load: Load): number {
    this.#own.add(load);
    const cpu = load.cpu + this.shared.cpu - this.#sharedDone;
    this.#sharedDone = this.shared.cpu;
    this.#busyUntil = Math.max(this.#busyUntil, at) + cpu / 1e6;
    return this.#busyUntil;
  }

  /** Everything so far, with the shared work. */
  get sum(): Load {
    const sum = new LoadSum();
    sum.add(this.#own);
    sum.add(this.shared);
    return sum;
  }
}
