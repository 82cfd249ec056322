/** `sigil doctor` of a running server: what clients make it hold, by its own account. */
import { createServer as createNodeServer, type Server as NodeServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createServer, Feature, Tool, type Server } from '@sigil-mcp/core';
import { HttpTransport, type HttpTransportOptions } from '@sigil-mcp/fastify';
import { runCaptured } from '../../../test/support/captured-cli';

@Feature()
class Clock {
  @Tool('Tells the time')
  time(): string {
    return 'noon';
  }
}

const open: { close(): unknown }[] = [];
afterEach(async () => {
  await Promise.all(open.splice(0).map((each) => each.close()));
});

async function serve(options: HttpTransportOptions): Promise<string> {
  const server: Server = createServer({ name: 'clock', version: '1.0.0', features: [Clock], logger: false });
  const transport = new HttpTransport({ port: 0, ...options });
  await server.listen(transport);
  open.push(server);
  return String(transport.url);
}

/** A server whose `/healthz` says something. */
async function saying(document: unknown): Promise<string> {
  const server: NodeServer = createNodeServer((_request, response) => void response.end(JSON.stringify(document)));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  open.push(server);
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
}

it('shows what is held, by kind, and the heap', async () => {
  const { status, stdout } = await runCaptured('doctor', await serve({ health: { memory: true } }));
  expect(stdout).toMatch(/^calls +0 KiB$/m);
  expect(stdout).toMatch(/^events +\d+ KiB$/m);
  expect(stdout).toMatch(/^held in all +\d+ KiB of 192 MiB$/m);
  expect(stdout).toMatch(/^heap in use +[\d.]+ MiB of [\d.]+ MiB$/m);
  expect([status, stdout]).toEqual([0, expect.stringContaining('No problems found.')]);
});

it('is data for programs', async () => {
  const { status, stdout } = await runCaptured('doctor', await serve({ health: { memory: true } }), '--json');
  expect([status, JSON.parse(stdout)]).toEqual([
    0,
    { ok: true, memory: expect.objectContaining({ clients: 0, held: { bytes: 0, limit: 201_326_592 } }) as object },
  ]);
});

it.each([[{}], [{ health: true }], [{ health: false }]])('says how a server tells it: %j', async (options) => {
  const { status, stderr } = await runCaptured('doctor', await serve(options));
  expect([status, stderr]).toEqual([1, expect.stringContaining('health: { memory: true }')]);
});

it('says that nobody answers', async () => {
  const url = await saying({});
  await Promise.all(open.splice(0).map((each) => each.close()));
  const { status, stderr } = await runCaptured('doctor', url);
  expect([status, stderr]).toEqual([1, expect.stringContaining(`${url}healthz does not answer: `)]);
});

const MIB = 1024 * 1024;
const memory = (bytes: number, needed: number | null, heap: number) => ({
  held: { bytes: bytes * MIB, limit: 100 * MIB },
  kinds: { calls: bytes * MIB, 'odd\u001b[31m': 0 },
  clients: 3,
  heap: { used: MIB, limit: heap * MIB, needed: needed === null ? null : needed * MIB },
});

it.each([
  ['a sum that is nearly full', memory(91, 200, 512), 'Clients make the server hold 91 MiB of 100 MiB (limits.held)'],
  [
    'limits beyond the heap',
    memory(1, 600, 512),
    'Its limits may need 600 MiB of heap, and its process may have 512 MiB.',
  ],
])('finds %s', async (_what, said, finding) => {
  const { status, stdout } = await runCaptured('doctor', await saying({ status: 'ok', memory: said }));
  expect([status, stdout]).toEqual([1, expect.stringContaining(finding)]);
  expect(stdout).not.toContain('\u001b');
});

it.each([
  ['much, and not too much', memory(89, 200, 512)],
  ['no limit', memory(1, null, 512)],
])('finds nothing in %s', async (_what, said) => {
  expect(await runCaptured('doctor', await saying({ memory: said }))).toMatchObject({ status: 0 });
});

it.each([[{ memory: {} }], [{ memory: { held: {}, kinds: {}, clients: 1 } }], ['text'], [null]])(
  'believes no other document: %j',
  async (said) => {
    expect(await runCaptured('doctor', await saying(said))).toMatchObject({ status: 1 });
  },
);
