/** `sigil` at a server that asks who comes: with a token, or with the browser of whoever sits at the terminal. */
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Caller, Denial, Feature, Tool, createServer, type Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { freePort } from '../../support/free-port';
import { AuthorizationServer, type AuthorizationServerOptions } from './authorization-server';
import { builtApp } from './built-app';
import { describeWithTerminal, sigil, Terminal } from './terminal';
import { until } from '../../support/until';

jest.setTimeout(150_000);

@Feature()
class Notes {
  @Tool('Says who calls')
  who({ id, clientId, scopes }: Caller): string {
    return `${id} by ${clientId} for ${scopes.join(' ')}`;
  }
}

const ENTER = '\r';
const DOWN = '\u001b[B';

let issuer: AuthorizationServer;
let server: Server;
let url: string;

async function start(options: AuthorizationServerOptions = {}): Promise<void> {
  issuer = await AuthorizationServer.start(options);
  server = createServer({ name: 'notes', version: '1.0.0', features: [Notes], logger: false });
  const port = await freePort();
  const transport = new HttpTransport({
    port,
    handleSignals: false,
    auth: {
      resource: `http://127.0.0.1:${port}/mcp`,
      authorizationServers: [issuer.issuer],
      scopes: ['notes:read'],
      verify: (token) => {
        if (token === 'known') return new Caller({ id: 'ada', clientId: 'script' });
        const grant = issuer.granted.get(token);
        if (!grant) throw new Denial('This token is not known here.', { status: 401 });
        return new Caller({ id: 'ada', ...grant });
      },
    },
  });
  await server.listen(transport);
  url = transport.url ?? '';
}
afterEach(async () => {
  await server.close();
  issuer.close();
});

describe('with a token', () => {
  it.each([
    ['--token', ['--token', 'known'], {}],
    ['SIGIL_TOKEN', [], { SIGIL_TOKEN: 'known' }],
    ['--header', ['--header', 'Authorization: Bearer known'], { SIGIL_TOKEN: 'another' }],
  ])('of %s it comes in', async (_what, words, env) => {
    await start();
    expect(await sigil(['call', url, 'who', ...words], { env })).toMatchObject({
      status: 0,
      stdout: 'ada by script for \n',
    });
    expect((await sigil(['inspect', url, ...words], { env })).stdout).toContain('who');
  });

  it('that is not good it is told so, and nobody is asked to sign in', async () => {
    await start();
    const { status, stderr } = await sigil(['call', url, 'who', '--token', 'unknown']);
    expect(status).toBe(4);
    expect(stderr).toContain('This token is not known here. [SIGIL_CLI_WHO_ARE_YOU]');
    expect(stderr).not.toContain('unknown"');
  });

  it.each([
    ['--token', ['--token', ''], {}],
    ['--token', ['--token', 'Bearer known'], {}],
    ['SIGIL_TOKEN', [], { SIGIL_TOKEN: 'gelb und grün' }],
  ])('of %s that is none (%j) it says so, and sends nothing', async (_what, words, env) => {
    await start();
    const { status, stderr } = await sigil(['call', url, 'who', ...words], { env });
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('[SIGIL_CLI_TOKEN_NONE]') });
    expect(stderr).not.toMatch(/known|gelb/);
  });

  it('a program takes none', async () => {
    await start();
    const { status, stderr } = await sigil(['call', builtApp('weather'), 'forecast', '--token', 'known']);
    expect({ status, stderr }).toEqual({ status: 2, stderr: expect.stringContaining('[SIGIL_CLI_TOKEN_UNUSED]') });
  });
});

describe('without a terminal', () => {
  it('it says what would let it in', async () => {
    await start();
    const { status, stderr } = await sigil(['call', url, 'who']);
    expect(status).toBe(4);
    expect(stderr).toContain('[SIGIL_CLI_WHO_ARE_YOU]\nPass a token with --token <token> or in SIGIL_TOKEN');
  });

  it('a token cannot be fetched', async () => {
    await start();
    const { status, stderr } = await sigil(['token', url]);
    expect({ status, stderr }).toEqual({ status: 4, stderr: expect.stringContaining('[SIGIL_CLI_NO_TERMINAL]') });
    expect(stderr).toContain(`In a terminal, sigil token <url> prints one`);
  });
});

