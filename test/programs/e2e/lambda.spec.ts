/** The weather server as a function: made one file by `sigil build`, called as AWS Lambda calls it. What `docs/how-to/serverless.md` shows. */
import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { builtApp } from './built-app';
import { sigil } from './terminal';

jest.setTimeout(120_000);

const HOST = 'abc123.lambda-url.eu-north-1.on.aws';
const REVISION = '2026-07-28';
const HEADERS = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' };
const clientInfo = { name: 'test', version: '1' };
// Far from any node_modules.
const folder = mkdtempSync(join(tmpdir(), 'sigil-lambda-'));
const bundle = join(folder, 'main.cjs');

beforeAll(async () => {
  const entry = join(dirname(builtApp('weather')), 'lambda.js');
  const { status, stderr } = await sigil(['build', entry, '--out', bundle]);
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
});
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Answer {
  readonly statusCode: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

type Requests = readonly { readonly headers?: object; readonly message: object }[];

/** Calls the handler of the bundle in a process of its own, one request after the other. */
const invoke = (...requests: Requests): Answer[] => invokeIn(bundle, ...requests);

/** Calls the handler of another bundle. */
function invokeIn(file: string, ...requests: Requests): Answer[] {
  const events = requests.map(({ headers, message }) => ({
    rawPath: '/mcp',
    headers: { host: HOST, ...HEADERS, ...headers },
    body: Buffer.from(JSON.stringify({ jsonrpc: '2.0', id: 1, ...message })).toString('base64'),
    isBase64Encoded: true,
    requestContext: { http: { method: 'POST', sourceIp: '203.0.113.7' } },
  }));
  const program = `const { handler } = require(${JSON.stringify(file)});
    (async () => {
      const answers = [];
      for (const event of ${JSON.stringify(events)}) answers.push(await handler(event));
      process.stdout.write(JSON.stringify(answers), () => process.exit());
    })();`;
  const printed = execFileSync(process.execPath, ['-e', program], {
    encoding: 'utf8',
    env: { ...process.env, ALLOWED_HOSTS: HOST },
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  const answers = JSON.parse(printed) as (Answer & { body: string })[];
  return answers.map(({ body, ...answer }) => ({ ...answer, text: body }));
}

it('answers a call of 2026-07-28 by itself', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const [answer] = invoke({
    headers: { 'mcp-protocol-version': REVISION, 'mcp-method': 'tools/call', 'mcp-name': 'bestTimeToVisit' },
    message: { method: 'tools/call', params: { name: 'bestTimeToVisit', arguments: { city: 'Oslo' }, _meta } },
  });
  expect(answer).toMatchObject({
    statusCode: 200,
    headers: { 'content-type': expect.stringContaining('application/json') },
  });
  expect(JSON.parse(answer!.text)).toMatchObject({ id: 1, result: { structuredContent: { city: 'Oslo' } } });
});

it('answers clients that shake hands, request by request and without a session', () => {
  const revision = '2025-11-25';
  const headers = { 'mcp-protocol-version': revision };
  const [opened, called] = invoke(
    { message: { method: 'initialize', params: { protocolVersion: revision, capabilities: {}, clientInfo } } },
    { headers, message: { method: 'tools/call', params: { name: 'forecast', arguments: { city: 'Olso' } } } },
  );
  expect(opened).toMatchObject({
    statusCode: 200,
    headers: expect.not.objectContaining({ 'mcp-session-id': expect.anything() }),
  });
  expect(called?.text).toContain('Did you mean Oslo?');
});

it('says that nobody hears of changes, and ends a stream that would wait for them at once', () => {
  const _meta = {
    'io.modelcontextprotocol/protocolVersion': REVISION,
    'io.modelcontextprotocol/clientInfo': clientInfo,
    'io.modelcontextprotocol/clientCapabilities': {},
  };
  const headersOf = (method: string): object => ({ 'mcp-protocol-version': REVISION, 'mcp-method': method });
  const notifications = { toolsListChanged: true, resourceSubscriptions: ['weather://oslo'] };
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo };
  const [listened, discovered, opened] = invoke(
    {
      headers: headersOf('subscriptions/listen'),
      message: { method: 'subscriptions/listen', params: { notifications, _meta } },
    },
    { headers: headersOf('server/discover'), message: { method: 'server/discover', params: { _meta } } },
    { message: { method: 'initialize', params } },
  );
  expect(listened?.statusCode).toBe(200);
  const events = listened?.text.match(/(?<=^data: ).+$/gm)?.map((data) => JSON.parse(data) as object);
  expect(events).toMatchObject([
    { method: 'notifications/subscriptions/acknowledged', params: { notifications: {} } },
    { id: 1, result: {} },
  ]);
  for (const answer of [discovered, opened]) {
    expect(answer?.text).toContain('"tools":{}');
    expect(answer?.text).not.toMatch(/listChanged|"subscribe"/);
  }
});

it('refuses as it does behind a socket, and by the host that it was told', () => {
  const message = { method: 'tools/list', params: {} };
  const [unfit, elsewhere] = invoke(
    { headers: { accept: 'text/html' }, message },
    { headers: { host: 'elsewhere.example' }, message },
  );
  expect(unfit).toMatchObject({ statusCode: 406, text: expect.stringContaining('"jsonrpc":"2.0"') });
  expect(elsewhere).toMatchObject({ statusCode: 421 });
});

describe('sigil build --target lambda --code-cache', () => {
  const out = join(folder, 'cached', 'main.cjs');
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} });
  const event = {
    rawPath: '/mcp',
    headers: { ...HEADERS, host: HOST, 'mcp-protocol-version': '2025-11-25' },
    body,
    requestContext: { http: { method: 'POST' } },
  };
  /** What a program prints that has loaded the file: whether it took the stored code, and its answer. */
  const run = (): { rejected: boolean | undefined; text: string } => {
    const program = `const vm = require('node:vm'), { Script } = vm; let rejected;
      vm.Script = class extends Script { constructor(...all) { super(...all); rejected = this.cachedDataRejected; } };
      require(${JSON.stringify(out)}).handler(${JSON.stringify(event)}).then(({ body: text }) => {
        process.stdout.write(JSON.stringify({ rejected, text }), () => process.exit());
      });`;
    const env = { ...process.env, ALLOWED_HOSTS: HOST };
    const printed = execFileSync(process.execPath, ['-e', program], {
      encoding: 'utf8',
      env,
      stdio: ['ignore', 'pipe', 'ignore'],
    });
    return JSON.parse(printed) as ReturnType<typeof run>;
  };

  it('starts with the stored code, and without it where it does not fit', async () => {
    const entry = join(dirname(builtApp('weather')), 'lambda.js');
    const built = await sigil(['build', entry, '--target', 'lambda', '--code-cache', '--out', out]);
    expect(built).toMatchObject({ status: 0, stderr: '' });
    expect(run()).toEqual({ rejected: false, text: expect.stringContaining('bestTimeToVisit') });
    writeFileSync(join(folder, 'cached', 'main.code.cjs.cache'), 'of another version');
    expect(run()).toEqual({ text: expect.stringContaining('bestTimeToVisit') });
    rmSync(join(folder, 'cached', 'main.code.cjs.cache'));
    expect(run()).toEqual({ text: expect.stringContaining('bestTimeToVisit') });
  });

  it('says what the program printed that does not start', async () => {
    const broken = join(folder, 'broken.cjs');
    writeFileSync(broken, "throw new Error('no token is set');");
    const failed = await sigil(['build', broken, '--target', 'lambda', '--code-cache', '--out', join(folder, 'b.cjs')]);
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('no token is set') });
  });
});

