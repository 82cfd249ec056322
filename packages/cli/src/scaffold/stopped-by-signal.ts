/** Ctrl-C, a closed terminal, `kill`: what runs is ended, and we stay until it is gone, to say where things stand. */

/** The exit status of a program that such a signal ended: 128 and the signal's number. */
const STATUS = { SIGINT: 130, SIGTERM: 143, SIGHUP: 129 } as const;

/** What came of something that may be stopped. */
export interface Heeded<T> {
  /** Undefined if it was stopped. */
  readonly result?: T;
  /** The exit status to end with, if it was stopped. */
  readonly stopped?: number;
}

/** @param run is told to end by its signal, and then waited for */
export async function heedingSignals<T>(run: (signal: AbortSignal) => Promise<T>): Promise<Heeded<T>> {
  const controller = new AbortController();
  let stopped: number | undefined;
  const stop = (signal: NodeJS.Signals): void => {
    stopped ??= STATUS[signal as keyof typeof STATUS];
    controller.abort();
  };
  const signals = Object.keys(STATUS) as (keyof typeof STATUS)[];
  for (const signal of signals) process.on(signal, stop);
  try {
    const result = await run(controller.signal);
    return stopped === undefined ? { result } : { stopped };
  } finally {
    for (const signal of signals) process.off(signal, stop);
  }
}
