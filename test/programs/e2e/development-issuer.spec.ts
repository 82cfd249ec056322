/** The development issuer: real clients sign in at its page, as users who need no password. */
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from '@modelcontextprotocol/client';
import { Caller, Feature, Scopes, Tool, createServer, type Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { jwt } from '@sigil-mcp/oauth';
import { developmentIssuer, type TestIssuer } from '@sigil-mcp/testing/issuer';
import axe from 'axe-core';
import { ChoosingUser, choosePerson } from '../../support/authorization-server/headless-sign-in';
import { freePort } from '../../support/free-port';
import { openChromium } from '../../support/supplies/chromium';
import { describeWith } from '../../support/supplies/supply';
import { describeWithTerminal, Terminal } from './terminal';

jest.setTimeout(150_000);

@Feature()
class Notes {
  @Tool('Says who calls')
  who({ id, roles, scopes }: Caller): string {
    return [id, ...roles, ...scopes].join(' ');
  }

  @Tool('Takes a note')
  @Scopes('notes:write')
  take({ id }: Caller): string {
    return `taken by ${id}`;
  }
}

const people = {
  reader: { scopes: ['notes:read'] },
  writer: { scopes: ['notes:read', 'notes:write'] },
  admin: { scopes: ['notes:read', 'notes:write'], claims: { roles: ['admin'] } },
};

let url: string;
let issuer: TestIssuer;
let server: Server;
let said: jest.SpyInstance;
const terminals: Terminal[] = [];

beforeEach(async () => {
  said = jest.spyOn(process.stderr, 'write').mockReturnValue(true);
  const port = await freePort();
  url = `http://127.0.0.1:${port}/mcp`;
  issuer = await developmentIssuer({ resource: url, people });
  server = createServer({ name: 'notes', version: '1.0.0', features: [Notes], logger: false });
  const auth = jwt({ issuer: issuer.url, resource: url, scopes: ['notes:read'] });
  await server.listen(new HttpTransport({ port, handleSignals: false, auth }));
});
afterEach(async () => {
  for (const terminal of terminals.splice(0)) terminal.kill();
  said.mockRestore();
  await server.close();
  await issuer.close();
});

async function call(client: Client, name: string): Promise<unknown> {
  return (await client.callTool({ name, arguments: {} })).content;
}

describe.each([
  ['2025-11-25', 'legacy'],
  ['2026-07-28', { pin: '2026-07-28' }],
] as const)('the official client on %s', (revision, mode) => {
  it.each([
    ['writer', 'writer notes:read notes:write'],
    ['admin', 'admin admin notes:read notes:write'],
  ])('registers, signs in as a %s and calls', async (person, facts) => {
    const user = new ChoosingUser(person);
    const newClient = () => new Client({ name: 'official-client', version: '2' }, { versionNegotiation: { mode } });
    const first = new StreamableHTTPClientTransport(new URL(url), { authProvider: user });
    await expect(newClient().connect(first)).rejects.toThrow(UnauthorizedError);
    await first.finishAuth(user.callback ?? new URLSearchParams());
    const client = newClient();
    await client.connect(new StreamableHTTPClientTransport(new URL(url), { authProvider: user }));
    expect(client.getNegotiatedProtocolVersion()).toBe(revision);
    expect(await call(client, 'who')).toEqual([{ type: 'text', text: facts }]);
    expect(await call(client, 'take')).toEqual([{ type: 'text', text: `taken by ${person}` }]);
    await client.close();
  });
});

describeWithTerminal('sigil call --sign-in', () => {
  /** Starts the command. @returns the terminal, and the address that it shows */
  async function signIn(target = url): Promise<{ readonly terminal: Terminal; readonly address: string }> {
    const terminal = new Terminal(['call', target, 'take', '--sign-in'], { columns: 1000 });
    terminals.push(terminal);
    await terminal.sees('I open that address myself');
    terminal.press('\u001b[B\r');
    const [address = ''] = /http[!-~]+\/authorize[!-~]+/.exec(terminal.screen) ?? [];
    return { terminal, address };
  }

  it('signs in as the user who was chosen, and calls', async () => {
    const { terminal, address } = await signIn();
    await fetch(await choosePerson(new URL(address), 'writer'));
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('taken by writer');
  });

  it('signs in also if the address has no path: the endpoint under /mcp names the issuer', async () => {
    const { terminal, address } = await signIn(new URL(url).origin);
    await fetch(await choosePerson(new URL(address), 'writer'));
    expect(await terminal.exit).toBe(0);
    expect(terminal.screen).toContain('taken by writer');
  });

  describeWith('chromium', 'in a browser', () => {
    it.each(['light', 'dark'] as const)('signs in on a %s page that a phone shows whole', async (colorScheme) => {
      const { terminal, address } = await signIn();
      const browser = await openChromium();
      try {
        const page = await browser.newPage({ viewport: { width: 390, height: 800 }, colorScheme });
        await page.goto(address);
        expect(await page.textContent('h1')).toBe('Who are you?');
        expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBe(0);
        await page.evaluate(axe.source);
        const { violations } = await page.evaluate<axe.AxeResults>('axe.run({ resultTypes: ["violations"] })');
        expect(violations.map(({ id }) => id)).toEqual([]);
        await page.click('button[value="writer"]');
        expect(await page.textContent('body')).toContain('You are signed in');
      } finally {
        await browser.close();
      }
      expect(await terminal.exit).toBe(0);
      expect(terminal.screen).toContain('taken by writer');
    });
  });
});

it('says on stderr that there are no passwords, who can sign in, and how a script gets a token', async () => {
  const line = String((said.mock.calls as unknown[][])[0]?.[0]);
  expect(line).toContain(
    `The development issuer ${issuer.url} lets anyone on this machine sign in as reader, writer, admin`,
  );
  const [, address = ''] = /curl "([^"]+)"/.exec(line) ?? [];
  const token = await (await fetch(address)).text();
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', accept: '*/*' };
  expect((await fetch(url, { method: 'POST', headers, body: '{}' })).status).not.toBe(401);
  expect((await fetch(url, { method: 'POST', body: '{}' })).status).toBe(401);
});

it('does not run in production', async () => {
  process.env['NODE_ENV'] = 'production';
  try {
    await expect(developmentIssuer({ resource: url, people })).rejects.toMatchObject({
      code: 'SIGIL_DEVELOPMENT_ISSUER',
    });
  } finally {
    process.env['NODE_ENV'] = 'test';
  }
});

it('listens on loopback, on the port after the one of the server, or on another if that is taken', async () => {
  const { port, hostname } = new URL(issuer.url);
  expect(hostname).toBe('127.0.0.1');
  const second = await developmentIssuer({ resource: url, people });
  expect(new URL(second.url).port).not.toBe(port);
  await second.close();
});
