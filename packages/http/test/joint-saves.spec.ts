/** Saves of one session: those that follow a save are made together, for several requests. */
import { AsyncLocalStorage } from 'node:async_hooks';
import { outsideRequests } from '@sigil-mcp/core/internal';
import { JointSaves } from '../src/sessions/session-record';

it('the first save is made in its request, and the joint ones after it outside of all requests', async () => {
  const storage = new AsyncLocalStorage<string>();
  const seen: (string | undefined)[] = [];
  const saves = storage.run(
    'program',
    () =>
      new JointSaves<number>({
        outside: outsideRequests(),
        take: () => [1],
        write() {
          seen.push(storage.getStore());
          return new Promise(setImmediate);
        },
        lost: () => undefined,
      }),
  );
  await Promise.all(['ada', 'eve', 'bob'].map((name) => storage.run(name, async () => saves.save())));
  expect(seen).toEqual(['ada', 'program']);
});
