/** Tokens that say nothing, at a server on a real socket, with the issuer that is asked about them on another. */
import { Caller, Feature, Tool, createServer, type Server } from '@sigil-mcp/core';
import { HttpTransport } from '@sigil-mcp/fastify';
import { introspection, type IntrospectionOptions } from '@sigil-mcp/oauth';
import '@sigil-mcp/testing/matchers';
import {
  ManualClock,
  connect,
  issuer as openIssuer,
  type IssuerOptions,
  type TestIssuer,
  type IssuedTokenOptions,
} from '@sigil-mcp/testing';
import { once } from 'node:events';
import {
  createServer as createHttp,
  type IncomingMessage,
  type RequestListener,
  type Server as HttpServer,
  type ServerResponse,
} from 'node:http';
import { text } from 'node:stream/consumers';
import type { AddressInfo } from 'node:net';

const RESOURCE = 'https://mcp.example.com/mcp';
const CLIENT = { id: 'the server', secret: 's:e%c&ret' };

@Feature()
class Desk {
  @Tool('Says who calls')
  who({ kind, id, clientId, issuer: by, scopes, roles }: Caller): string {
    return JSON.stringify({ kind, id, clientId, issuer: by, scopes, roles });
  }
}

let issuer: TestIssuer;
let server: Server | undefined;
let url: string;
const warnings: unknown[] = [];
beforeEach(async () => {
  warnings.splice(0);
  issuer = await openIssuer({ audience: RESOURCE, client: CLIENT });
});
afterEach(async () => {
  await server?.close();
  server = undefined;
  await issuer.close();
});

const optionsOf = (more: Partial<IntrospectionOptions>): IntrospectionOptions => ({
  issuer: issuer.url,
  clientId: CLIENT.id,
  clientSecret: CLIENT.secret,
  resource: RESOURCE,
  clockTolerance: 0,
  logger: { warn: (fields, message) => void warnings.push([fields, message]) },
  ...more,
});

async function start(more: Partial<IntrospectionOptions> = {}): Promise<void> {
  server = createServer({ name: 'tokens', version: '1.0.0', features: [Desk], logger: false });
  const auth = introspection(optionsOf(more));
  const transport = new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, auth });
  await server.listen(transport);
  url = transport.url ?? '';
}

async function reopen(options: IssuerOptions): Promise<void> {
  await issuer.close();
  issuer = await openIssuer({ audience: RESOURCE, client: CLIENT, ...options });
}

const opaque = (more: IssuedTokenOptions = {}): string =>
  issuer.token({ opaque: true, sub: 'ada', clientId: 'desktop', ...more });

/** What an empty list is answered with: it is read after the gate. */
async function knock(token: string) {
  const headers = {
    authorization: `Bearer ${token}`,
    'content-type': 'application/json',
    accept: 'application/json, text/event-stream',
  };
  const response = await fetch(url, { method: 'POST', headers, body: '{}' });
  const said = `${response.headers.get('www-authenticate') ?? ''} ${await response.text()}`;
  return { status: response.status, retryAfter: response.headers.get('retry-after'), said };
}
/** Behind the gate an empty object is no message. */
const INSIDE = 400;

