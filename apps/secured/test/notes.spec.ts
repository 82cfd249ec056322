/** Who sees and may call what, on every revision. */
import './matchers';
import './quiet';
import { eachRevision, type ConnectOptions, type TestClient } from '@sigil-mcp/testing';
import { notesServer } from '../src/server';

type Person = NonNullable<ConnectOptions['as']>;
type Connect = (server: ReturnType<typeof notesServer>, options?: ConnectOptions) => Promise<TestClient>;

const acme = { claims: { tenant: 'acme' } };
const reader: Person = { id: 'reader', scopes: ['notes:read'], ...acme };
const writer: Person = { id: 'writer', scopes: ['notes:read', 'notes:write'], ...acme };
const admin: Person = { id: 'admin', scopes: ['notes:read', 'notes:write'], roles: ['admin'], ...acme };
const stranger: Person = { ...admin, id: 'stranger', claims: { tenant: 'globex' } };

/** One server, and how each user connects to it. */
function opened(connect: Connect): (as: Person) => Promise<TestClient> {
  const server = notesServer();
  return (as) => connect(server, { as });
}

async function namesOf(client: TestClient): Promise<string[]> {
  return (await client.listTools()).tools.map(({ name }) => name).sort();
}

eachRevision('shows entries that need another scope, and hides entries that need another role', async ({ connect }) => {
  const as = opened(connect);
  expect(await namesOf(await as(reader))).toEqual(['about', 'addNote', 'exportNotes', 'listNotes']);
  expect(await namesOf(await as(admin))).toEqual(['about', 'addNote', 'exportNotes', 'listNotes', 'purgeNotes']);
});

eachRevision('stores a note for all users of the organisation, and for no others', async ({ connect }) => {
  const as = opened(connect);
  const [ada, bob, eve] = [await as(writer), await as(reader), await as(stranger)];
  expect(await ada.callTool('addNote', { title: 'milk', text: 'Two bottles.' })).toHaveText('Added the note "milk".');
  const milk = { title: 'milk', text: 'Two bottles.', author: 'writer' };
  expect(await bob.callTool('listNotes')).toHaveText(JSON.stringify({ notes: [milk] }));
  expect(await bob.callTool('exportNotes')).toHaveText('# milk\n\nTwo bottles.\n\n(writer)');
  const [{ uri = '' } = {}] = (await bob.listResources()).resources;
  expect(await bob.readResource(uri)).toHaveText(JSON.stringify(milk));
  expect(await bob.getPrompt('sumUp')).toHaveText(/a brief summary.*\nmilk \(writer\): Two bottles\./s);
  expect(await eve.callTool('listNotes')).toHaveText('{"notes":[]}');
  await expect(eve.readResource(uri)).rejects.toThrow('There is no note "milk".');
});

eachRevision('notifies only subscribers of the same organisation of a changed note', async ({ connect }) => {
  const as = opened(connect);
  const [ada, bob, eve] = [await as(writer), await as(reader), await as(stranger)];
  for (const client of [ada, eve]) await client.callTool('addNote', { title: 'milk', text: 'Two bottles.' });
  const uriOf = async (client: TestClient): Promise<string> => (await client.listResources()).resources[0]?.uri ?? '';
  const uri = await uriOf(bob);
  await bob.subscribe(uri);
  await eve.subscribe(await uriOf(eve));
  await ada.callTool('addNote', { title: 'milk', text: 'Three bottles.' });
  expect(await bob.waitForNotification('notifications/resources/updated')).toMatchObject({ params: { uri } });
  await (await as(admin)).callTool('purgeNotes');
  await bob.waitForNotification('notifications/resources/updated');
  expect(eve.notifications('notifications/resources/updated')).toEqual([]);
});

eachRevision('completes titles for callers who may read them', async ({ connect }) => {
  const as = opened(connect);
  const ada = await as(writer);
  await ada.callTool('addNote', { title: 'Milk', text: 'Two bottles.' });
  const title = { type: 'ref/resource', uri: 'notes://{folder}/{title}' } as const;
  const typed = { name: 'title', value: 'mi' };
  const complete = async (client: TestClient): Promise<unknown> =>
    client.request('completion/complete', { ref: title, argument: typed });
  expect(await complete(await as(reader))).toMatchObject({ completion: { values: ['Milk'] } });
  const folder = { ref: title, argument: { name: 'folder', value: '' } };
  const { completion } = (await (await as(reader)).request('completion/complete', folder)) as { completion: object };
  const [{ uri = '' } = {}] = (await ada.listResources()).resources;
  expect(completion).toMatchObject({ values: [new URL(uri).host] });
  await expect(complete(await as({ id: 'nobody' }))).rejects.toThrow('notes:read');
});

eachRevision('names a missing scope, and hides entries if a role is missing', async ({ connect }) => {
  const as = opened(connect);
  const bob = await as(reader);
  await expect(bob.callTool('addNote', { title: 'a', text: 'b' })).rejects.toThrow('notes:write');
  await expect(bob.callTool('purgeNotes')).rejects.toThrow('purgeNotes');
  expect(await (await as(admin)).callTool('purgeNotes')).toHaveText('Removed 0 notes.');
});

let people = 0;
eachRevision('accepts thirty notes a minute from each user', async ({ connect }) => {
  const as = opened(connect);
  // The class holds the rate, so all tests of this file share it.
  const [ada, bob] = [await as({ ...writer, id: `ada${++people}` }), await as({ ...writer, id: `bob${people}` })];
  const add = (client: TestClient, number: number): Promise<unknown> =>
    client.callTool('addNote', { title: `n${number}`, text: 'x' });
  for (let number = 0; number < 30; number++) await add(ada, number);
  await expect(add(ada, 30)).rejects.toThrow('At most 30 requests of this kind per minute.');
  await add(bob, 30);
});
