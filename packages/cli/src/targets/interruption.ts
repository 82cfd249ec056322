/** Ctrl-C: what runs is cancelled first, then closed; a second Ctrl-C does not wait for that. */
import { constants } from 'node:os';
import { CliFailure } from '../failure';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;
const SIGNAL_STATUS = 128;

/** Ends a command before its time. */
export interface Interruption {
  readonly signal: AbortSignal;
  /** Ends it for a reason; the first one counts. */
  readonly interrupt: (reason: CliFailure) => void;
}

/** The end of a command by a signal. */
export function interrupted(name: NodeJS.Signals = 'SIGINT'): CliFailure {
  const how = name === 'SIGINT' ? 'Ctrl-C' : name;
  return new CliFailure(
    `Cancelled by ${how}.`,
    'The server was told to stop.',
    SIGNAL_STATUS + constants.signals[name],
  );
}

/** Whether an error is the end of a command by a signal. */
export function wasInterrupted(error: unknown): boolean {
  return error instanceof CliFailure && error.exitCode > SIGNAL_STATUS;
}

/** Does work that signals of the system interrupt. */
export async function interruptible<Result>(work: (interruption: Interruption) => Promise<Result>): Promise<Result> {
  const controller = new AbortController();
  const listeners = SIGNALS.map((name) => {
    const listen = (): void => {
      if (controller.signal.aborted) process.exit(SIGNAL_STATUS + constants.signals[name]);
      controller.abort(interrupted(name));
    };
    process.on(name, listen);
    return { name, listen };
  });
  try {
    return await work({ signal: controller.signal, interrupt: (reason) => controller.abort(reason) });
  } finally {
    for (const { name, listen } of listeners) process.off(name, listen);
  }
}
