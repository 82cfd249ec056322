/** What extensions add to entries: options of decorators, further entries, what lists show, and checks of all entries together. */
import {
  DefinitionError,
  Feature,
  Tool,
  besideSource,
  createFact,
  createServer,
  entryOption,
  resource,
  sourceFileOf,
  tool,
  type Access,
  type DefinitionProblem,
  type EntryFacts,
  type EntryStage,
  type Extension,
  type Guard,
  type ServerOptions,
} from '@sigil-mcp/core';
import { connect } from '@sigil-mcp/testing';
import { eachRevision } from '../../support/each-revision';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

declare module '@sigil-mcp/core' {
  interface ToolOptions {
    /** The team that owns a tool; none if left out. */
    readonly team?: string;
  }
}

const NAME = 'com.example/teams';
const Team = createFact<string>({ label: 'Team', extension: NAME });
const Motto = createFact<string>({ label: 'Motto', extension: NAME, standsAlone: true });
const problemOf = (where: string, problem: string): DefinitionProblem => ({
  code: 'TEAMS',
  where,
  problem,
  fix: 'Fix it.',
});

function teams(more: Partial<Extension> = {}): Extension {
  return {
    name: NAME,
    protocol: { isForEveryRevision: true },
    options: [
      entryOption({
        kind: 'tool',
        name: 'team',
        fact: Team,
        read(value, report) {
          if (typeof value === 'string') return value;
          report({ code: 'TEAMS_TEAM', problem: 'the team is no text.', fix: 'Use a text.' });
          return undefined;
        },
      }),
    ],
    list(entry, entries) {
      const team = Team.of(entry);
      return team === undefined ? undefined : { meta: { team, of: [...entries.entries('tool')].length } };
    },
    ...more,
  };
}

@Feature()
class Desk {
  @Tool('Answers', { team: 'support' }) answer(): string {
    return 'yes';
  }
  @Tool('Asks', { meta: { team: 'own', other: 1 }, team: 'sales' }) ask(): string {
    return 'why';
  }
  @Tool('Waits') wait(): string {
    return 'so';
  }
}
const pay = tool('pay', { description: 'Pays', team: 'billing' }, () => 'paid');

const serverOf = (extension: Extension, more: Partial<ServerOptions> = {}) =>
  createServer({ name: 'a', version: '1.0.0', logger: false, features: [Desk, pay], extensions: [extension], ...more });

function problemsOf(make: () => unknown): readonly DefinitionProblem[] {
  try {
    make();
    return [];
  } catch (error) {
    if (error instanceof DefinitionError) return error.problems;
    throw error;
  }
}

eachRevision(
  'lists show what an extension says about entries, and their own _meta first',
  async ({ connect: open }) => {
    const client = await open(serverOf(teams()));
    const metas = async () =>
      Object.fromEntries((await client.listTools()).tools.map(({ name, _meta: meta }) => [name, meta]));
    expect(await metas()).toEqual({
      answer: { team: 'support', of: 4 },
      ask: { team: 'own', other: 1, of: 4 },
      wait: undefined,
      pay: { team: 'billing', of: 4 },
    });
  },
);

describe('an option of an extension', () => {
  it('is read for entries that are added or changed while the server runs', async () => {
    const server = serverOf(teams());
    const client = await connect(server);
    server.registry.add(tool('late', { description: 'Late', team: 'night' }, () => 'late'));
    server.registry.update('tool', 'answer', { description: 'Answers again' });
    const { tools } = await client.listTools();
    expect(tools.find(({ name }) => name === 'late')).toMatchObject({ _meta: { team: 'night', of: 4 } });
    expect(tools.find(({ name }) => name === 'answer')).toMatchObject({
      description: 'Answers again',
      _meta: { team: 'support' },
    });
    await client.close();
  });

  it('leaves an entry as it was if a change of it is not valid', async () => {
    const server = createServer({
      name: 'x',
      version: '1.0.0',
      features: [Desk],
      extensions: [teams()],
      logger: false,
    });
    const change = { description: 'Answers again', team: 5 } as unknown as { readonly description: string };
    expect(() => server.registry.update('tool', 'answer', change)).toThrow(DefinitionError);
    const { tools } = await (await connect(server)).listTools();
    expect(tools[0]).toMatchObject({ description: 'Answers', _meta: { team: 'support' } });
  });

  it('is reported with its place if its value is not valid', () => {
    const wrong = { description: 'Wrong', team: 7 as unknown as string };
    const features = [tool('wrong', wrong, () => 'ok')];
    expect(problemsOf(() => serverOf(teams(), { features }))).toEqual([
      { code: 'TEAMS_TEAM', where: 'tool("wrong")', problem: 'the team is no text.', fix: 'Use a text.' },
    ]);
  });

  it('is unknown to a server without the extension', () => {
    const problems = problemsOf(() => serverOf(teams(), { extensions: [] }));
    expect(problems.map(({ code, where }) => `${code} ${where}`)).toEqual([
      'SIGIL_ENTRY_MEMBER Desk.answer',
      'SIGIL_ENTRY_MEMBER Desk.ask',
      'SIGIL_ENTRY_MEMBER tool("pay")',
    ]);
  });

  it('has a name that neither the protocol nor another extension has', () => {
    const taken = entryOption({ kind: 'tool', name: 'output', fact: Team, read: () => undefined });
    const other: Extension = { name: 'com.example/other', options: teams().options ?? [] };
    expect(
      problemsOf(() => serverOf(teams({ options: [taken] }), { features: [] })).map(({ problem }) => problem),
    ).toEqual(['it adds the option of a tool output, which the protocol has.']);
    expect(problemsOf(() => serverOf(teams(), { extensions: [teams(), other] })).map(({ problem }) => problem)).toEqual(
      ['it adds the option of a tool team, which extension com.example/teams has.'],
    );
  });
});

