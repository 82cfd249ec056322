/** `localhost` is 127.0.0.1 and ::1: a server that listens there is one server at both of them, to its end. */
import { connect, createServer, type Socket } from 'node:net';
import { networkInterfaces } from 'node:os';
import { Feature, Tool } from '@sigil-mcp/core';
import { request, serve, type OpenServer } from '../../../test/behaviour/http/http-server';
import { bytesOf, readAnswer, until } from '../../../test/behaviour/http/raw-request';

const NEWEST = '2026-07-28';
const META = {
  'io.modelcontextprotocol/protocolVersion': NEWEST,
  'io.modelcontextprotocol/clientCapabilities': {},
};
/** A machine may have no IPv6. */
const OWN = Object.values(networkInterfaces()).flatMap((all) => all?.map(({ address }) => address) ?? []);
const ADDRESSES = ['127.0.0.1', '::1'].filter((address) => OWN.includes(address));

@Feature()
class Work {
  static running = 0;
  static letGo: (() => void)[] = [];

  @Tool('Waits until the test lets go')
  async wait(): Promise<string> {
    Work.running++;
    await new Promise<void>((resolve) => Work.letGo.push(resolve));
    return 'done';
  }
}

let open: OpenServer;
const warnings: object[] = [];
const silent = (): void => undefined;
const logger = { debug: silent, info: silent, error: silent, warn: (fields: object) => void warnings.push(fields) };
const start = async (port = 0): Promise<void> => {
  Work.running = 0;
  warnings.length = 0;
  open = await serve({ features: [Work], shutdownDeadline: 5000, logger }, { host: 'localhost', port });
};
afterEach(async () => {
  for (const resolve of Work.letGo.splice(0)) resolve();
  await open.close();
});

const dial = (host: string): Promise<Socket> =>
  new Promise((resolve, reject) => {
    const socket = connect(open.port, host, () => resolve(socket));
    socket.on('error', reject);
  });
const isListening = (host: string): Promise<boolean> =>
  dial(host).then(
    (socket) => (socket.destroy(), true),
    () => false,
  );
const answerOf = (socket: Socket): Promise<string> =>
  new Promise((resolve) => socket.once('data', (data) => resolve(String(data))));
const closed = (socket: Socket): Promise<void> => new Promise((resolve) => socket.once('close', () => resolve()));
const callOf = (name: string): Buffer =>
  bytesOf(open.port, {
    headers: { 'MCP-Protocol-Version': NEWEST, 'Mcp-Method': 'tools/call', 'Mcp-Name': name, Connection: 'keep-alive' },
    body: request(1, 'tools/call', { name, arguments: {}, _meta: META }),
  });

describe('a server on localhost', () => {
  it('answers at both addresses', async () => {
    await start();
    for (const host of ADDRESSES) {
      const socket = await dial(host);
      const answer = answerOf(socket);
      socket.write('GET /readyz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
      socket.destroy();
    }
    expect(warnings).toEqual([]);
  });

  it.each([...ADDRESSES])(
    'takes no connection at either of them from its end on, while a call runs at %s',
    async (host) => {
      await start();
      const socket = await dial(host);
      const answer = answerOf(socket);
      socket.write(callOf('wait'));
      await until(() => Work.running === 1);
      const closing = open.close();
      await until(async () => !(await isListening('127.0.0.1')));
      expect(await Promise.all(ADDRESSES.map(isListening))).toEqual(ADDRESSES.map(() => false));
      for (const resolve of Work.letGo.splice(0)) resolve();
      const { status, headers } = readAnswer(await answer);
      expect([status, headers.get('connection')]).toEqual([200, 'close']);
      await closing;
      expect(await Promise.all(ADDRESSES.map(isListening))).toEqual(ADDRESSES.map(() => false));
    },
  );

  it.each([...ADDRESSES])('waits for a request whose body is on its way at %s', async (host) => {
    await start();
    const socket = await dial(host);
    let heads = 0;
    open.http.on('request', () => heads++);
    const answer = answerOf(socket);
    const whole = callOf('wait');
    socket.write(whole.subarray(0, -10));
    await until(() => heads === 1);
    const closing = open.close();
    await until(async () => !(await isListening(host)));
    socket.write(whole.subarray(-10));
    await until(() => Work.running === 1);
    for (const resolve of Work.letGo.splice(0)) resolve();
    expect(await answer).toMatch(/^HTTP\/1\.1 200 /);
    await closing;
  });

  it('closes connections that are kept alive at both of them', async () => {
    await start();
    const sockets = await Promise.all(ADDRESSES.map(dial));
    const ended = Promise.all(sockets.map(closed));
    for (const socket of sockets) {
      const answer = answerOf(socket);
      socket.write('GET /healthz HTTP/1.1\r\nHost: localhost\r\n\r\n');
      await answer;
    }
    await open.close();
    await ended;
  });

  for (const address of ADDRESSES.slice(1))
    it(`listens where it can, and warns where another program has the port at ${address}`, async () => {
      const other = createServer();
      await new Promise<void>((resolve) => other.listen({ host: address, port: 0 }, resolve));
      const { port } = other.address() as { port: number };
      await start(port);
      expect(warnings).toEqual([{ address, port }]);
      expect(await isListening('127.0.0.1')).toBe(true);
      await new Promise((resolve) => other.close(resolve));
    });
});
