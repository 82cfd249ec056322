/** Extensions that a server only names: what clients hear of them. */
import { createServer } from '@sigil-mcp/core';
import { eachRevision } from '../../support/each-revision';

const NAMES = [
  'io.modelcontextprotocol/enterprise-managed-authorization',
  'io.modelcontextprotocol/oauth-client-credentials',
];

describe('extensions that are named', () => {
  eachRevision('are advertised where the revision has a word for them', async ({ revision, connect }) => {
    const extensions = NAMES.map((name) => ({ name }));
    const advertised = Object.fromEntries(NAMES.map((name) => [name, {}]));
    const client = await connect(createServer({ name: 'extended', version: '1.0.0', logger: false, extensions }));
    const said =
      client.traffic.map(({ text }) => text).find((text) => text.includes('"capabilities":{"logging"')) ?? '';
    const { result } = JSON.parse(said) as { result: { capabilities: { extensions?: unknown } } };
    expect(result.capabilities.extensions).toEqual(revision >= '2026-07-28' ? advertised : undefined);
  });

  eachRevision('are not there if none is named', async ({ connect }) => {
    const client = await connect(createServer({ name: 'plain', version: '1.0.0', logger: false }));
    expect(client.traffic.map(({ text }) => text).join()).not.toContain('"extensions"');
  });
});
