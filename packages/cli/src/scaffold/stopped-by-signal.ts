/** Ctrl-C, a closed terminal, `kill`: the running program is ended, and this process stays until then, to report the state. */
import { statusOfSignal } from '../terminal/interruption';
import type { Shell } from '../terminal/shell';

/** The outcome of work that a signal may stop. */
export interface Heeded<T> {
  /** The result of the work; undefined if it was stopped. */
  readonly result?: T;
  /** The exit status to end with, if it was stopped. */
  readonly stopped?: number;
}

/** @param run is aborted by its signal, and awaited */
export async function heedingSignals<T>(shell: Shell, run: (signal: AbortSignal) => Promise<T>): Promise<Heeded<T>> {
  const controller = new AbortController();
  let stopped: number | undefined;
  const stopHearing = shell.hearSignals((name) => {
    stopped ??= statusOfSignal(name);
    controller.abort();
  });
  try {
    const result = await run(controller.signal);
    return stopped === undefined ? { result } : { stopped };
  } finally {
    stopHearing();
  }
}
