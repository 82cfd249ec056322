/** The parts of which all store contracts are made: a test runner, stores that are opened for each suite, and time. */
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MaybePromise, Stores, StreamLimits } from '@sigil-mcp/core/stores';
import { testingError } from '../errors';

/**
 * Opens the stores of two instances, with these limits for streams. The two share their content, and share it with no others. They are
 * closed when the suite has ended.
 */
export type OpenStores = (limits: StreamLimits) => MaybePromise<readonly [Stores, Stores]>;

/** Requirements, each with a test that proves it. A test receives the stores of one instance and those of another. */
export type Contract = Readonly<Record<string, (stores: Stores, other: Stores) => Promise<void>>>;

/** The functions that declare tests in jest and similar test runners. */
interface Runner {
  readonly describe: (title: string, declare: () => void) => void;
  readonly it: (title: string, run: () => Promise<void>) => void;
  readonly beforeAll: (run: () => Promise<void>) => void;
  readonly afterAll: (run: () => Promise<void>) => void;
}

/** How streams are kept while their contract is tested. */
export const LIMITS: StreamLimits = { events: 8, keepFor: 1500 };

/** How often an attempt is made that a busy machine has spoilt. */
const ATTEMPTS = 10;

/** As long as the longest message of a client, of characters that take one, two and four bytes. */
export const LONG_TEXT = `${'a'.repeat(2 * 1024 * 1024)}${'é'.repeat(512 * 1024)}${'🎈'.repeat(256 * 1024)}`;

/** Declares a contract. */
export function suite(title: string, open: OpenStores, contract: Contract): void {
  const { describe, it, beforeAll, afterAll } = runnerFor(title);
  describe(title, () => {
    let stores: readonly [Stores, Stores] | undefined;
    beforeAll(async () => {
      stores = await open(LIMITS);
    });
    afterAll(async () => {
      await atOnce(stores ?? [], (each) => each.close());
    });
    for (const [sentence, show] of Object.entries(contract))
      it(sentence, () => {
        if (!stores) throw testingError('SIGIL_TEST_STORES_CLOSED');
        return show(...stores);
      });
  });
}

function runnerFor(title: string): Runner {
  // Test runners put their functions where the language has no type for them.
  const { describe, it, beforeAll, afterAll } = globalThis as Partial<Runner>;
  if (describe && it && beforeAll && afterAll) return { describe, it, beforeAll, afterAll };
  throw testingError('SIGIL_TEST_WITHOUT_RUNNER', { what: `${title} of @sigil-mcp/testing/stores` });
}

/** Calls a function with each element of a list, all at once. */
export function atOnce<T, U>(list: readonly T[], act: (each: T, index: number) => MaybePromise<U>): Promise<U[]> {
  return Promise.all(list.map(async (each, index) => act(each, index)));
}

/** Waits until a condition holds, or for two seconds: the assertion that follows reports what is missing. */
export async function until(holds: () => boolean): Promise<void> {
  for (let waited = 0; waited < 200 && !holds(); waited++) await sleep(10);
}

/**
 * Makes an attempt whose outcome depends on time; it waits with the function that it receives. An attempt that fails proves nothing if the
 * machine was so busy that `slack` milliseconds were lost besides the waiting: then it is made again.
 */
export async function inTime(
  slack: number,
  attempt: (wait: (ms: number) => Promise<void>) => Promise<void>,
): Promise<void> {
  for (let left = ATTEMPTS; ; left--) {
    const began = performance.now();
    let waited = 0;
    try {
      return await attempt((ms) => {
        waited += ms;
        return sleep(ms);
      });
    } catch (error) {
      if (left === 1 || performance.now() - began - waited < slack) throw error;
    }
  }
}

/** A name that no other test uses. */
export function fresh(kind: string): string {
  return `${kind}-${randomUUID()}`;
}
