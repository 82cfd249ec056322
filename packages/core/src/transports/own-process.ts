/** What only the owner of the process may do: take its signals, its forgotten promises, and its end. */
import type { Logger } from '../logging/logger';

/** The signals that end a server, and their numbers on every system. */
const SIGNALS = { SIGTERM: 15, SIGINT: 2, SIGHUP: 1 } as const;
const NAMES = Object.keys(SIGNALS) as (keyof typeof SIGNALS)[];

/** The callbacks of the owner of a process. */
export interface ProcessEvents {
  readonly logger: Logger;
  /**
   * The process must end with this exit code: because of a signal, or of an uncaught exception. A second signal ends it
   * immediately.
   */
  readonly stop: (exitCode: number) => void;
}

/**
 * Takes ownership of the process: its signals, uncaught errors, and errors of its stderr. An unhandled rejection is logged. After an
 * uncaught exception the state of the process is unknown, so the server is stopped in order and the process ends with 1.
 * @returns a function that releases the process: removes every listener
 */
export function ownProcess({ logger, stop }: ProcessEvents): () => void {
  let asked = false;
  const onSignal = (signal: keyof typeof SIGNALS): void => {
    if (asked) process.exit(128 + SIGNALS[signal]);
    asked = true;
    stop(0);
  };
  const onUncaught = (error: unknown): void => {
    logger.error(
      { err: error },
      'Nobody caught this: a timer, a listener or a stream of a handler threw it. The server stops',
    );
    stop(1);
  };
  const onForgotten = (error: unknown): void =>
    logger.error({ err: error }, 'A promise was rejected and nobody handled it: await it, or catch its error');
  // A client that is gone has closed stderr too, so the error cannot be logged.
  const onStderrError = (): void => undefined;

  for (const signal of NAMES) process.on(signal, onSignal);
  process.on('unhandledRejection', onForgotten);
  process.on('uncaughtException', onUncaught);
  process.stderr.on('error', onStderrError);
  return () => {
    for (const signal of NAMES) process.off(signal, onSignal);
    process.off('unhandledRejection', onForgotten);
    process.off('uncaughtException', onUncaught);
    process.stderr.off('error', onStderrError);
  };
}
