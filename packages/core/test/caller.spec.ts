/** Who calls, as handlers, completers and lists are given it. */
import {
  Caller,
  Complete,
  Feature,
  ListTemplate,
  Prompt,
  Resource,
  Tool,
  createServer,
  type CallerInit,
  type ListedResource,
} from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { connect } from '@sigil-mcp/testing';
import { IsString } from 'class-validator';
import { once } from 'node:events';
import { PassThrough } from 'node:stream';

class Note {
  @IsString() title!: string;
}

@Feature()
class Notes {
  @Tool('Adds a note')
  add(caller: Caller, { title }: Note): string {
    return `${caller.kind} ${caller.id}: ${title}`;
  }

  @Prompt('Asks about a note')
  ask({ title }: Note, { id }: Caller): string {
    return `${id} asks about ${title}`;
  }

  @Complete('title', 'ask')
  titles(typed: string, { id }: Caller): string[] {
    return [`${typed} of ${id}`];
  }

  @Resource('notes://{title}')
  read({ title }: Note, caller: Caller): string {
    return `${title} of ${caller.id}`;
  }

  @ListTemplate('read')
  list({ id }: Caller): ListedResource[] {
    return [{ variables: { title: id } }];
  }
}
const serverOf = () => createServer({ name: 'notes', version: '1.0.0', features: [Notes], logger: false });

it('is a parameter by its type, of whatever is called', async () => {
  const client = await connect(serverOf(), { as: 'ada' });
  expect(await client.callTool('add', { title: 'a' })).toMatchObject({ content: [{ text: 'user ada: a' }] });
  expect(JSON.stringify(await client.getPrompt('ask', { title: 'a' }))).toContain('ada asks about a');
  expect(JSON.stringify(await client.readResource('notes://a'))).toContain('a of ada');
  expect(JSON.stringify(await client.listResources())).toContain('notes://ada');
  expect(JSON.stringify(await client.complete({ prompt: 'ask' }, 'title', 'x'))).toContain('x of ada');
  await client.close();
});

it('is local over stdio, whatever a client says [AUTH-002]', async () => {
  const [input, output, server] = [new PassThrough(), new PassThrough(), serverOf()];
  await server.listen(new StdioTransport({ input, output }));
  const meta = {
    'io.modelcontextprotocol/protocolVersion': '2026-07-28',
    'io.modelcontextprotocol/clientCapabilities': {},
    authorization: 'Bearer ada',
  };
  const params = { name: 'add', arguments: { title: 'a' }, _meta: meta };
  input.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params })}\n`);
  const [line] = (await once(output, 'data')) as [Buffer];
  await server.close();
  expect(String(line)).toContain('local local: a');
});

describe('a caller', () => {
  it('has scopes and roles, and the same rights as others of its kind who have the same', () => {
    const ada = new Caller({ id: 'ada', scopes: ['a', 'b'], roles: ['x'] });
    expect([ada.hasScopes(), ada.hasScopes('b', 'a'), ada.hasScopes('a', 'c')]).toEqual([true, true, false]);
    expect([ada.hasRole(), ada.hasRole('y', 'x'), ada.hasRole('y')]).toEqual([false, true, false]);
    expect(new Caller({ id: 'eve', scopes: ['b', 'a'], roles: ['x'] }).rights).toBe(ada.rights);
    const others = [
      { scopes: ['a'], roles: ['x'] },
      { scopes: ['a', 'b'], roles: [] },
      { scopes: ['a b'], roles: ['x'] },
      { scopes: ['a', 'b'], roles: ['x'], kind: 'client' },
      { kind: 'local' },
      { kind: 'local', scopes: [] },
    ] as const;
    const rights = others.map((init) => new Caller({ id: 'ada', ...init }).rights);
    expect(new Set([ada.rights, ...rights]).size).toBe(others.length + 1);
  });

  const ADA: CallerInit = { id: 'ada', clientId: 'desktop', issuer: 'https://id.example.com' };

  it('is frozen through and through, and shares nothing with what it was made of', () => {
    const init = { id: 'ada', scopes: ['read'], roles: ['keeper'], claims: { org: { id: 1 }, groups: ['a'] } };
    const caller = new Caller(init);
    init.claims.org.id = 2;
    init.scopes.push('write');
    expect(caller).toMatchObject({ scopes: ['read'], roles: ['keeper'], claims: { org: { id: 1 }, groups: ['a'] } });
    for (const part of [
      caller,
      caller.scopes,
      caller.roles,
      caller.claims,
      caller.claims['org'],
      caller.claims['groups'],
    ])
      expect(Object.isFrozen(part)).toBe(true);
  });

  it('can be made of parts of another', () => {
    const ada = new Caller({ id: 'ada', scopes: ['read'], roles: ['keeper'], claims: { org: 1 } });
    const { scopes, roles, claims } = ada;
    expect(new Caller({ id: 'eve', scopes, roles, claims })).toMatchObject({ scopes, roles, claims });
  });

  it('has expired where its time is none', () => {
    expect(new Caller({ id: 'ada', expiresAt: Date.parse('never') }).expiresAt).toBe(0);
  });

  it('copies whatever can be copied, circles and names of prototypes included, and says what cannot', () => {
    const circle: Record<string, unknown> = { at: new Date(7), set: new Set([1]), big: 1n };
    circle['self'] = circle;
    const { claims } = new Caller({ id: 'ada', claims: { circle, ...JSON.parse('{"__proto__":{"a":1}}') } });
    expect(claims['circle']).toMatchObject({ at: new Date(7), set: new Set([1]), big: 1n });
    expect(
      Object.getOwnPropertyDescriptor(
        new Caller({ id: 'a', claims: JSON.parse('{"__proto__":{"a":1}}') }).claims,
        '__proto__',
      )?.value,
    ).toEqual({ a: 1 });
    let deep: unknown = 'end';
    for (let level = 0; level < 3000; level++) deep = [deep];
    expect(Object.isFrozen(new Caller({ id: 'ada', claims: { deep } }).claims['deep'])).toBe(true);
    for (const wrong of [() => 1, Symbol('x')])
      expect(() => new Caller({ id: 'ada', claims: { wrong } })).toThrow(/could not be cloned/);
  });

  it('has a principal that neither scopes nor claims nor the time change', () => {
    const { principal } = new Caller(ADA);
    expect(principal).toMatch(/^[\w-]{43}$/);
    expect(new Caller({ ...ADA, scopes: ['read'], claims: { jti: 1 }, roles: ['a'], expiresAt: 1 }).principal).toBe(
      principal,
    );
  });

  it.each<[string, CallerInit]>([
    ['id', { ...ADA, id: 'eve' }],
    ['client', { ...ADA, clientId: 'phone' }],
    ['issuer', { ...ADA, issuer: 'https://other.example.com' }],
    ['kind', { ...ADA, kind: 'client' }],
    ['client, which is not known', { id: 'ada', issuer: 'https://id.example.com' }],
  ])('has another principal than one of another %s', (_what, other) => {
    expect(new Caller(other).principal).not.toBe(new Caller(ADA).principal);
  });

  it.each(['anonymous', 'local'] as const)('that is %s has no principal: nobody vouched for it', (kind) => {
    const caller = new Caller({ id: 'ada', kind });
    expect([caller.isAuthenticated, caller.principal]).toEqual([false, undefined]);
  });
});
