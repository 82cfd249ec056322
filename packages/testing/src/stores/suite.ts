/** The parts of which all store contracts are made: a test runner, stores that are opened for each suite, and time. */
import { ok } from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { wholeNumber, type OptionRule } from '@sigil-mcp/core/internal';
import type { MaybePromise, Stores, StreamLimits } from '@sigil-mcp/core/stores';
import { testingError } from '../errors';

/**
 * Opens the stores of two instances, with these limits for streams. The two share their content, and share it with no others. They are
 * closed when the suite has ended.
 */
export type OpenStores = (limits: StreamLimits) => MaybePromise<readonly [Stores, Stores]>;

/** Options that are left out have their defaults. */
export interface ContractOptions {
  /**
   * The number of changes, and of messages, that are sent at once where a bus must not lose the others: more than it keeps; 3000 if left out.
   * Fewer make the tests of a store cheap whose commands are requests.
   */
  readonly flood?: number;
}

/** Of `describeStores` and its like. */
export const CONTRACT_OPTIONS: Readonly<Record<keyof ContractOptions, OptionRule | undefined>> = {
  flood: wholeNumber(1),
};

/** Requirements, each with a test that proves it. A test receives the stores of one instance and those of another. */
export type Contract = Readonly<Record<string, (stores: Stores, other: Stores, flood: number) => Promise<void>>>;

/** The functions that declare tests in jest and similar test runners. */
interface Runner {
  readonly describe: (title: string, declare: () => void) => void;
  readonly it: (title: string, run: () => Promise<void>) => void;
  readonly beforeAll: (run: () => Promise<void>) => void;
  readonly afterAll: (run: () => Promise<void>) => void;
}

/** How streams are kept while their contract is tested. */
export const LIMITS: StreamLimits = { events: 8, keepFor: 1500 };

const FLOOD = 3000;

/** Milliseconds, longer than any test takes. */
export const LONG = 600_000;
/** Milliseconds after which something is over that a test waits for. */
export const SHORT = 150;

/** As long as the longest message of a client, of characters that take one, two and four bytes. */
export const LONG_TEXT = `${'a'.repeat(2 * 1024 * 1024)}${'é'.repeat(512 * 1024)}${'🎈'.repeat(256 * 1024)}`;

/** Declares a contract. */
export function suite(
  title: string,
  open: OpenStores,
  contract: Contract,
  { flood = FLOOD }: ContractOptions = {},
): void {
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
        return show(...stores, flood);
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

/** Milliseconds after which a condition does not hold any more: most test runners give a test less. */
const PATIENCE = 45_000;

/** Waits until a condition holds. @throws AssertionError if it does not in 45 seconds */
export async function until(holds: () => MaybePromise<boolean>): Promise<void> {
  for (const end = performance.now() + PATIENCE; !(await holds());) {
    ok(performance.now() < end, `This did not hold within ${PATIENCE / 1000} seconds: ${holds.toString()}`);
    await pause(5);
  }
}

/** Waits so many milliseconds. A process does not end meanwhile: the test runner of Node ends with what keeps it. */
export function pause(ms: number): Promise<void> {
  return sleep(ms);
}

/**
 * Shows what depends on the time of the store, which is real. An attempt receives the milliseconds after which something of its is over. It
 * returns false if that was over before it was needed: the machine was too busy, nothing is proved, and the next attempt has twice the time.
 * @throws AssertionError if that is so with ten minutes, too: then it is the store
 */
export async function timed(attempt: (ms: number) => Promise<boolean>): Promise<void> {
  for (let ms = SHORT; !(await attempt(ms)); ms *= 2)
    // No machine is so busy.
    ok(ms < LONG, `What had to last for ${ms} ms or longer was over before it was needed.`);
}

/** A name that no other test uses. */
export function fresh(kind: string): string {
  return `${kind}-${randomUUID()}`;
}

/** Whether a session has ended, without a use of it. */
export async function isOver({ sessions }: Stores, id: string): Promise<boolean> {
  // No session has this record, so none is replaced.
  return (await sessions.replace(id, fresh('record'), '')) === 'over';
}

/** Opens two sessions for so many milliseconds, the second one after a third of them, and waits for another third. */
export async function openInTurn({ sessions }: Stores, ms: number): Promise<readonly [first: string, second: string]> {
  const [first, second] = [fresh('session'), fresh('session')];
  await sessions.open(first, 'one', ms);
  await pause(ms / 3);
  await sessions.open(second, 'one', ms);
  await pause(ms / 3);
  return [first, second];
}