describe('an opaque token', () => {
  it.each(['basic', 'post'] as const)(
    'is looked up at its issuer, by %s, and says who calls [AUTH-005]',
    async (way) => {
      await start({ authentication: way });
      const headers = { authorization: `Bearer ${opaque({ scope: 'read write', claims: { roles: ['keeper'] } })}` };
      const client = await connect(url, { headers });
      const said = await client.callTool('who');
      expect(said).toHaveText(
        JSON.stringify({
          kind: 'user',
          id: 'ada',
          clientId: 'desktop',
          issuer: issuer.url,
          scopes: ['read', 'write'],
          roles: ['keeper'],
        }),
      );
      await client.close();
      expect(issuer.asked).toEqual(['/.well-known/oauth-authorization-server', '/introspect']);
    },
  );

  it.each<[string, () => string, string]>([
    ['nobody issued', () => 'made-up', 'is not valid, or no longer valid'],
    ['has expired', () => opaque({ expiresIn: -1000 }), 'is not valid, or no longer valid'],
    ['is not good yet', () => opaque({ claims: { nbf: Math.floor(Date.now() / 1000) + 60 } }), 'is not valid yet'],
    ['has no audience', () => opaque({ claims: { aud: undefined } }), 'was not issued for this server'],
    [
      'was issued for another server',
      () => opaque({ aud: 'https://mcp.example.com/other' }),
      'was not issued for this server',
    ],
    [
      'is of another issuer',
      () => opaque({ claims: { iss: 'https://evil.example' } }),
      'from an issuer that this server does not accept',
    ],
    [
      'names nobody',
      () => opaque({ claims: { sub: undefined, client_id: undefined } }),
      'names neither a subject nor a client',
    ],
    ['is bound to a key', () => opaque({ claims: { cnf: { jkt: 'x' } } }), 'is bound to a key'],
    ['is bound by DPoP', () => opaque({ claims: { token_type: 'DPoP' } }), 'is bound to a key'],
    ['is an ID token', () => opaque({ claims: { at_hash: 'x' } }), 'is an ID token'],
    ['is an ID token of Keycloak', () => opaque({ claims: { typ: 'ID' } }), 'is an ID token'],
    ['is a refresh token', () => opaque({ claims: { token_type: 'refresh_token' } }), 'is not an access token'],
    ['is no access token', () => opaque({ claims: { token_type: 'N_A' } }), 'is not an access token'],
    ['has a kind that is no text', () => opaque({ claims: { token_type: ['Bearer'] } }), 'is not an access token'],
    [
      'was issued for siblings of this server',
      () => opaque({ aud: ['https://mcp.example.com/admin', 'https://mcp.example.com/mcp2'] }),
      'was not issued for this server',
    ],
  ])('that %s is refused with 401 and the reason [AUTH-005, AUTH-008]', async (_what, make, reason) => {
    await start();
    const token = make();
    const { status, said } = await knock(token);
    expect([status, said]).toEqual([401, expect.stringContaining('error="invalid_token"')]);
    expect(said).toContain(reason);
    expect(said).not.toContain(token);
  });

  it('may be issued for another audience, without a word of who issued it and when it ends', async () => {
    await start({ audience: 'api://desk' });
    const token = opaque({ aud: ['api://desk'], claims: { iss: undefined, exp: undefined } });
    expect((await knock(token)).status).toBe(INSIDE);
  });
});

