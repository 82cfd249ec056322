/** A script reaches nothing but its tools, whatever it tries, and harms nobody. */
import type { Server } from '@sigil-mcp/core';
import { connect, type TestClient } from '@sigil-mcp/testing';
import { codeErp, run } from './code-erp';
import { ESCAPES } from './escapes';

const MEMORY = 16 * 1024 * 1024;
const servers: Server[] = [];
/** For scripts that compute without an end, and for all others, which may take their time on a busy machine. */
let hasty: TestClient;
let client: TestClient;

beforeAll(async () => {
  const connected = [{ memory: MEMORY, cpu: 500 }, { memory: MEMORY }].map(async (limits) => {
    const { server } = codeErp({ limits });
    servers.push(server);
    return connect(server);
  });
  [hasty, client] = (await Promise.all(connected)) as [TestClient, TestClient];
  await run(client, 'return 1');
});
afterAll(() => Promise.all(servers.map((server) => server.close())));

it('has more than forty tries', () => expect(ESCAPES.length).toBeGreaterThan(40));

it.each(ESCAPES)('contains: $title', async ({ code, answer }) => {
  const { text, console } = await run(answer.source.includes('limits\\.cpu') ? hasty : client, code);
  expect(text).toMatch(answer);
  expect(text.length + console.length).toBeLessThan(150_000);
  expect(({} as { polluted?: boolean }).polluted).toBeUndefined();
});

it('works as before after all of them', async () => {
  expect((await run(client, "return (await tools.sendInvoice({ customer: '1', amount: 2 })).amount")).text).toBe('2');
});
