/** Where the transport listens and whom it lets in, by options, by the environment, and by default. */
import { Feature, Tool, type Logger } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { bindingOf } from '../src/options/binding';
import { proxyTest } from '../src/options/proxies';
import { isLoopbackAddress, settingsOf } from '@sigil-mcp/http/adapter';
import { serve, type OpenServer } from '../../../test/behaviour/http/http-server';

@Feature()
class Empty {
  @Tool('Does nothing')
  nothing(): void {}
}

it('knows the connections of the proxies that are trusted', () => {
  const isProxy = proxyTest(['loopback', 'linklocal', 'uniquelocal', '192.0.2.7', '2001:db8::/32']);
  const proxies = ['127.0.0.9', '::1', '169.254.3.4', 'fe80::1', '10.1.2.3', '172.31.0.1', '192.168.0.1', 'fd00::7'];
  for (const address of [...proxies, '192.0.2.7', '2001:db8:1::1'])
    expect([address, isProxy(address)]).toEqual([address, true]);
  for (const address of ['192.0.2.8', '172.32.0.1', '2001:db9::1', '', 'elsewhere'])
    expect(isProxy(address)).toBe(false);
  expect(proxyTest(false)('127.0.0.1')).toBe(false);
});

describe('a binding', () => {
  it('is port 3000 of loopback, for local requests only, by default [HTTP-005, SEC-010]', () => {
    expect(bindingOf({}, {})).toEqual({
      port: 3000,
      host: '127.0.0.1',
      allowedHosts: undefined,
      allowedOrigins: [],
      trustProxy: false,
    });
    const blank = { PORT: '', HOST: '', ALLOWED_HOSTS: ' , ', ALLOWED_ORIGINS: '', TRUST_PROXY: '' };
    expect(bindingOf({}, blank)).toEqual(bindingOf({}, {}));
  });

  it('is read from the environment', () => {
    const environment = {
      PORT: '8080',
      HOST: '0.0.0.0',
      ALLOWED_HOSTS: 'mcp.example, mcp.example:8080 ,',
      ALLOWED_ORIGINS: 'https://a.example,https://b.example',
      TRUST_PROXY: '10.0.0.0/8, loopback',
    };
    expect(bindingOf({}, environment)).toEqual({
      port: 8080,
      host: '0.0.0.0',
      allowedHosts: ['mcp.example', 'mcp.example:8080'],
      allowedOrigins: ['https://a.example', 'https://b.example'],
      trustProxy: ['10.0.0.0/8', 'loopback'],
    });
  });

  it.each([
    '*',
    'true',
    '1',
    'proxy.example',
    '10.0.0.0/0',
    '10.0.0.0/33',
    '10.0.0.0/8/8',
    '::1/129',
    '10.0.0.0/255.0.0.0',
  ])('refuses %s for a proxy', (proxy) => {
    for (const make of [() => bindingOf({ trustProxy: [proxy] }, {}), () => bindingOf({}, { TRUST_PROXY: proxy })])
      expect(make).toThrow(`trustProxy (TRUST_PROXY) contains "${proxy}", which is neither an address nor a network.`);
  });

  it('from JavaScript, one address may be a mere text, and nothing else is a proxy', () => {
    const of = (trustProxy: unknown) => bindingOf({ trustProxy } as Parameters<typeof bindingOf>[0], {}).trustProxy;
    expect(of('10.0.0.0/8')).toEqual(['10.0.0.0/8']);
    for (const wrong of [true, 1, [true], {}])
      expect(() => of(wrong)).toThrow('which is neither an address nor a network.');
  });

  it('is what the options say, before the environment', () => {
    const options = {
      port: 0,
      host: '::1',
      allowedHosts: ['a'],
      allowedOrigins: ['https://a'],
      trustProxy: ['::1/128'],
    };
    expect(
      bindingOf(options, { PORT: '1', HOST: 'x', ALLOWED_HOSTS: 'x', ALLOWED_ORIGINS: 'x', TRUST_PROXY: 'x' }),
    ).toEqual(options);
  });

  it.each(['http', '3000x', '-1', '65536', '1.5', 'NaN', 'Infinity'])('has no port %s, and says so', (port) => {
    expect(() => bindingOf({}, { PORT: port })).toThrow(
      `PORT is "${port}", which is not a port number. Use a number from 0 to 65535.`,
    );
  });

  it('knows loopback addresses from others', () => {
    for (const address of ['127.0.0.1', '127.8.8.8', '::1', 'localhost', '::ffff:127.0.0.1'])
      expect(isLoopbackAddress(address)).toBe(true);
    for (const address of ['0.0.0.0', '::', '10.0.0.1', '128.0.0.1', '127.evil.example', '::ffff:10.0.0.1', ''])
      expect(isLoopbackAddress(address)).toBe(false);
  });
});