describe('the issuer', () => {
  it('is asked once for requests that come together and shortly after', async () => {
    await start();
    const token = opaque();
    for (const { status } of await Promise.all(Array.from({ length: 20 }, () => knock(token))))
      expect(status).toBe(INSIDE);
    expect((await knock(token)).status).toBe(INSIDE);
    expect(issuer.count('/introspect')).toBe(1);
  });

  it('is asked again when its answer is old: what it took back is refused then', async () => {
    const clock = new ManualClock(Date.now());
    const verify = verifier({ clock });
    const token = opaque({ expiresIn: 600_000 });
    expect(await verify(token)).toBe('ada');
    issuer.revoke(token);
    await clock.advance(29_999);
    expect(await verify(token)).toBe('ada');
    await clock.advance(1);
    expect(await verify(token)).toBe(401);
  });

  it('is believed no longer than the token lives', async () => {
    const clock = new ManualClock(Date.now());
    const verify = verifier({ clock, maxAge: 60_000 });
    const token = opaque({ claims: { exp: Math.floor(Date.now() / 1000) + 20 } });
    expect(await verify(token)).toBe('ada');
    await clock.advance(20_000);
    expect(await verify(token)).toBe(401);
  });

  it.each<[string, number | undefined]>([
    ['refuses us with 401', 401],
    ['cuts the line', undefined],
  ])('that %s leaves 503, never 401, and what is known goes on', async (_what, status) => {
    await start();
    const known = opaque();
    expect((await knock(known)).status).toBe(INSIDE);
    issuer.fail(status);
    for (const token of [opaque(), opaque(), opaque()])
      expect(await knock(token)).toMatchObject({
        status: 503,
        retryAfter: '5',
        said: expect.not.stringContaining('error=') as string,
      });
    expect((await knock(known)).status).toBe(INSIDE);
    // The others were not asked about: the first has shown that nobody answers.
    expect([issuer.count('/introspect'), warnings.length]).toEqual([2, 1]);
  });

  it.each<[string, (response: ServerResponse) => void]>([
    ['500', (response) => response.writeHead(500).end()],
    ['what is no answer', (response) => response.end('{"active":"true"}')],
    ['what is no JSON', (response) => response.end('<html>')],
  ])('that answers to some tokens with %s answers about all others', async (_what, answer) => {
    const asked: string[] = [];
    const url = await servedBy(async (request, response) => {
      const token = new URLSearchParams(await text(request)).get('token') ?? '';
      asked.push(token);
      if (token.startsWith('poison')) answer(response);
      else response.end(JSON.stringify({ active: true, sub: token, aud: RESOURCE }));
    });
    const clock = new ManualClock(Date.now());
    const verify = verifier({ url, clock });
    for (let turn = 0; turn < 10; turn++) {
      expect(await verify('poison')).toBe(503);
      expect(await verify(`poison ${turn}`)).toBe(503);
      expect(await verify(`user ${turn}`)).toBe(`user ${turn}`);
    }
    // Also after many of them in a row, and among them.
    const poison = Array.from({ length: 50 }, (_, at) => verify(`poison and ${at}`));
    expect(await Promise.all([verify('ada'), verify('bob')])).toEqual(['ada', 'bob']);
    expect(new Set(await Promise.all(poison))).toEqual(new Set([503]));
    // The same one is not asked about again and again.
    expect(asked.filter((token) => token === 'poison')).toHaveLength(1);
    await clock.advance(5000);
    await verify('poison');
    expect(asked.filter((token) => token === 'poison')).toHaveLength(2);
  });

  it('is not asked again for some seconds about a token that is not good', async () => {
    const clock = new ManualClock(Date.now());
    const verify = verifier({ clock });
    for (let turn = 0; turn < 30; turn++) expect(await verify('made-up')).toBe(401);
    expect(issuer.count('/introspect')).toBe(1);
    await clock.advance(5000);
    expect(await verify('made-up')).toBe(401);
    expect(issuer.count('/introspect')).toBe(2);
  });

  it.each([400, 413])(
    'that cannot look a token up (%i) leaves 503 for that token, and answers about others',
    async (status) => {
      await start();
      expect((await knock(opaque())).status).toBe(INSIDE);
      issuer.fail(status);
      for (const token of [opaque(), opaque()]) expect((await knock(token)).status).toBe(503);
      issuer.recover();
      expect((await knock(opaque())).status).toBe(INSIDE);
      expect(warnings).toHaveLength(1);
    },
  );

  it('that does not know who asks is out of reach, and the log says so without the token and the secret', async () => {
    await start({ clientSecret: 'another-secret' });
    const token = opaque();
    expect((await knock(token)).status).toBe(503);
    const log = JSON.stringify(warnings, (_key, value: unknown) => (value instanceof Error ? `${value.stack}` : value));
    expect(log).toContain('/introspect answered with 401');
    for (const secret of [token, 'another-secret']) expect(log).not.toContain(secret);
  });

  it.each<[string, RequestListener]>([
    ['that is no JSON', (_request, response) => response.end('<html>')],
    ['that does not say whether the token is active', (_request, response) => response.end('{"sub":"ada"}')],
    ['that never ends', (request, response) => endless(request, response)],
    ['that leads elsewhere', (_request, response) => response.writeHead(302, { location: '/x' }).end()],
  ])('whose answer is one %s is out of reach', async (_what, answer) => {
    const odd = createHttp(answer).listen(0, '127.0.0.1');
    await once(odd, 'listening');
    await start({ url: `http://127.0.0.1:${(odd.address() as AddressInfo).port}/introspect` });
    expect((await knock(opaque())).status).toBe(503);
    expect(issuer.asked).toEqual([]);
    odd.close();
    odd.closeAllConnections();
  });

  it('that names no endpoint, or one that is not as safe as itself, is out of reach', async () => {
    for (const endpoint of [undefined, 'http://elsewhere.example/introspect', 5]) {
      await reopen({ metadata: { introspection_endpoint: endpoint } });
      await start();
      expect((await knock(opaque())).status).toBe(503);
      await server?.close();
    }
  });

  it('has time for the tokens of others, however many one address makes up', async () => {
    const waiting: (() => void)[] = [];
    let most = 0;
    const url = await servedBy(async (request, response) => {
      const token = new URLSearchParams(await text(request)).get('token') ?? '';
      if (!token.startsWith('made-up'))
        return void response.end(JSON.stringify({ active: true, sub: token, aud: RESOURCE }));
      waiting.push(() => response.end('{"active":false}'));
      most = Math.max(most, waiting.length);
    });
    const clock = new ManualClock(Date.now());
    const verify = verifier({ url, clock });
    const made = Array.from({ length: 150 }, (_, at) => verify(`made-up ${at}`, '192.0.2.1'));
    // Those that could not even wait, at once.
    expect(await Promise.all(made.slice(125))).toEqual(Array.from({ length: 25 }, () => 503));
    while (waiting.length < 25) await new Promise((resolve) => setImmediate(resolve));
    const users = Array.from({ length: 70 }, (_, at) => `user ${at}`);
    expect(await Promise.all(users.map((user, at) => verify(user, `198.51.100.${at}`)))).toEqual(users);
    expect(most).toBe(25);
    // Whose turn has not come after a while is told to come again; whose turn comes is answered.
    for (const end of waiting.splice(0, 5)) end();
    while (waiting.length < 25) await new Promise((resolve) => setImmediate(resolve));
    await clock.advance(2000);
    expect(new Set(await Promise.all(made.slice(30, 125)))).toEqual(new Set([503]));
    for (const end of waiting) end();
    expect(new Set(await Promise.all(made.slice(0, 30)))).toEqual(new Set([401]));
  });

  it.each([
    'https://169.254.169.254/x',
    'https://10.0.0.1/x',
    'https://[::1]/x',
    'https://localhost/x',
    'https://db.internal/x',
  ])('on the open network that names %s is not trusted, and no request is sent there', async (place) => {
    const asked: string[] = [];
    const real = globalThis.fetch;
    globalThis.fetch = (input) => {
      asked.push(input instanceof Request ? input.url : input.toString());
      return Promise.resolve(Response.json({ issuer: 'https://id.example.com', introspection_endpoint: place }));
    };
    try {
      expect(await verifier({ issuer: 'https://id.example.com' })('token')).toBe(503);
    } finally {
      globalThis.fetch = real;
    }
    expect(asked).toEqual(['https://id.example.com/.well-known/oauth-authorization-server']);
  });
});

