/** `npm start`: the payments over HTTP, for two users of this machine, with commands to try. */
import '@sigil-mcp/core/stdio/guard';
import { Caller } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { server } from './server';

/** Their tokens are their names: enough to try the server, and nothing for production. */
const USERS = new Map([
  ['ada', new Caller({ id: 'ada' })],
  ['grace', new Caller({ id: 'grace', roles: ['approver'] })],
]);

start().catch((error: unknown) => {
  process.stderr.write(`${error instanceof Error ? error.message : String(error)}\n`);
  process.exit(1);
});

async function start(): Promise<void> {
  const transport = new HttpTransport({ auth: { verify: (token) => USERS.get(token) } });
  await server.listen(transport);
  const url = transport.url ?? '';
  process.stderr.write(`
The payments are at ${url}. Press Ctrl+C to stop the server.
Ada may ask for payments, and Grace is an approver. In another terminal:

  SIGIL_TOKEN=ada npx sigil call ${url} requestPayment to=Printer amount=250 purpose=Posters
  SIGIL_TOKEN=ada npx sigil call ${url} decide id=1
  SIGIL_TOKEN=grace npx sigil call ${url} decide id=1

`);
}
