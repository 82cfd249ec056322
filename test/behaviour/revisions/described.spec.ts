/** `server.describe()`: the very definitions that clients are listed, in each revision and for each audience, without a start. */
import 'reflect-metadata';
import {
  Authenticated,
  Complete,
  Feature,
  MemoryTransport,
  Public,
  RateLimit,
  Resource,
  Roles,
  Scopes,
  Tool,
  UseGuards,
  createServer,
  prompt,
  resource,
  tool,
  type DescribedAudience,
  type Guard,
  type OnStart,
  type Server,
} from '@sigil-mcp/core';
import { Describe } from '@sigil-mcp/schema';
import { tasks } from '@sigil-mcp/tasks';
import { IsIn, IsString } from 'class-validator';
import type { TestCaller, TestClient } from '@sigil-mcp/testing';
import { eachRevision } from './checked';

class City {
  @Describe('Name of a city')
  @IsString()
  @IsIn(['Oslo', 'Rome'])
  city!: string;
}

class Closed implements Guard {
  allows(): boolean {
    return true;
  }
}

let built = 0;

@Feature()
@UseGuards(Closed)
class Notes implements OnStart {
  constructor() {
    built += 1;
  }

  onStart(): void {
    built += 1;
  }

  @Public()
  @Tool('Says what this is', { readOnly: true })
  about(): string {
    return 'Notes';
  }

  @Tool('Reads a note', { timeout: 500, concurrency: 2 })
  @UseGuards(RateLimit({ calls: 3, per: 'minute' }))
  read({ city }: City): string {
    return city;
  }

  @Scopes('notes:write')
  @Tool('Writes a note', { title: 'Write', destructive: true, output: City })
  write(given: City): City {
    return given;
  }

  @Scopes('notes:write', { listed: false })
  @UseGuards(Roles('admin', 'owner'))
  @Tool('Deletes all notes')
  purge(): string {
    return 'done';
  }

  @Resource('notes://{city}', { name: 'A note', cache: { ttlMs: 60_000, cacheScope: 'public' } })
  note({ city }: City): string {
    return city;
  }

  @Complete('city', 'note')
  cities(): string[] {
    return ['Oslo', 'Rome'];
  }
}

const notesServer = (): Server =>
  createServer({
    name: 'notes',
    version: '1.2.3',
    title: 'Notes',
    instructions: 'Ask before you purge.',
    features: [Notes],
  });

const callerOf = ({ name, hasToken, scopes, roles }: DescribedAudience): TestCaller | undefined => {
  if (name === 'everybody') return undefined;
  return hasToken ? { scopes, roles } : { kind: 'anonymous' };
};

const shelfServer = (): Server =>
  createServer({
    name: 'shelf',
    version: '1.0.0',
    features: [
      tool('count', { description: 'Counts the books', output: City, meta: { 'example.com/team': 'a' } }, () => ({
        city: 'Oslo',
      })),
      prompt('recommend', { description: 'Recommends a book', input: City }, ({ city }) => city),
      resource('shelf://all', { name: 'All books', mimeType: 'text/plain' }, () => 'none'),
      resource('shelf://hidden', { name: 'Hidden', unlisted: true }, () => 'none'),
    ],
  });

/** What a client is listed, by kind. */
async function listed(client: TestClient, server: Server): Promise<Readonly<Record<string, readonly object[]>>> {
  const kinds = new Set(server.describe().entries.map(({ kind }) => kind));
  return {
    tool: kinds.has('tool') ? (await client.listTools()).tools : [],
    resource: kinds.has('resource') ? (await client.listResources()).resources : [],
    'resource-template': kinds.has('resource-template') ? (await client.listResourceTemplates()).resourceTemplates : [],
    prompt: kinds.has('prompt') ? (await client.listPrompts()).prompts : [],
  };
}

/** What a description says that a client of an audience is listed. */
function said(server: Server, { sees }: DescribedAudience, revision: string): Record<string, readonly unknown[]> {
  const { entries } = server.describe();
  const isSeen = ({ kind, key }: { kind: string; key: string }): boolean =>
    sees.some((seen) => seen.kind === kind && seen.key === key);
  const shown = entries.filter(isSeen);
  const kinds = ['tool', 'resource', 'resource-template', 'prompt'].map((kind) => [
    kind,
    shown.filter((entry) => entry.kind === kind).map(({ wire }) => wire[revision]),
  ]);
  return Object.fromEntries(kinds) as Record<string, readonly unknown[]>;
}