const opened: HttpServer[] = [];
afterEach(() => {
  for (const each of opened.splice(0)) {
    each.close();
    each.closeAllConnections();
  }
});

/** An issuer of its own; the address at which it is asked. */
async function servedBy(
  listener: (request: IncomingMessage, response: ServerResponse) => Promise<void>,
): Promise<string> {
  const served = createHttp((request, response) => void listener(request, response)).listen(0, '127.0.0.1');
  opened.push(served);
  await once(served, 'listening');
  return `http://127.0.0.1:${(served.address() as AddressInfo).port}`;
}

/** Whose a token is, or the status that refuses it. */
function verifier(
  more: Partial<IntrospectionOptions>,
): (token: string, address?: string) => Promise<string | number | undefined> {
  const auth = introspection(optionsOf(more));
  return async (token, address) => {
    const request = {
      scheme: 'bearer',
      method: 'POST',
      url: RESOURCE,
      headers: {},
      ...(address !== undefined && { address }),
    };
    try {
      return (await auth.verify(token, request))?.id;
    } catch (error) {
      return (error as { status: number }).status;
    }
  };
}

function endless(_request: unknown, response: Parameters<RequestListener>[1]): void {
  const write = (): void => {
    if (!response.destroyed) response.write(' '.repeat(64 * 1024), write);
  };
  write();
}

describe('introspection', () => {
  it.each<[Partial<IntrospectionOptions>]>([
    [{ issuer: 'id.example.com' }],
    [{ url: 'nowhere' }],
    [{ url: 'http://elsewhere.example/introspect' }],
    [{ clientSecret: '' }],
    [{ clientSecret: 1234 as never }],
    [{ maxAge: 60_001 }],
    [{ maxAge: -1 }],
    [{ maxAge: Number.NaN }],
  ])('refuses %j', (options) => {
    const start = () => introspection(optionsOf(options));
    expect(start).toThrow(expect.objectContaining({ code: 'SIGIL_INTROSPECTION_OPTION' }));
    expect(start).not.toThrow('1234');
  });
});
