/** What only the owner of the process may do: take its signals, its forgotten promises, and its end. */
import { constants } from 'node:os';
import type { Logger } from '../logging/logger';

const SIGNALS = ['SIGTERM', 'SIGINT'] as const;

/** What the owner of a process is told. */
export interface ProcessEvents {
  readonly logger: Logger;
  /** The process is asked to end; asked once more, it ends at once. */
  readonly stop: () => void;
}

/**
 * Takes the process: its signals, the rejections that nobody handles, and errors of its stderr.
 * @returns a function that gives the process back: removes every listener
 */
export function ownProcess({ logger, stop }: ProcessEvents): () => void {
  let asked = false;
  const onSignal = (signal: NodeJS.Signals): void => {
    if (asked) process.exit(128 + constants.signals[signal]);
    asked = true;
    stop();
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
  process.stderr.on('error', onStderrError);
  return () => {
    for (const signal of SIGNALS) process.off(signal, onSignal);
    process.off('unhandledRejection', onForgotten);
    process.stderr.off('error', onStderrError);
  };
}
