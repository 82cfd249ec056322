/** How long a refusal takes tells nobody whether there is something to refuse. */
import { MemoryTransport, Roles, createServer, tool } from '@sigil-mcp/core';

const answer = (): string => 'ok';
const description = 'Answers';

/** The microseconds that each call took, in rounds: a machine that is busy with something else is so for all. */
async function timesOf(names: readonly string[]): Promise<Map<string, number[]>> {
  const guards = [Roles('admin')];
  const server = createServer({
    name: 'timed',
    version: '1.0.0',
    logger: false,
    features: [
      tool('ofRole', { description, guards }, answer),
      tool('ofRoleAndScopes', { description, guards, scopes: ['a', 'b'] }, answer),
    ],
  });
  const transport = new MemoryTransport();
  await server.listen(transport);
  let said = '';
  const pipe = transport.connect((text) => (said = text));
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'test', version: '1' } };
  pipe.send(JSON.stringify({ jsonrpc: '2.0', id: 0, method: 'initialize', params }));
  const times = new Map(names.map((name): [string, number[]] => [name, []]));
  for (let round = 0; round < 4000; round++)
    for (const [name, took] of times) {
      const call = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } });
      const began = performance.now();
      pipe.send(call);
      took.push(performance.now() - began);
      expect(said).toContain(`Unknown tool: ${name}`);
    }
  await server.close();
  return times;
}

/** What it takes where nothing comes in between. */
const usual = (times: readonly number[] = []): number =>
  [...times].slice(1000).sort((one, other) => one - other)[300] ?? NaN;

it('a call of what roles hide costs hardly more than one of what is not there, whatever scopes it wants besides', async () => {
  const times = await timesOf(['nothing', 'ofRole', 'ofRoleAndScopes']);
  const [nothing, ofRole, ofRoleAndScopes] = [...times.values()].map(usual);
  expect(ofRole).toBeLessThan((nothing ?? 0) * 1.5);
  expect(ofRoleAndScopes).toBeLessThan((nothing ?? 0) * 1.5);
});
