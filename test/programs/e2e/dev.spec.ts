/** `sigil dev` under clients that stay connected, while the sources change under them. */
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { appendFileSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { Client, StreamableHTTPClientTransport, type VersionNegotiationMode } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { freePort } from '../../support/free-port';
import { all } from '../../support/matrix';
import { until as untilWithin } from '../../support/until';
import { CLI, DevProject } from './dev-project';

const EDITS = all ? 20 : 3;
const TYPE_ERROR = Math.ceil(EDITS / 2);
const HANDSHAKE: VersionNegotiationMode = 'legacy';
const PER_REQUEST: VersionNegotiationMode = { pin: '2026-07-28' };

// Each edit is work for a compiler and a start of a server, and a busy machine takes seconds for each.
jest.setTimeout(300_000);

interface Connected {
  readonly client: Client;
  readonly heard: string[];
}

async function meet(
  transport: StdioClientTransport | StreamableHTTPClientTransport,
  mode: VersionNegotiationMode,
): Promise<Connected> {
  const client = new Client(
    { name: 'developer', version: '1' },
    { versionNegotiation: { mode }, capabilities: { elicitation: { form: {} } } },
  );
  const heard: string[] = [];
  client.setNotificationHandler('notifications/tools/list_changed', ({ method }) => void heard.push(method));
  client.setNotificationHandler('notifications/resources/updated', ({ method }) => void heard.push(method));
  client.setRequestHandler('elicitation/create', () => ({ action: 'accept', content: { name: 'Ada' } }));
  client.onclose = () => void heard.push('closed');
  await client.connect(transport);
  return { client, heard };
}

/** What a call came to: the version it met, or why it met none. */
async function call(client: Client, name = 'version'): Promise<string> {
  try {
    const [first] = (await client.callTool({ name })).content;
    return first?.type === 'text' ? first.text : JSON.stringify(first);
  } catch (error) {
    return String(error);
  }
}

/** Edits again and again while calls come without a pause; what all of them came to. */
async function editUnder(project: DevProject, clients: readonly Client[], stderr: () => string): Promise<string[]> {
  const outcomes: string[] = [];
  let isEditing = true;
  const calling = clients.map(async (client) => {
    while (isEditing) {
      outcomes.push(await call(client));
      await delay(15);
    }
  });
  for (let edit = 1; edit <= EDITS; edit += 1) {
    if (edit === TYPE_ERROR) {
      project.edit(edit, "export const broken: number = 'text';");
      await until(() => stderr().includes('does not compile'));
      expect(await call(clients[0]!)).toBe(`version ${edit - 1}`);
    } else {
      project.edit(edit);
      await until(async () => (await call(clients[0]!)) === `version ${edit}`);
    }
  }
  isEditing = false;
  await Promise.all(calling);
  return outcomes;
}

/** A busy machine takes its time to compile; what never comes ends all the same. */
const until = (holds: () => boolean | Promise<boolean>): Promise<void> => untilWithin(holds, 60_000);

function expectEveryAnswer(outcomes: readonly string[]): void {
  expect(outcomes.length).toBeGreaterThan(EDITS);
  const lost = outcomes.filter((outcome) => !/^version \d+$|The server was restarted .* Try again\.$/.test(outcome));
  expect(lost).toEqual([]);
}

/** Added to a server: a class with a tool that nobody can understand. */
const DEFINITION_ERROR = `
@Feature()
class Wrong {
  @Tool('')
  nothing(): void {}
}
createServer({ name: 'wrong', version: '1.0.0', features: [Wrong] });`;

/** Makes one mistake after another: the last good version answers every call, and stderr names the cause with its position. */
async function expectToSurviveMistakes(client: Client, stderr: () => string): Promise<void> {
  const mistakes: [extra: string, cause: RegExp][] = [
    [
      DEFINITION_ERROR,
      /src\/server\.ts:\d+:3 Wrong\.nothing: its description is "", .*\n *\d+ \| {3}nothing\(\): void \{\}\n +\| {3}\^{7}\n/,
    ],
    ["throw new Error('not today');", /src\/server\.ts:\d+:7 Error: not today\n *\d+ \| throw new Error/],
    ["const wrong: number = 'text';", /src\/server\.ts:\d+:7 Type 'string' is not assignable/],
    ['process.exit(3);', /The server ended with exit code 3/],
  ];
  for (const [index, [extra, cause]] of mistakes.entries()) {
    const before = stderr().length;
    const since = (): string => stderr().slice(before);
    project.edit(index + 1, extra);
    while (!cause.test(since()) || !/Version \d+ keeps serving\.\s*$/.test(since()))
      expect(await call(client)).toBe('version 0');
    expect(await call(client)).toBe('version 0');
    expect(since()).not.toMatch(/Node\.js v\d|leave --http out|node:internal/);
  }
  project.edit(9);
  await until(async () => (await call(client)) === 'version 9');
}

/** Added to a server: it ends by itself when a file is there, once. */
const ENDS_WHEN_TOLD = `
import { existsSync, rmSync } from 'node:fs';
setInterval(() => {
  if (!existsSync('end')) return;
  rmSync('end');
  process.exit(3);
}, 50);`;

let project: DevProject;
/** A project for each test. */
function renewProject(): void {
  beforeEach(() => void (project = new DevProject()));
  afterEach(() => project.remove());
}

/** Starts `sigil dev` in the project, as its client does. */
async function connectOverStdio(mode: VersionNegotiationMode, args: readonly string[] = []) {
  const transport = new StdioClientTransport({
    command: process.execPath,
    args: [CLI, 'dev', ...args],
    cwd: project.folder,
    stderr: 'pipe',
  });
  let stderr = '';
  transport.stderr?.on('data', (chunk) => (stderr += String(chunk)));
  return { ...(await meet(transport, mode)), transport, stderr: () => stderr };
}

/** Edits under a client, which still has the same connection to the same process then. */
async function expectToSurviveEdits({ client, heard, stderr, transport }: OverStdio): Promise<void> {
  const pid = transport.pid;
  expectEveryAnswer(await editUnder(project, [client], stderr));
  expect(transport.pid).toBe(pid);
  expect(heard).not.toContain('closed');
  expect(stderr()).toContain('src/server.ts');
  expect(stderr()).toContain("Type 'string' is not assignable to type 'number'");
  expect(await call(client, 'greet')).toBe(`Hello, Ada, from version ${EDITS}`);
}
type OverStdio = Awaited<ReturnType<typeof connectOverStdio>>;

describe('over stdio, under one client with a handshake', () => {
  let kept: OverStdio;
  beforeAll(async () => {
    project = new DevProject();
    kept = await connectOverStdio(HANDSHAKE, ['--drain', '0.3']);
  });
  afterAll(async () => {
    await kept.client.close();
    project.remove();
  });

  it('sources that nobody changes make one version, also where the packages lie in a folder above', async () => {
    const { client, stderr } = kept;
    expect(await call(client)).toBe('version 0');
    // eslint-disable-next-line house/fixed-sleep -- nothing to wait for: the compiler would look again within two seconds
    await delay(4000);
    expect(stderr()).not.toContain('version 2');
  });

  it('edits pass: every call is answered, and it never reconnects', async () => {
    await expectToSurviveEdits(kept);
    expect(kept.heard.length).toBeGreaterThanOrEqual(EDITS - 1);
  });

  it('a call that does not end in time is answered with an error that says why', async () => {
    const { client, stderr } = kept;
    const sleeping = call(client, 'sleep');
    await until(() => stderr().includes('asleep'));
    project.edit(1);
    expect(await sleeping).toContain('The server was restarted because its sources changed. Try again.');
    expect(await call(client)).toBe('version 1');
    expect(stderr()).toMatch(/ready in \d/);
  });

  it('subscriptions and the level of logs outlast a restart', async () => {
    const { client, heard } = kept;
    await client.subscribeResource({ uri: 'versions://now' });
    await client.setLoggingLevel('debug');
    project.edit(1, "setInterval(() => server.notifyResourceChanged('versions://now'), 200);");
    await until(() => heard.includes('notifications/resources/updated'));
  });

  it('a server that ends by itself is started again', async () => {
    const { client, stderr } = kept;
    project.edit(2, ENDS_WHEN_TOLD);
    await until(async () => (await call(client)) === 'version 2');
    // One that ends within two seconds is not started again; a busy machine may have started it twice.
    const starts = (): number | undefined => stderr().match(/ready in/g)?.length;
    for (let before; before !== starts();) {
      before = starts();
      await delay(2100);
    }
    writeFileSync(join(project.folder, 'end'), '');
    await until(() => stderr().includes('The server ended with exit code 3.'));
    await until(async () => (await call(client)) === 'version 2');
  });

  it('a definition error, a module that throws and a type error leave the last good server, and each has its own cause', async () => {
    const { client, heard, stderr } = kept;
    project.edit(0);
    await until(async () => (await call(client)) === 'version 0');
    await expectToSurviveMistakes(client, stderr);
    expect(heard).not.toContain('closed');
  });
});

describe('over stdio', () => {
  renewProject();

  it('edits pass under a client with each request by itself: every call is answered, and it never reconnects', async () => {
    const met = await connectOverStdio(PER_REQUEST);
    await expectToSurviveEdits(met);
    await met.client.close();
  });

  it('a client that finds no good server receives the cause, with its position', async () => {
    project.edit(1, DEFINITION_ERROR);
    await expect(connectOverStdio(HANDSHAKE)).rejects.toThrow(
      /The server does not start\. src\/server\.ts:\d+:3 Wrong\.nothing: its description is "", which says nothing\..*\[SIGIL_BLANK_WORDS\]/s,
    );
    project.edit(2, "const wrong: number = 'text';");
    await expect(connectOverStdio(HANDSHAKE)).rejects.toThrow(
      /The server does not compile\. src\/server\.ts:\d+:7 Type 'string' is not assignable to type 'number'\./,
    );
  });
});

describe('over HTTP', () => {
  let dev: ChildProcess;
  let port: number;
  let stderr = '';
  beforeAll(async () => {
    project = new DevProject();
    port = await freePort();
    dev = project.serve(port, ['--drain', '0.3']);
    dev.stderr?.on('data', (chunk) => (stderr += String(chunk)));
    await until(() => stderr.includes('ready'));
  });
  afterAll(() => {
    dev.kill('SIGKILL');
    project.remove();
  });
  const connect = (mode: VersionNegotiationMode) =>
    meet(new StreamableHTTPClientTransport(new URL(`http://127.0.0.1:${port}/mcp`)), mode);

  it('edits pass under a session and a client without one: every call is answered, and nobody reconnects', async () => {
    const [session, alone] = [await connect(HANDSHAKE), await connect(PER_REQUEST)];
    const { sessionId } = session.client.transport as StreamableHTTPClientTransport;
    expectEveryAnswer(await editUnder(project, [session.client, alone.client], () => stderr));
    expect((session.client.transport as StreamableHTTPClientTransport).sessionId).toBe(sessionId);
    for (const { heard } of [session, alone]) expect(heard).not.toContain('closed');
    expect(session.heard.length).toBeGreaterThanOrEqual(EDITS - 1);
    for (const { client } of [session, alone])
      expect(await call(client, 'greet')).toBe(`Hello, Ada, from version ${EDITS}`);
    await Promise.all([session.client.close(), alone.client.close()]);
  });

  it('a call that does not end in time is answered with an error, to each kind of client', async () => {
    const clients = [await connect(HANDSHAKE), await connect(PER_REQUEST)];
    const sleeping = clients.map(({ client }) => call(client, 'sleep'));
    await until(() => stderr.match(/asleep/g)?.length === clients.length);
    project.edit(1);
    for (const outcome of await Promise.all(sleeping))
      expect(outcome).toContain('The server was restarted because its sources changed. Try again.');
    for (const { client } of clients) {
      // On a busy machine, writing the project may itself look like a change, and end the calls before the edit does.
      await until(async () => (await call(client)) === 'version 1');
      await client.close();
    }
  });

  it('a definition error, a module that throws and a type error leave the last good server, and each has its own cause', async () => {
    const { client, heard } = await connect(HANDSHAKE);
    project.edit(0);
    await until(async () => (await call(client)) === 'version 0');
    await expectToSurviveMistakes(client, () => stderr);
    expect(heard).not.toContain('closed');
    await client.close();
  });

  it('a port that is taken is one sentence with the process that uses it, and a port that is free', async () => {
    const other = project.serve(port);
    let said = '';
    other.stderr?.on('data', (chunk) => (said += String(chunk)));
    const code = await new Promise((resolve) => other.on('exit', resolve));
    expect(code).toBe(1);
    const user = process.platform === 'linux' ? String.raw`\S+ \(process ${dev.pid}\)` : '.+';
    const [, free] =
      new RegExp(
        `^Port ${port} cannot be used: ${user} uses it\\. \\[SIGIL_DEV_PORT\\]\nChoose another one, such as --port (\\d+)\\.\nhttps://\\S+\n$`,
      ).exec(said) ?? [];
    expect([said, Number(free) > port]).toEqual([said, true]);
  });

  // The last one: it ends the program of the others.
  it('Ctrl-C ends it also when the compiler has just seen a change', async () => {
    const ended = once(dev, 'exit');
    project.edit(1);
    // eslint-disable-next-line house/fixed-sleep -- no state to wait for: wherever the compiler has come to by then, it ends all the same
    await delay(100);
    dev.kill('SIGINT');
    expect(await ended).toEqual([130, null]);
  });
});

describe('the address of a server over HTTP', () => {
  renewProject();
  const TELLING = `
    require('node:fs').writeFileSync('told', process.env.RESOURCE + ' ' + process.env.PORT);
    require('node:http').createServer().listen(process.env.PORT);
  `;

  it.each([[undefined], ['https://mcp.example.com/mcp']])(
    'is told to it as clients know it, unless somebody says what it is (%s)',
    async (said) => {
      const port = await freePort();
      writeFileSync(join(project.folder, 'telling.js'), TELLING);
      const { RESOURCE: _, ...env } = process.env;
      const dev = spawn(process.execPath, [CLI, 'dev', '--http', 'telling.js'], {
        cwd: project.folder,
        env: { ...env, PORT: String(port), ...(said !== undefined && { RESOURCE: said }) },
      });
      let stderr = '';
      dev.stderr.on('data', (chunk) => (stderr += String(chunk)));
      await until(() => stderr.includes('ready'));
      const [resource, own] = readFileSync(join(project.folder, 'told'), 'utf8').split(' ');
      expect(resource).toBe(said ?? `http://127.0.0.1:${port}/mcp`);
      expect(own).not.toBe(String(port));
      dev.kill('SIGINT');
      await once(dev, 'exit');
    },
  );

  it('a server over HTTP has one address, whoever asks it for that', async () => {
    const port = await freePort();
    const ASKED = `
      require('reflect-metadata');
      const { createServer } = require('@sigil-mcp/core');
      const { HttpTransport } = require('@sigil-mcp/fastify');
      const transport = new HttpTransport();
      createServer({ name: 'x', version: '1.0.0' }).listen(transport).then(() => console.error('It is at ' + transport.url));
    `;
    writeFileSync(join(project.folder, 'asked.js'), ASKED);
    const dev = project.serve(port, ['asked.js']);
    let stderr = '';
    dev.stderr?.on('data', (chunk) => (stderr += String(chunk)));
    await until(() => stderr.includes('ready') && stderr.includes('It is at'));
    dev.kill('SIGINT');
    await once(dev, 'exit');
    const address = `http://127.0.0.1:${port}/mcp`;
    const page = expect.stringMatching(new RegExp(`^http://127.0.0.1:${port}/__sigil/#[\\w-]{32}$`));
    expect(stderr.match(/http:[^\s"]+/g)).toEqual([page, address, address]);
  });
});

describe('the end', () => {
  renewProject();
  const PLAIN = `
    require('node:fs').writeFileSync('pid', String(process.pid));
    if (process.argv.includes('--http')) require('node:http').createServer().listen(process.env.PORT);
    else process.stdin.on('data', () => process.stdout.write('{"jsonrpc":"2.0","id":"sigil-dev:ping:","result":{}}\\n'));
  `;
  const start = async (args: readonly string[]) => {
    writeFileSync(join(project.folder, 'plain.js'), PLAIN);
    const dev = spawn(process.execPath, [CLI, 'dev', ...args, 'plain.js'], { cwd: project.folder });
    let stderr = '';
    dev.stderr.on('data', (chunk) => (stderr += String(chunk)));
    await until(() => stderr.includes('ready'));
    const pid = (): number => Number(readFileSync(join(project.folder, 'pid'), 'utf8'));
    const serverPid = pid();
    /** Resolves in the middle of an exchange: one server has gone, and the next is on its way. */
    const change = async (): Promise<void> => {
      appendFileSync(join(project.folder, 'plain.js'), '\n');
      await until(() => !isRunning(serverPid));
    };
    return { dev, change, pid, serverPid, ended: once(dev, 'exit') };
  };
  const isRunning = (pid: number): boolean => {
    try {
      return process.kill(pid, 0);
    } catch {
      return false;
    }
  };

  it('comes when the client hangs up, and when somebody presses Ctrl-C, also in the middle of an exchange', async () => {
    const hungUp = await start([]);
    await hungUp.change();
    hungUp.dev.stdin.end();
    expect(await hungUp.ended).toEqual([0, null]);
    const interrupted = await start(['--http', '--port', String(await freePort())]);
    await interrupted.change();
    interrupted.dev.kill('SIGINT');
    expect(await interrupted.ended).toEqual([130, null]);
    // The next server may have been started, or not.
    for (const { pid } of [hungUp, interrupted]) expect(isRunning(pid())).toBe(false);
  });

  it('of a server comes also when whoever holds its port is killed', async () => {
    const { dev, serverPid } = await start(['--http', '--port', String(await freePort())]);
    dev.kill('SIGKILL');
    await until(() => !isRunning(serverPid));
  });
});
