/** Ctrl-C, a closed terminal, `kill`: what runs is cancelled first, then closed; a second Ctrl-C does not wait for that. */
import { constants } from 'node:os';
import { CliFailure, endedBySignal } from '../failure';

/** What a person or the system ends a program with, and a program can hear. */
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SIGNAL_STATUS = 128;

/** The way to end a command before its time. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Ends the command for a reason; the first reason counts. */
  readonly interrupt: (reason: CliFailure) => void;
}

/** The exit status of a program that a signal ended, as shells have it: 130 after Ctrl-C. */
export function statusOfSignal(name: NodeJS.Signals): number {
  return SIGNAL_STATUS + constants.signals[name];
}

/** Hears the signals that end a program, instead of being ended. @returns stops that */
export function hearSignals(listen: (name: NodeJS.Signals) => void): () => void {
  for (const name of SIGNALS) process.on(name, listen);
  return () => {
    for (const name of SIGNALS) process.off(name, listen);
  };
}

/** The end of a command by a signal. */
export function interrupted(name: NodeJS.Signals = 'SIGINT'): CliFailure {
  const how = name === 'SIGINT' ? 'Ctrl-C' : name;
  return endedBySignal(statusOfSignal(name), 'SIGIL_CLI_INTERRUPTED', { how });
}

/** Whether an error is the end of a command by a signal. */
export function wasInterrupted(error: unknown): boolean {
  return error instanceof CliFailure && error.exitCode > SIGNAL_STATUS;
}

/** Does work that signals of the system interrupt. */
export async function interruptible<Result>(work: (interruption: Interruption) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const stopHearing = hearSignals((name) => {
    if (controller.signal.aborted) process.exit(statusOfSignal(name));
    controller.abort(interrupted(name));
  });
  try {
    return await work({ signal: controller.signal, interrupt: (reason) => controller.abort(reason) });
  } finally {
    stopHearing();
  }
}
