/** Ctrl-C, a closed terminal, `kill`: running work is cancelled first, then closed; a second Ctrl-C does not wait for that. */
import { constants } from 'node:os';
import { CliFailure, endedBySignal } from '../failure';
import type { Shell } from './shell';

const SIGNAL_STATUS = 128;

/** What ends in an orderly way, if there is time. */
export interface Ending {
  /** Runs before an interrupted command ends. A second signal does not wait for it. */
  readonly work: () => Promise<void>;
  /** How the user goes on if that was not done; printed to stderr. */
  readonly words: string;
}

/** Ends a command early. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** What the command has begun elsewhere, and has not ended; undefined if nothing. */
  ending?: Ending | undefined;
  /** Ends the command for a reason; the first reason counts. */
  readonly interrupt: (reason: CliFailure) => void;
}

/** The exit status of a program that a signal ended, as in shells: 130 after Ctrl-C. */
export function statusOfSignal(name: NodeJS.Signals): number {
  return SIGNAL_STATUS + constants.signals[name];
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

/** Runs work that system signals interrupt. */
export async function interruptible<Result>(
  shell: Shell,
  work: (interruption: Interruption) => Promise<Result>,
): Promise<Result> {
  const controller = new AbortController();
  const interruption: Interruption = {
    signal: controller.signal,
    interrupt: (reason) => controller.abort(reason),
  };
  const stopHearing = shell.hearSignals((name) => {
    if (controller.signal.aborted) {
      if (interruption.ending) shell.report(interruption.ending.words);
      shell.exit(statusOfSignal(name));
    }
    controller.abort(interrupted(name));
  });
  try {
    return await work(interruption);
  } finally {
    stopHearing();
  }
}
