/** Over stdio there are no tokens: the caller is whoever started the process, and may do everything unless somebody says less. */
import { PassThrough } from 'node:stream';
import { Caller, Feature, Roles, Scopes, Tool, UseGuards, createServer } from '../src';
import { StdioTransport, type StdioOptions, localCallerOf } from '../src/transports/stdio/stdio-transport';

@Feature()
@Scopes('notes:read')
class Notes {
  @Tool('Adds') @Scopes('notes:write') add({ id, kind }: Caller): string {
    return `${id} ${kind}`;
  }

  @Tool('Purges') @UseGuards(Roles('admin')) purge(): string {
    return 'purged';
  }
}

/** What calls of both tools are answered with, by id. */
async function callBoth(options: StdioOptions): Promise<Record<string, unknown>[]> {
  const server = createServer({ name: 'notes', version: '1', features: [Notes], logger: false });
  const [input, output] = [new PassThrough(), new PassThrough()];
  let text = '';
  output.on('data', (chunk: Buffer) => (text += chunk.toString()));
  await server.listen(new StdioTransport({ input, output, ...options }));
  const send = (id: number, method: string, params: object): void =>
    void input.write(`${JSON.stringify({ jsonrpc: '2.0', id, method, params })}\n`);
  send(0, 'initialize', { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } });
  send(1, 'tools/call', { name: 'add', arguments: {} });
  send(2, 'tools/call', { name: 'purge', arguments: {} });
  while (text.split('\n').length < 4) await new Promise((resolve) => setImmediate(resolve));
  await server.close();
  const answers = text.trim().split('\n');
  return answers.map((line) => JSON.parse(line) as Record<string, unknown>).filter(({ id }) => id !== 0);
}

const said = (text: string) => ({ result: { content: [{ type: 'text', text }] } });

it('works out of the box with scopes and roles [AUTH-002]', async () => {
  expect(await callBoth({})).toMatchObject([said('local local'), said('purged')]);
});

it('has the scopes and roles that the option names, and an error says what is missing', async () => {
  const lacking = { code: -32600, data: { error: 'insufficient_scope', scope: 'notes:read notes:write' } };
  expect(await callBoth({ caller: { id: 'ada', scopes: ['notes:read'], roles: [] } })).toMatchObject([
    { error: lacking },
    { error: { code: -32602, message: 'Unknown tool: purge' } },
  ]);
  const able = new Caller({ id: 'bot', kind: 'client', scopes: ['notes:read', 'notes:write'], roles: ['admin'] });
  expect(await callBoth({ caller: able })).toMatchObject([said('bot client'), said('purged')]);
});

it('is named by the environment where no option is', () => {
  const all = localCallerOf(undefined, { SIGIL_CALLER: 'ada' });
  expect([all.id, all.kind, all.hasScopes('any'), all.hasRole('any')]).toEqual(['ada', 'local', true, true]);
  const environment = { SIGIL_CALLER: '', SIGIL_CALLER_SCOPES: ' notes:read  notes:write ', SIGIL_CALLER_ROLES: '' };
  const some = localCallerOf(undefined, environment);
  expect([some.id, some.scopes, some.roles]).toEqual(['local', ['notes:read', 'notes:write'], []]);
  expect([some.hasScopes('notes:read'), some.hasScopes('notes:admin'), some.hasRole('any')]).toEqual([
    true,
    false,
    false,
  ]);
  expect(localCallerOf({ roles: ['admin'] }, environment)).toMatchObject({
    id: 'local',
    kind: 'local',
    roles: ['admin'],
  });
});
