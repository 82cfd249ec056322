/** The matchers that ask a client, and how the matchers come to `expect`. */
import { createServer, type Server } from '@sigil-mcp/core';
import { connect, eachRevision, matchers, type TestClient } from '@sigil-mcp/testing';
import { failure } from './failure';
import { harbour } from './harbour';

describe('importing @sigil-mcp/testing/matchers', () => {
  const load = (): void => {
    jest.isolateModules(() => void jest.requireActual('../src/matchers/extend-expect'));
  };

  it('gives the global expect our matchers', () => {
    load();
    expect({ content: [] }).toHaveText('');
  });

  it('says what to do where there is no global expect', () => {
    const all = globalThis as { expect?: unknown };
    const kept = expect;
    delete all.expect;
    try {
      kept(load).toThrow('Load it in `setupFilesAfterEnv` of jest, or call expect.extend(matchers)');
    } finally {
      all.expect = kept;
    }
  });
});

eachRevision('lists are looked through on all pages', async ({ connect }) => {
  expect.extend(matchers);
  const client = await connect(harbour());
  await expect(client).toListTool('tide', { description: /water/, inputSchema: { type: 'object' } });
  await expect(client).toListTool('rise');
  await expect(client).not.toListTool('dock');
  await expect(client).toListResource('harbour://tide', { mimeType: 'application/json' });
  await expect(client).toListResource('harbour://ships/{name}', { mimeType: 'text/plain' });
  await expect(client).toListPrompt('trip', { arguments: [{ name: 'name', required: true }] });
  const docker = await connect(harbour(), { as: { scopes: ['dock'] } });
  await expect(docker).toListTool('dock');
});

describe('a failure', () => {
  let client: TestClient;
  const bare = (): Server => createServer({ name: 'bare', version: '1.0.0', logger: false });
  beforeAll(async () => {
    expect.extend(matchers);
    client = await connect(harbour());
  });
  afterAll(() => client.close());

  it('names what comes near', async () => {
    expect(await failure(() => expect(client).toListTool('lfit'))).toBe(
      'The server lists no tool "lfit". Did you mean "lift"? There are: tide, ships, whoami, lift, leave, sink, picture, rise.',
    );
    expect(await failure(() => expect(client).toListResource('weather://oslo'))).toMatch(
      /^The server lists no resource "weather:\/\/oslo"\. There are: harbour:\/\/tide, harbour:\/\/ships\/\{name\}\.$/,
    );
    expect(await failure(() => expect(client).toListPrompt('tripp'))).toBe(
      'The server lists no prompt "tripp". Did you mean "trip"? There is: trip.',
    );
  });

  it('does not name hundreds', async () => {
    const server = bare();
    for (let index = 0; index < 30; index += 1)
      server.registry.add({ kind: 'tool', name: `tool-${index}`, description: 'One of many', handler: () => '' });
    const many = await connect(server);
    expect(await failure(() => expect(many).toListTool('something-else'))).toMatch(/, and 10 more\.$/);
    await many.close();
  });

  it('says where an entry differs', async () => {
    expect(await failure(() => expect(client).toListTool('tide', { title: 'Tide', description: /air/ }))).toBe(
      [
        'The server lists the tool "tide", but not as expected:',
        '  title: expected "Tide", there is nothing',
        '  description: expected /air/, there is "How high the water is"',
      ].join('\n'),
    );
  });

  it('shows what should not be there', async () => {
    expect(await failure(() => expect(client).not.toListPrompt('trip'))).toMatch(
      /^Expected the server not to list the prompt "trip", but it does:\n {2}\{ name: "trip", description: "Plan a trip by ship"/,
    );
    expect(await failure(() => expect(client).not.toListPrompt('trip', { name: 'trip' }))).toContain(
      'not to list the prompt "trip" with { name: "trip" }, but it does',
    );
    await expect(client).not.toListPrompt('trip', { description: 'Something else' });
  });

  it('takes a server without such lists for one that lists nothing', async () => {
    const empty = await connect(bare());
    await expect(empty).not.toListTool('tide');
    expect(await failure(() => expect(empty).toListResource('a://b'))).toBe(
      'The server lists no resource "a://b". The list is empty.',
    );
    await empty.close();
  });

  it('passes on what keeps the server from answering, and what is no client', async () => {
    const gone = await connect(harbour());
    await gone.close();
    expect(await failure(() => expect(gone).not.toListTool('tide'))).toContain('The client was closed.');
    expect(await failure(() => expect(harbour().registry).not.toListTool('tide'))).toContain(
      'toListTool() expects a client, but received {',
    );
  });
});
