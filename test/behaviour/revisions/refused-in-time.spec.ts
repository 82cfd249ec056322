/** How long a refusal takes tells nobody whether there is something to refuse: the same is made for it, errors with their stacks above all. */
import { MemoryTransport, Roles, createServer, tool } from '@sigil-mcp/core';
import { ProtocolError } from '@sigil-mcp/protocol';

const answer = (): string => 'ok';
const description = 'Answers';

let made = 0;
class CountedError extends Error {
  constructor(message?: string) {
    super(message);
    made += 1;
  }
}
// All errors that clients are told of descend from this one.
beforeAll(() => void Object.setPrototypeOf(ProtocolError, CountedError));
afterAll(() => void Object.setPrototypeOf(ProtocolError, Error));

it('a call of what roles hide makes no more errors than one of what is not there, whatever scopes it wants besides', async () => {
  const guards = [Roles('admin')];
  const server = createServer({
    name: 'refusing',
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
  const errorsOf = (name: string): number => {
    made = 0;
    pipe.send(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name } }));
    expect(said).toContain(`Unknown tool: ${name}`);
    return made;
  };
  expect(['nothing', 'ofRole', 'ofRoleAndScopes'].map(errorsOf)).toEqual([1, 1, 1]);
  await server.close();
});
