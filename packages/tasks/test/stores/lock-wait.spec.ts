/** Waiting for the lock of a file: for as long as the file is locked, by the words of its error. */
import { runInNewContext } from 'node:vm';
import { LockWait } from '../../src/stores/sqlite/database';

const failing = (errors: readonly unknown[]): (() => string) => {
  const left = [...errors];
  return () => {
    if (left.length > 0) throw left.shift();
    return 'done';
  };
};

it.each([
  ['of this realm', new Error('database is locked')],
  ['of another realm, as an addon has it that was loaded before', runInNewContext("new Error('database is locked')")],
])('goes on after an error %s', async (_, error: unknown) => {
  const wait = new LockWait();
  expect(await wait.run(failing([error, error]), wait.deadline())).toBe('done');
});

it('throws any other error at once', async () => {
  const wait = new LockWait();
  const error = new Error('disk I/O error');
  await expect(wait.run(failing([error]), wait.deadline())).rejects.toBe(error);
});