describe('the settings of an endpoint', () => {
  it('have the defaults that the documentation names', () => {
    expect(settingsOf({}, { messageBytes: 4_194_304, held: Infinity })).toMatchObject({
      path: '/mcp',
      sessions: { idleTime: 1_800_000 },
      stream: 'auto',
      sse: undefined,
      bodyLimit: 4_194_304,
      keepAliveInterval: 15_000,
      retryInterval: 1000,
      health: true,
    });
    expect(settingsOf({ sse: true }, { messageBytes: 1, held: Infinity }).sse).toEqual({
      path: '/sse',
      messagesPath: '/messages',
    });
    expect(settingsOf({ sse: { path: '/a' } }, { messageBytes: 1, held: Infinity }).sse).toEqual({
      path: '/a',
      messagesPath: '/messages',
    });
    expect(settingsOf({ sessions: { idleTime: 5 } }, { messageBytes: 1, held: Infinity }).sessions).toEqual({
      idleTime: 5,
    });
    expect(settingsOf({ sessions: false }, { messageBytes: 1, held: Infinity }).sessions).toBeUndefined();
  });
});

describe('a server in a container', () => {
  let open: OpenServer;
  const warnings: { fields: object; message: string }[] = [];
  const logger: Logger = {
    debug: () => undefined,
    info: () => undefined,
    error: () => undefined,
    warn: (fields, message) => void warnings.push({ fields, message }),
  };
  const start = async (environment: Record<string, string>): Promise<void> => {
    const before = { ...process.env };
    Object.assign(process.env, environment);
    // Without the loopback host that the tests say otherwise.
    open = await serve({ features: [Empty], logger }, { host: environment['HOST'] ?? '127.0.0.1' });
    process.env = before;
  };
  const get = (headers: string): Promise<string> =>
    open.raw(`GET /mcp HTTP/1.1\r\nAccept: text/event-stream\r\nConnection: close\r\n${headers}\r\n\r\n`);
  beforeEach(() => void (warnings.length = 0));
  afterEach(() => open.close());

  it('warns once where it is reachable and names no hosts; Origins are checked all the same [HTTP-003]', async () => {
    await start({ HOST: '0.0.0.0' });
    expect(warnings).toEqual([
      { fields: { host: '0.0.0.0' }, message: expect.stringContaining('allowedHosts (ALLOWED_HOSTS)') as string },
    ]);
    expect(await get('Host: anything.example')).toMatch(/^HTTP\/1\.1 400 /);
    // Where no Host is checked, a page under a rebound name must not pass for the server's own.
    expect(await get('Host: evil.example\r\nOrigin: http://evil.example')).toMatch(/^HTTP\/1\.1 403 /);
    expect(await get('X: y')).toMatch(/^HTTP\/1\.1 400 .*[\s\S]*"jsonrpc"/);
    expect(warnings).toHaveLength(1);
  });

  it('serves the hosts that are named, and no others, without a warning', async () => {
    await start({ HOST: '0.0.0.0', ALLOWED_HOSTS: 'mcp.example,api.example:8443' });
    expect(warnings).toEqual([]);
    for (const host of ['mcp.example', 'mcp.example:1234', 'MCP.example', 'api.example:8443'])
      expect(await get(`Host: ${host}`)).toMatch(/^HTTP\/1\.1 400 /);
    for (const host of ['api.example', 'api.example:1', 'localhost', '127.0.0.1', 'mcp.example.evil'])
      expect(await get(`Host: ${host}`)).toMatch(/^HTTP\/1\.1 421 /);
    expect(await get('Host: mcp.example\r\nOrigin: https://mcp.example')).toMatch(/^HTTP\/1\.1 400 /);
    expect((await fetch(open.url.replace('0.0.0.0', '127.0.0.1').replace('/mcp', '/healthz'))).status).toBe(200);
  });

  it('lets the origins in that are named', async () => {
    await start({ ALLOWED_ORIGINS: 'https://chat.example' });
    expect(await get('Host: localhost\r\nOrigin: https://chat.example')).toMatch(
      /^HTTP\/1\.1 400 [\s\S]*access-control-allow-origin: https:\/\/chat\.example/i,
    );
    expect(await get('Host: localhost\r\nOrigin: https://other.example')).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('takes signals unless it is told not to, and gives them back', async () => {
    await start({});
    const count = (): number => process.listenerCount('SIGTERM');
    const before = count();
    const transport = new HttpTransport({ port: 0, host: '127.0.0.1' });
    expect(count()).toBe(before);
    await open.server.listen(transport);
    expect(count()).toBe(before + 1);
    await open.close();
    expect(count()).toBe(before);
  });
});