describe('sigil build --registry-data', () => {
  const entry = join(dirname(builtApp('weather')), 'lambda.js');
  const headers = { 'mcp-protocol-version': '2025-11-25' };
  const listing = { headers, message: { method: 'tools/list', params: {} } };
  const forecastOf = (args: object): Requests[number] => ({
    headers,
    message: { method: 'tools/call', params: { name: 'forecast', arguments: args } },
  });

  it('lists and calls as before, and starts no server while it is built', async () => {
    const out = join(folder, 'stored', 'main.cjs');
    const built = await sigil(['build', entry, '--target', 'lambda', '--registry-data', '--out', out]);
    expect(built).toMatchObject({ status: 0, stderr: '' });
    expect(readdirSync(dirname(out)).sort()).toEqual(['main.cjs', 'main.cjs.map']);
    expect(readFileSync(out, 'utf8')).toContain('input WeatherFeature.forecast');
    const calls = [listing, ...[{ city: 'Oslo' }, { city: 'O' }].map(forecastOf)];
    const answers = invokeIn(out, ...calls);
    expect(answers.map(({ text }) => text)).toEqual([
      expect.stringContaining('"minLength":2'),
      expect.stringContaining('Oslo'),
      expect.stringContaining('city'),
    ]);
    const untimed = ({ text }: Answer): string => text.replace(/"milliseconds":[\d.]+/, '');
    expect(answers.map(untimed)).toEqual(invoke(...calls).map(untimed));
  });

  it('says what a program printed that cannot be loaded, and leaves the bundle without data', async () => {
    const broken = join(folder, 'unfit.cjs');
    writeFileSync(broken, "if (!process.env.TOKEN) throw new Error('no token is set'); console.log('runs');");
    const out = join(folder, 'unfit', 'main.cjs');
    const failed = await sigil(['build', broken, '--registry-data', '--out', out]);
    expect(failed).toMatchObject({ status: 1, stderr: expect.stringContaining('no token is set') });
    expect(failed.stderr).toContain('SIGIL_BUILD_REGISTRY_DATA');
    expect(execFileSync(process.execPath, [out], { env: { ...process.env, TOKEN: 'a' }, encoding: 'utf8' })).toBe(
      'runs\n',
    );
  });
});
