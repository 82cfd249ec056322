/** The sign-in with a browser, from the first question of the server to a token: over real sockets, with a browser that follows links. */
import * as commonJs from '@modelcontextprotocol/client';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import {
  AuthorizationServer,
  type AuthorizationServerOptions,
} from '../../../../test/programs/e2e/authorization-server';
import { freePort } from '../../../../test/support/free-port';
import type { OfficialClient } from '../../src/official-client';
import { signIn, type SignInDemand } from '../../src/sign-in/browser-sign-in';
import { CommandCredentials, type GivenCredentials } from '../../src/sign-in/credentials';

// The same module: the command imports it as an ES module, whose classes have types of their own.
const official = commonJs as unknown as OfficialClient;

let issuer: AuthorizationServer;
let resource: Server;
let url: URL;

/** An MCP server that says who issues its tokens, and nothing else. */
async function start(options: AuthorizationServerOptions = {}): Promise<void> {
  issuer = await AuthorizationServer.start(options);
  resource = createServer((request, response) => {
    if (!request.url?.startsWith('/.well-known/oauth-protected-resource')) return void response.writeHead(404).end();
    const metadata = { resource: url.href, authorization_servers: [issuer.issuer] };
    response.setHeader('content-type', 'application/json').end(JSON.stringify(metadata));
  });
  await once(resource.listen(0, '127.0.0.1'), 'listening');
  url = new URL(`http://127.0.0.1:${(resource.address() as AddressInfo).port}/mcp`);
}
afterEach(() => {
  issuer.close();
  resource.close();
  resource.closeAllConnections();
});

/** A browser: it goes where it is sent, and comes back with what it was given. */
const browse = async (address: URL): Promise<void> => void (await fetch(address)).body?.cancel();

interface Visitor {
  readonly given?: GivenCredentials;
  readonly visit?: (address: URL) => Promise<void>;
  readonly signal?: AbortSignal;
}

function commandOf({ given = {}, visit = browse, signal = new AbortController().signal }: Visitor = {}) {
  const visited: URL[] = [];
  const credentials = new CommandCredentials(given, {});
  const options = {
    ...{ official, credentials, url, fetch, signal },
    visit: (address: URL) => {
      visited.push(address);
      return visit(address);
    },
  };
  return { credentials, visited, signIn: (demand: SignInDemand = {}) => signIn(demand, options) };
}

/** Whether something listens where the browser is sent back to. */
const isOpen = (visited: URL | undefined): Promise<boolean> =>
  fetch(visited?.searchParams.get('redirect_uri') ?? '').then(
    () => true,
    () => false,
  );

it('ends with a token for the scopes that were demanded, with a client that registered, and nothing listens any more', async () => {
  await start();
  const command = commandOf();
  await command.signIn({ scope: 'notes:read' });
  const grant = issuer.granted.get(command.credentials.token ?? '');
  expect(grant).toEqual({ clientId: 'registered', scopes: ['notes:read'] });
  const [visited] = command.visited;
  expect(visited?.searchParams.get('code_challenge_method')).toBe('S256');
  expect(await isOpen(visited)).toBe(false);
});

it('asks for more with what was granted before, as the client that is known already', async () => {
  await start();
  const command = commandOf({ given: { clientId: 'mine' } });
  await command.signIn({ scope: 'notes:read' });
  await command.signIn({ scope: 'notes:write' });
  expect(issuer.asked).toEqual(['notes:read', 'notes:read notes:write']);
  expect([...issuer.granted.values()].map(({ clientId }) => clientId)).toEqual(['mine', 'mine']);
});

it('listens on the port that was given', async () => {
  await start();
  const callbackPort = await freePort();
  const command = commandOf({ given: { callbackPort } });
  await command.signIn();
  expect(command.visited[0]?.searchParams.get('redirect_uri')).toBe(`http://127.0.0.1:${callbackPort}/callback`);
});

it('says that the port is taken', async () => {
  await start();
  const taken = (resource.address() as AddressInfo).port;
  const command = commandOf({ given: { callbackPort: taken } });
  await expect(command.signIn()).rejects.toMatchObject({ code: 'SIGIL_CLI_CALLBACK_PORT' });
});

it.each<[string, AuthorizationServerOptions, string]>([
  ['the user is refused', { refuses: 'access_denied' }, 'SIGIL_CLI_SIGN_IN_REFUSED'],
  ['clients cannot register', { registers: false }, 'SIGIL_CLI_UNREGISTERED'],
  ['nobody can sign in', { signsIn: false }, 'SIGIL_CLI_SIGN_IN_FAILED'],
])('fails where %s, leaves no token, and says how', async (_, options, code) => {
  await start(options);
  const command = commandOf();
  await expect(command.signIn()).rejects.toMatchObject({ code, exitCode: 4 });
  expect(command.credentials.token).toBeUndefined();
});

it('fails as the user fails it, and as Ctrl-C ends it, and listens no longer', async () => {
  await start();
  const declined = new Error('I do not want to');
  const unwilling = commandOf({ visit: () => Promise.reject(declined) });
  await expect(unwilling.signIn()).rejects.toMatchObject({ message: expect.stringContaining('I do not want to') });
  expect(await isOpen(unwilling.visited[0])).toBe(false);

  const pressed = new AbortController();
  const interrupted = new Error('Ctrl-C');
  const waiting = commandOf({ visit: () => Promise.resolve(), signal: pressed.signal });
  const signingIn = waiting.signIn();
  setImmediate(function press() {
    // While the browser is out.
    if (waiting.visited.length === 0) setImmediate(press);
    else pressed.abort(interrupted);
  });
  await expect(signingIn).rejects.toBe(interrupted);
  expect(await isOpen(waiting.visited[0])).toBe(false);
});
