/** The tests that every store of tasks must pass, for jest and other test runners. */
import type { MaybePromise } from '@sigil-mcp/core';
import { CHANGE_CONTRACT, WATCH_CONTRACT } from './change-contract';
import { CREATE_CONTRACT } from './create-contract';
import { declareContract, globalFramework, type OpenedTaskStore, type TestFramework } from './suite';

export type { OpenedTaskStore, TestFramework } from './suite';

/**
 * Declares the contract of a store of tasks as tests.
 * @param name the title of the tests
 * @param open makes a store without tasks, for each test; the test calls `open` and `close` of the store
 * @param framework `describe` and `it` of the test runner; those of the global scope if left out
 * @throws SigilError if no test runner is passed, and none has put its functions into the global scope
 * @example describeTaskStore('my store', () => {
 *   const folder = mkdtempSync(join(tmpdir(), 'tasks-'));
 *   return { store: myStore(folder), another: myStore(folder), close: () => rmSync(folder, { recursive: true }) };
 * });
 */
export function describeTaskStore(
  name: string,
  open: () => MaybePromise<OpenedTaskStore>,
  framework: TestFramework = globalFramework(),
): void {
  framework.describe(name, () => {
    for (const contract of [CREATE_CONTRACT, CHANGE_CONTRACT, WATCH_CONTRACT])
      declareContract(contract, open, framework);
  });
}
