/** A script reaches nothing but its tools, whatever it tries, and harms nobody. */
import type { Server } from '@sigil-mcp/core';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { codeErp, run } from './code-erp';
import { ESCAPES } from './escapes';

let server: Server;
let client: TestClient;

beforeAll(async () => {
  ({ server } = codeErp({ limits: { cpu: 500, check: 5000, memory: 16 * 1024 * 1024 } }));
  client = await connect(server);
  await run(client, 'return 1');
});
afterAll(() => server.close());

it('has more than forty tries', () => expect(ESCAPES.length).toBeGreaterThan(40));

it.each(ESCAPES)('contains: $title', async ({ code, answer }) => {
  const { text, console } = await run(client, code);
  expect(text).toMatch(answer);
  expect(text.length + console.length).toBeLessThan(150_000);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

it('works as before after all of them', async () => {
  expect((await run(client, "return (await tools.sendInvoice({ customer: '1', amount: 2 })).amount")).text).toBe('2');
});