describe('an extension', () => {
  it('adds entries, from the classes and the data of a definition', async () => {
    @Feature()
    @Motto('we answer')
    class Office {
      @Motto('a room') readonly room: unknown;
    }
    const seen: unknown[] = [];
    const extension = teams({
      features({ classes, data }) {
        for (const each of classes)
          seen.push([each.name, Motto.ofClass(each), Object.fromEntries(Motto.ofMembers(each))]);
        return data.map(({ name }) => resource(`team://${name}`, { name }, () => name));
      },
    });
    const client = await connect(serverOf(extension, { features: [Desk, pay], modules: [{ features: [Office] }] }));
    expect((await client.readResource('team://pay')).contents).toMatchObject([{ text: 'pay' }]);
    expect(seen).toEqual([
      ['Desk', [], {}],
      ['Office', ['we answer'], { room: ['a room'] }],
    ]);
    await client.close();
  });

  it('checks all entries together, once', () => {
    let times = 0;
    const extension = teams({
      checkAll(entries, report) {
        times += 1;
        const all = [...entries.entries('tool')].map(Team.of);
        if (!all.includes('press')) report(problemOf('the teams', `there is no press in ${all.length} tools.`));
        if (entries.find('tool', 'pay')) report(problemOf('pay', 'it exists.'));
      },
    });
    expect(problemsOf(() => serverOf(extension)).map(({ problem }) => problem)).toEqual([
      'there is no press in 4 tools.',
      'it exists.',
    ]);
    expect(times).toBe(1);
  });

  it('is told whether lists show an entry to a caller', async () => {
    class OnlyAnna implements Guard {
      allows({ caller }: Access): boolean {
        return caller.id === 'anna';
      }
    }
    const secret = tool('secret', { description: 'Secret', guards: [new OnlyAnna()] }, () => 'secret');
    const told: unknown[] = [];
    const stage: EntryStage = {
      isForEveryone: true,
      async run({ context }, next, { allows, entries }) {
        const one = entries.find('tool', 'secret') as EntryFacts;
        told.push([context.caller.id, await allows(context, one), await allows(context, { ...one, key: 'none' })]);
        return next();
      },
    };
    const server = serverOf(teams({ stage: ({ key }) => (key === 'pay' ? stage : undefined) }), {
      features: [pay, secret],
    });
    for (const id of ['anna', 'bert']) {
      const client = await connect(server, { as: { id } });
      await client.callTool('pay');
      await client.close();
    }
    expect(told).toEqual([
      ['anna', true, false],
      ['bert', false, false],
    ]);
  });
});

describe('a file next to a source', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sigil-beside-'));
  afterAll(() => rmSync(folder, { recursive: true }));
  const put = (path: string, text = ''): string => {
    mkdirSync(join(folder, path, '..'), { recursive: true });
    writeFileSync(join(folder, path), text);
    return join(folder, path);
  };

  it('is found from the file that calls a function', () => {
    const Named = (): string | undefined => sourceFileOf(Named);
    const within = (): string | undefined => Named();
    expect([Named(), within()]).toEqual([__filename, __filename]);
  });

  it('is looked for next to the compiled file, and then next to its source', () => {
    const compiled = put('dist/a.js');
    put('dist/a.js.map', JSON.stringify({ sources: ['../src/other.ts', '../src/deep/a.ts'] }));
    const page = put('src/deep/a.html');
    expect(besideSource('./a.html', compiled)).toBe(page);
    const copied = put('dist/a.html');
    expect(besideSource('./a.html', compiled)).toBe(copied);
    expect(besideSource('./missing.html', compiled)).toBe(join(folder, 'dist', 'missing.html'));
    expect(besideSource(page, compiled)).toBe(page);
    expect(besideSource('a.html', undefined)).toBe(join(process.cwd(), 'a.html'));
    put('dist/b.js.map', 'no map');
    expect(besideSource('./b.html', join(folder, 'dist', 'b.js'))).toBe(join(folder, 'dist', 'b.html'));
  });
});
