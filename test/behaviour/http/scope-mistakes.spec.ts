/** Scopes that nobody could have, and scopes that imply each other, are errors before anybody is served. */
import {
  Caller,
  DefinitionError,
  Feature,
  MemoryTransport,
  Public,
  Scopes,
  Tool,
  createServer,
  tool,
} from '@sigil-mcp/core';
import { HttpTransport, mcpPlugin, type HttpTransportOptions } from '@sigil-mcp/fastify';
import Fastify from 'fastify';

@Feature()
class Notes {
  @Tool('Adds') @Scopes('notes:read', 'notes:write') add(): string {
    return 'added';
  }

  @Tool('Says what it is') @Public() about(): string {
    return 'notes';
  }

  @Tool('Is for all') plain(): string {
    return 'plain';
  }
}

@Feature()
class Late {
  @Tool('Comes late') @Scopes('late') late(): string {
    return '';
  }
}

const serverOf = (...features: Parameters<typeof createServer>[0]['features'] & object) =>
  createServer({ name: 'notes', version: '1.0.0', features, logger: false });
const http = (options: HttpTransportOptions = {}) =>
  new HttpTransport({ port: 0, host: '127.0.0.1', handleSignals: false, ...options });
const verify = () => new Caller({ id: 'ada' });
const saidOf = async (failing: Promise<unknown>): Promise<string[]> => {
  const error: unknown = await failing.catch((thrown: unknown) => thrown);
  if (!(error instanceof DefinitionError)) throw error;
  return error.problems.map(({ where, problem, fix, code }) => `${where}: ${problem} ${fix} [${code}]`);
};
const FIX =
  'Pass `auth` to HttpTransport or mcpPlugin, for example jwt() of @sigil-mcp/oauth, or remove its @Scopes and @Public. [SIGIL_POLICY_WITHOUT_AUTH]';
const served = (wants: string) =>
  `it ${wants}, but a transport serves it over the network without authenticating callers. ${FIX}`;

describe('an endpoint without auth', () => {
  it('does not begin to serve what wants to know who calls, alone or in an app', async () => {
    const problems = [
      `Notes.add: ${served('wants the scopes notes:read notes:write')}`,
      `Notes.about: ${served('is public')}`,
      `tool("more"): ${served('wants the scopes more')}`,
    ];
    const more = tool('more', { description: 'More', scopes: ['more'] }, () => 'ok');
    const transport = http();
    const server = serverOf(Notes, more);
    expect(await saidOf(server.listen(transport))).toEqual(problems);
    expect(transport.url).toBeUndefined();
    await server.close();
    const [app, hosted] = [Fastify(), serverOf(Notes, more)];
    expect(await saidOf(Promise.resolve(app.register(mcpPlugin, { server: hosted })))).toEqual(problems);
    await app.close();
    await hosted.close();
  });

  it('takes none that comes later, and leaves the others as they are', async () => {
    const plain = tool('plain', { description: 'Plain' }, () => 'ok');
    const server = serverOf(plain);
    await server.listen(http());
    const { registry } = server;
    const late = { description: 'Late', kind: 'tool', name: 'late', handler: () => 'ok' } as const;
    expect(() => registry.add({ ...late, scopes: ['late'] })).toThrow(
      /registry\.add\("late"\): it wants the scopes late/,
    );
    expect(() => registry.add({ ...late, public: true })).toThrow(/registry\.add\("late"\): it is public/);
    expect(() => registry.update('tool', 'plain', { scopes: ['late'] })).toThrow(/registry\.update\("plain"\)/);
    expect(await saidOf(registry.add(Late))).toEqual([`Late.late: ${served('wants the scopes late')}`]);
    expect([...registry.entries('tool')].map(({ key, policy }) => [key, policy.scopes])).toEqual([['plain', []]]);
    await server.close();
  });

  it('is no matter of other transports, nor of endpoints with auth', async () => {
    const server = serverOf(Notes);
    await server.listen(new MemoryTransport());
    await server.listen(http({ auth: { verify } }));
    await server.registry.add(Late);
    expect(await saidOf(server.listen(http()))).toHaveLength(3);
    await server.close();
  });
});

describe('scopes that imply others', () => {
  const implying = (implies: Record<string, readonly string[]>) =>
    serverOf(Notes).listen(http({ auth: { verify, implies } }));

  it.each([
    [{ admin: ['write'], write: ['read', 'admin'] }, 'admin > write > admin'],
    [{ read: ['read'] }, 'read > read'],
    [{ a: ['x'], b: ['c'], c: ['d'], d: ['b'] }, 'b > c > d > b'],
  ])('in a circle are an error: %j', async (implies, circle) => {
    await expect(implying(implies)).rejects.toMatchObject({
      code: 'SIGIL_AUTH_IMPLIES',
      message: expect.stringContaining(circle) as string,
    });
  });

  it.each([{ 'a b': ['c'] }, { a: ['b"'] }, { a: [''] }])('have to be scopes: %j', async (implies) => {
    await expect(implying(implies)).rejects.toMatchObject({ code: 'SIGIL_AUTH_SCOPE' });
  });
});