describe('a description', () => {
  for (const [name, make] of [
    ['scopes and roles', notesServer],
    ['every kind of entry', shelfServer],
  ] as const)
    eachRevision(`has what each audience of a server with ${name} is listed`, async ({ connect, revision }) => {
      const described = make();
      const server = make();
      for (const audience of described.describe().audiences) {
        const as = callerOf(audience);
        const client = await connect(server, as === undefined ? {} : { as });
        expect(await listed(client, described)).toEqual(said(described, audience, revision));
      }
    });

  eachRevision('says of each audience what it may use', async ({ connect }) => {
    const server = notesServer();
    const { audiences, entries } = server.describe();
    const tools = entries.filter(({ kind }) => kind === 'tool');
    for (const audience of audiences) {
      const client = await connect(notesServer(), { as: callerOf(audience) ?? {} });
      const verdicts = await Promise.all(
        tools.map(({ key }) =>
          client.callTool(key, key === 'about' || key === 'purge' ? {} : { city: 'Oslo' }).then(
            () => [key],
            () => [],
          ),
        ),
      );
      expect([audience.name, verdicts.flat()]).toEqual([
        audience.name,
        audience.uses.filter(({ kind }) => kind === 'tool').map(({ key }) => key),
      ]);
    }
  });

  it('says who may use an entry, its limits, and where it is defined', () => {
    const { audiences, entries, ...server } = notesServer().describe();
    expect(server).toEqual({
      server: { name: 'notes', version: '1.2.3', title: 'Notes' },
      instructions: 'Ask before you purge.',
      memory: (192 + 28 * 4 + 30) * 1024 * 1024,
      revisions: ['2026-07-28', '2025-11-25', '2025-06-18', '2025-03-26', '2024-11-05'],
      extensions: [],
    });
    expect(audiences.map(({ name }) => name)).toEqual([
      'without a token',
      'with a token',
      'notes:write',
      'notes:write, role admin',
      'notes:write, roles admin owner',
    ]);
    const [read, purge, note] = ['read', 'purge', 'notes://{city}'].map((key) =>
      entries.find((each) => each.key === key),
    );
    expect(read).toMatchObject({
      access: { scopes: [], roles: [], isPublic: false, guards: ['Closed'] },
      limits: { timeout: 500, concurrency: 2, rates: [{ calls: 3, per: 'minute' }] },
      source: { feature: 'Notes', member: 'read' },
    });
    expect(purge).toMatchObject({ access: { scopes: ['notes:write'], roles: [['admin', 'owner']], isListed: false } });
    expect(note).toMatchObject({
      kind: 'resource-template',
      input: { properties: { city: { enum: ['Oslo', 'Rome'] } } },
      completes: ['city'],
      cache: { ttlMs: 60_000, cacheScope: 'public' },
    });
  });

  it('builds and starts nothing', () => {
    built = 0;
    notesServer().describe();
    expect(built).toBe(0);
  });

  it('has what the registry has: added, changed and without what is disabled or removed', async () => {
    const server = createServer({
      name: 'changing',
      version: '1.0.0',
      logger: false,
      features: [
        tool('one', { description: 'One' }, () => '1'),
        tool('two', { description: 'Two' }, () => '2'),
        prompt('three', { description: 'Three' }, () => '3'),
      ],
    });
    server.registry.update('tool', 'one', { description: 'The first' });
    server.registry.disable('tool', 'two');
    server.registry.remove('prompt', 'three');
    server.registry.add({ kind: 'tool', name: 'four', description: 'Four', handler: () => '4' });
    const all = (): unknown =>
      server.describe().entries.map(({ key, wire }) => [key, wire['2025-11-25']?.['description']]);
    const expected = [
      ['one', 'The first'],
      ['four', 'Four'],
    ];
    expect(all()).toEqual(expected);
    await server.listen(new MemoryTransport());
    expect(all()).toEqual(expected);
    await server.close();
  });

  it('tells nobody apart where no entry does, and names guards without a name', () => {
    const guard: Guard = { allows: () => true };
    const server = createServer({
      name: 'open',
      version: '1.0.0',
      guards: [guard, Authenticated()],
      features: [tool('one', { description: 'One' }, () => '1')],
    });
    const { audiences, entries } = server.describe();
    expect(audiences).toMatchObject([
      { name: 'everybody', sees: [{ kind: 'tool', key: 'one' }], uses: [{ kind: 'tool', key: 'one' }] },
    ]);
    expect(entries[0]?.access.guards).toEqual(['a guard', 'AuthenticatedGuard']);
  });

  it('has the options of extensions, by their names', () => {
    const server = createServer({
      name: 'tasks',
      version: '1.0.0',
      extensions: [tasks()],
      features: [tool('long', { description: 'Takes long', task: 'optional' }, () => '')],
    });
    expect(server.describe().entries[0]?.options).toMatchObject({ task: { support: 'optional' } });
  });

  it('is data: JSON has all of it', () => {
    for (const server of [notesServer(), shelfServer()])
      expect(JSON.parse(JSON.stringify(server.describe()))).toEqual(server.describe());
  });
});
