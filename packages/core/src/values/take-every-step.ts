/** Ends something with several parts: each part is ended, even if an earlier one fails. */
import type { MaybePromise } from '@sigil-mcp/base';

/**
 * Takes steps one after the other, all of them.
 * @returns what the steps threw, in their order; empty where all went well. Never rejects
 */
export async function takeEveryStep(steps: readonly (() => MaybePromise<unknown>)[]): Promise<unknown[]> {
  const failures: unknown[] = [];
  for (const step of steps) {
    try {
      await step();
    } catch (failure) {
      failures.push(failure);
    }
  }
  return failures;
}
