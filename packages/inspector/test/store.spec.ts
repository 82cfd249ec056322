/** What the page knows of the lists of a speaker, whatever the order of the answers. */

interface Store {
  readonly lists: { readonly tools: readonly { readonly name: string }[] } | undefined;
  readonly judged: { readonly entries: readonly unknown[] } | undefined;
}

/** The requests of the page that wait for their answer. */
const waiting: { readonly route: string; readonly answer: (body: object) => void }[] = [];

Object.assign(globalThis, {
  location: { hash: '#key/home' },
  requestAnimationFrame: (draw: () => void) => void setImmediate(draw),
});
jest.spyOn(globalThis, 'fetch').mockImplementation(
  (url) =>
    new Promise((resolve) => {
      const answer = (body: object): void => resolve(Response.json(body));
      waiting.push({ route: (url as string).split('/').at(-1) ?? '', answer });
    }),
);

const { store, speakAs } = jest.requireActual<{ store: Store; speakAs(speaker: object): void }>('../page/store.js');

const listOf = (name: string): object => ({
  result: { tools: [{ name }], resources: [], templates: [], prompts: [], capabilities: {} },
  revision: '2026-07-28',
});

async function answer(route: string, index: number, body: object): Promise<void> {
  waiting.filter((each) => each.route === route)[index]?.answer(body);
  // An answer is read in a few turns of the event loop.
  for (let turn = 0; turn < 50; turn += 1) await new Promise(setImmediate);
}

it('shows the lists of the newest question, if the answer of an earlier one comes later', async () => {
  speakAs({ caller: 'ada' });
  speakAs({ caller: 'bob' });
  await answer('list', 1, listOf('ofBob'));
  expect(store.lists?.tools).toEqual([{ name: 'ofBob' }]);
  await answer('list', 0, listOf('ofAda'));
  expect(store.lists?.tools).toEqual([{ name: 'ofBob' }]);
});

it('shows what the newest caller may do, if that of an earlier one comes later', async () => {
  waiting.length = 0;
  speakAs({ caller: 'ada' });
  await answer('list', 0, listOf('ofAda'));
  speakAs({ caller: 'bob' });
  await answer('list', 1, listOf('ofBob'));
  await answer('judge', 1, { entries: ['of bob'] });
  await answer('judge', 0, { entries: ['of ada'] });
  expect(store.judged).toEqual({ entries: ['of bob'] });
});