describeWithTerminal('at a terminal', () => {
  const open: Terminal[] = [];
  const at = (args: readonly string[], env: Record<string, string> = {}): Terminal => {
    const terminal = new Terminal(args, { env, columns: 200 });
    open.push(terminal);
    return terminal;
  };
  afterEach(() => open.splice(0).forEach((terminal) => terminal.kill()));

  /** Goes where the terminal says, as a person does with a browser of their own. */
  const visit = async (terminal: Terminal): Promise<string> => {
    await terminal.sees('I open that address myself');
    terminal.press(`${DOWN}${ENTER}`);
    const address = /http\S+\/authorize\S+/.exec(terminal.screen.replace(/\s*│\n│\s*/g, ''))?.[0] ?? '';
    return (await fetch(address)).text();
  };

  it('somebody signs in with the browser, once for all that a command does', async () => {
    await start();
    const terminal = at(['inspect', url]);
    expect(await visit(terminal)).toContain('You are signed in.');
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('Says who calls');
    expect(issuer.asked).toEqual(['notes:read']);
    expect([...issuer.granted.values()]).toEqual([{ clientId: 'registered', scopes: ['notes:read'] }]);
  });

  it('a call goes on where it was stopped, however long the person takes', async () => {
    await start();
    const terminal = at(['call', url, 'who', '--timeout', '3']);
    await terminal.sees('I open that address myself');
    // eslint-disable-next-line house/fixed-sleep -- the limit of another process, which no clock moves; session/deadline.spec.ts has the rest
    await new Promise((resolve) => setTimeout(resolve, 3100));
    await visit(terminal);
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('ada by registered for notes:read');
  });

  it('a client that is known there needs no registration', async () => {
    await start({ registers: false });
    const terminal = at(['call', url, 'who', '--client-id', 'mine']);
    await visit(terminal);
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('ada by mine for notes:read');
  });

  it('where none is known and none is registered it is told how to be one', async () => {
    await start({ registers: false });
    const terminal = at(['call', url, 'who']);
    expect(await terminal.exit).toBe(4);
    expect(terminal.screen).toContain('[SIGIL_CLI_UNREGISTERED]');
    expect(terminal.screen).toContain('--client-id <id>');
  });

  it('where nobody signs in, as with an issuer for development, it is told what is missing', async () => {
    await start({ signsIn: false });
    const terminal = at(['call', url, 'who']);
    expect(await terminal.exit).toBe(4);
    expect(terminal.screen).toContain(
      'the metadata of its authorization server have no valid authorization_endpoint, token_endpoint. [SIGIL_CLI_SIGN_IN_FAILED]',
    );
  });

  it('whoever is refused is told why', async () => {
    await start({ refuses: 'access_denied' });
    const terminal = at(['call', url, 'who']);
    expect(await visit(terminal)).toContain('You are not signed in.');
    expect(await terminal.exit).toBe(4);
    expect(terminal.screen).toContain('refused the sign-in: access_denied. [SIGIL_CLI_SIGN_IN_REFUSED]');
  });

  it('nobody has to sign in, and Ctrl-C ends the wait', async () => {
    await start();
    const refused = at(['call', url, 'who']);
    await refused.sees('I open that address myself');
    refused.press(`${DOWN}${DOWN}${ENTER}`);
    expect(await refused.exit).toBe(4);
    expect(refused.screen).toContain('[SIGIL_CLI_NOT_SIGNED_IN]');

    const left = at(['call', url, 'who']);
    await left.sees('I open that address myself');
    left.press(`${DOWN}${ENTER}`);
    // The question is answered, and has made room.
    await until(() => !left.screen.includes('Do not sign in'));
    // eslint-disable-next-line house/fixed-sleep -- the question gives the keys of the terminal back, which nothing on the screen tells
    await new Promise((resolve) => setTimeout(resolve, 100));
    left.press('\u0003');
    expect(await left.exit).toBe(130);
  });

  it('sigil token prints the token alone', async () => {
    await start();
    const terminal = at(['token', url]);
    await visit(terminal);
    expect(await terminal.exit).toBe(0);
    const [token] = [...issuer.granted.keys()];
    expect(terminal.screen.split('\n').at(-1)).toBe(token);
  });

  // Elsewhere another program opens the browser, and does not ask the environment which.
  if (process.platform === 'linux') {
    it('the browser is opened', async () => {
      await start();
      const folder = mkdtempSync(join(tmpdir(), 'sigil-browser-'));
      const browser = join(folder, 'browser');
      writeFileSync(browser, `#!${process.execPath}\nfetch(process.argv[2]).then((page) => page.text());\n`, {
        mode: 0o755,
      });
      const terminal = at(['call', url, 'who'], { BROWSER: browser });
      await terminal.sees('Open the browser');
      terminal.press(ENTER);
      expect(await terminal.exit).toBe(0);
      expect(terminal.screen).toContain('ada by registered for notes:read');
      rmSync(folder, { recursive: true });
    });
  }
});
