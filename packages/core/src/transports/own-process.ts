/** What only the owner of the process may do: take its signals, its forgotten promises, and its end. */
import { constants } from 'node:os';
import type { Logger } from '../logging/logger';

const SIGNALS = ['SIGTERM', 'SIGINT', 'SIGHUP'] as const;

/** What the owner of a process is told. */
export interface ProcessEvents {
  readonly logger: Logger;
  /**
   * The process is to end, with this exit code: a signal asks for it, or something was thrown that nobody caught. A second signal ends it at
   * once.
   */
  readonly stop: (exitCode: number) => void;
}

/**
 * Takes the process: its signals, what nobody catches, and errors of its stderr. A promise that was left behind is logged; after an
 * exception that nobody caught, the state of the process is not known, so that the server is stopped in order and the process ends with 1.
 * @returns a function that gives the process back: removes every listener
 */
export function ownProcess({ logger, stop }: ProcessEvents): () => void {
  let asked = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(128 + constants.signals[signal]);
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
    logger.error(
      { err: error },
      'A promise was rejected and nobody handled it: a handler left it behind without awaiting it',
    );
  // A client that is gone has closed stderr too, and there is nobody left to tell.
  const onStderrError = (): void => undefined;

  for (const signal of SIGNALS) process.on(signal, onSignal);
  process.on('unhandledRejection', onForgotten);
  process.on('uncaughtException', onUncaught);
  process.stderr.on('error', onStderrError);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off('unhandledRejection', onForgotten);
    process.off('uncaughtException', onUncaught);
    process.stderr.off('error', onStderrError);
  };
}
