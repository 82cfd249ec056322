import { mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import ts from 'typescript';
import { runCaptured, type Said } from '../../../test/support/captured-cli';
import { filesUnder, TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());

const SERVER = `import { createServer } from '@sigil-mcp/core';
import { NotesFeature } from './notes.feature';

export const server = createServer({ name: 'x', version: '1.0.0', features: [NotesFeature] });
`;
const NOTES = `import { Feature } from '@sigil-mcp/core';

@Feature()
export class NotesFeature {}
`;
const tidy = { 'package.json': '{}', 'src/server.ts': SERVER, 'src/notes.feature.ts': NOTES };

/** A project with the TypeScript of this repository, in which commands run. */
function project(files: Readonly<Record<string, string>>): string {
  const folder = folders.make(files);
  mkdirSync(join(folder, 'node_modules'));
  const typescript = dirname(require.resolve('typescript/package.json'));
  symlinkSync(typescript, join(folder, 'node_modules', 'typescript'), 'dir');
  return folder;
}

async function add(folder: string, ...words: string[]): Promise<Said> {
  const spy = jest.spyOn(process, 'cwd').mockReturnValue(folder);
  try {
    return await runCaptured('add', ...words);
  } finally {
    spy.mockRestore();
  }
}

const read = (folder: string, path: string): string => readFileSync(join(folder, path), 'utf8');
const contents = (folder: string): Record<string, string> =>
  Object.fromEntries(
    filesUnder(folder)
      .filter((path) => !path.startsWith('node_modules'))
      .map((path) => [path, read(folder, path)]),
  );

describe('sigil add', () => {
  it('adds a tool with its input, its imports and its spec', async () => {
    const folder = project(tidy);
    expect(await add(folder, 'tool', 'findNote')).toEqual({
      status: 0,
      stderr: '',
      stdout:
        'Added the tool findNote:\n  changed  src/notes.feature.ts\n  wrote    test/find-note.spec.ts\n' +
        'Replace the texts that begin with TODO: a server with strict: true does not start with them.\n',
    });
    expect(read(folder, 'src/notes.feature.ts')).toBe(`import { Describe, Feature, Tool } from '@sigil-mcp/core';
import { IsString, Length } from 'class-validator';

class FindNoteInput {
  @Describe('TODO: say what a model has to know about this argument') @IsString() @Length(1, 200) text!: string;
}

@Feature()
export class NotesFeature {
  @Tool('TODO: say what findNote does, and when a model should call it')
  findNote({ text }: FindNoteInput): string {
    return \`findNote got: \${text}\`;
  }
}
`);
    expect(read(folder, 'test/find-note.spec.ts')).toContain("import { server } from '../src/server';");
  });

  it('says what it needs if the name is left out', async () => {
    const folder = project(tidy);
    expect(await add(folder, 'tool')).toEqual({
      status: 2,
      stdout: '',
      stderr: 'sigil add tool needs a name. [SIGIL_ADD_NAMELESS]\nWrite one, such as: sigil add tool findNote\n',
    });
  });

  it('takes a name with dashes, as URIs and files have it', async () => {
    const folder = project(tidy);
    const { status, stdout } = await add(folder, 'resource', 'all-notes2');
    expect({ status, stdout }).toEqual({ status: 0, stdout: expect.stringContaining('Added the resource allNotes2:') });
    expect(read(folder, 'src/notes.feature.ts')).toContain("@Resource('notes://all-notes2',");
    expect(read(folder, 'src/notes.feature.ts')).toContain('  allNotes2(): object {');
    expect(read(folder, 'test/all-notes2.spec.ts')).toContain("readResource('notes://all-notes2')");
  });

  it('adds a feature to the server', async () => {
    const folder = project(tidy);
    expect((await add(folder, 'feature', 'user-tasks')).status).toBe(0);
    expect(read(folder, 'src/server.ts')).toContain("import { UserTasksFeature } from './user-tasks.feature';");
    expect(read(folder, 'src/server.ts')).toContain('features: [NotesFeature, UserTasksFeature] });');
    expect(read(folder, 'src/user-tasks.feature.ts')).toContain('export class UserTasksFeature {');
    expect(read(folder, 'test/user-tasks.spec.ts')).toContain("callTool('aboutUserTasks')");
  });

  it('adds a view with its page, the tool that shows it, and the extension', async () => {
    const manifest = { name: 'x', dependencies: { '@sigil-mcp/core': '^0.1.0', zod: '^4.0.0' } };
    const folder = project({ ...tidy, 'package.json': JSON.stringify(manifest, undefined, 2) });
    expect(await add(folder, 'view', 'rain-chart')).toEqual({
      status: 0,
      stderr: '',
      stdout:
        'Added the view rainChart:\n  changed  src/notes.feature.ts\n  changed  src/server.ts\n  wrote    src/rain-chart.html\n' +
        '  changed  package.json\n  wrote    test/rain-chart.spec.ts\n' +
        'Run npm install: package.json names a package that was not there before.\n' +
        'Replace the texts that begin with TODO: a server with strict: true does not start with them.\n',
    });
    expect(read(folder, 'src/notes.feature.ts')).toBe(`import { Feature, Tool } from '@sigil-mcp/core';
import { View } from '@sigil-mcp/apps';

@Feature()
export class NotesFeature {
  @View('ui://notes/rain-chart', { file: './rain-chart.html' })
  readonly rainChart!: View;

  @Tool('TODO: say what showRainChart does, and when a model should call it', { view: 'rainChart', readOnly: true })
  showRainChart(): string {
    return 'Nothing yet.';
  }
}
`);
    expect(read(folder, 'src/server.ts')).toBe(`import { createServer } from '@sigil-mcp/core';
import { NotesFeature } from './notes.feature';
import { apps } from '@sigil-mcp/apps';

export const server = createServer({ name: 'x', version: '1.0.0', features: [NotesFeature], extensions: [apps()] });
`);
    expect(read(folder, 'src/rain-chart.html')).toContain('<title>Rain chart</title>');
    expect(JSON.parse(read(folder, 'package.json'))).toEqual({
      name: 'x',
      dependencies: { '@sigil-mcp/apps': '^0.1.0', '@sigil-mcp/core': '^0.1.0', zod: '^4.0.0' },
    });
    expect(read(folder, 'test/rain-chart.spec.ts')).toContain("readResource('ui://notes/rain-chart')");
  });

  it.each([
    [['feature', 'sales'], ['view', 'sales'], 'test/sales-view.spec.ts'],
    [['view', 'sales'], ['feature', 'sales'], 'test/sales-feature.spec.ts'],
    [['feature', 'sales'], ['tool', 'sales'], 'test/sales-tool.spec.ts'],
  ])('adds what has one name, in its feature: %j, then %j', async (first, second, spec) => {
    const folder = project(tidy);
    expect(await add(folder, ...first)).toMatchObject({ status: 0, stderr: '' });
    const { status, stdout, stderr } = await add(folder, ...second);
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toContain(`wrote    ${spec}`);
    expect(filesUnder(join(folder, 'test'))).toHaveLength(2);
    const feature = first[0] === 'feature' ? 'src/sales.feature.ts' : 'src/notes.feature.ts';
    expect(read(folder, feature)).toMatch(/\b(?:sales\(|readonly sales!)/);
  });

  it('adds a second view to a server that has the extension', async () => {
    const folder = project(tidy);
    expect((await add(folder, 'view', 'one')).status).toBe(0);
    const before = read(folder, 'src/server.ts');
    expect((await add(folder, 'view', 'two')).status).toBe(0);
    expect(read(folder, 'src/server.ts')).toBe(before);
    expect(read(folder, 'src/notes.feature.ts')).toContain("{ view: 'two', readOnly: true }");
  });

  it('adds the extension to a list, and in a project of one file', async () => {
    const listed = SERVER.replace('features:', 'extensions: [jobs()], features:');
    const folder = project({ ...tidy, 'src/server.ts': listed });
    await add(folder, 'view', 'one');
    expect(read(folder, 'src/server.ts')).toContain('extensions: [jobs(), apps()], features:');

    const whole = `${NOTES}
export const server = createServer({ name: 'x', version: '1.0.0', features: [NotesFeature] });
`.replace('{ Feature }', '{ createServer, Feature }');
    const single = project({ 'package.json': '{}', 'src/server.ts': whole });
    await add(single, 'view', 'one');
    expect(read(single, 'src/server.ts')).toContain("import { View, apps } from '@sigil-mcp/apps';");
    expect(read(single, 'src/server.ts')).toContain('features: [NotesFeature], extensions: [apps()] });');
  });

  it('changes nothing if the page exists, or the options of the server are elsewhere', async () => {
    const taken = { ...tidy, 'src/one.html': 'mine' };
    const folder = project(taken);
    expect((await add(folder, 'view', 'one')).stderr).toContain('src/one.html already exists');
    const elsewhere = { ...tidy, 'src/server.ts': SERVER.replace(/\{ name.*\}/, 'options') };
    const other = project(elsewhere);
    expect((await add(other, 'view', 'one')).stderr).toContain('[SIGIL_ADD_NO_OPTIONS]');
    expect([contents(folder), contents(other)]).toEqual([taken, elsewhere]);
  });

  describe('a skill', () => {
    it('is put into a folder of its own, which the server serves', async () => {
      const folder = project(tidy);
      expect(await add(folder, 'skill', 'sortNotes')).toMatchObject({
        status: 0,
        stdout: expect.stringContaining(
          'Added the skill sort-notes:\n  wrote    src/skills/sort-notes/SKILL.md\n  changed  src/server.ts\n  wrote    test/sort-notes.spec.ts\n',
        ) as unknown,
      });
      expect(read(folder, 'src/skills/sort-notes/SKILL.md')).toMatch(
        /^---\nname: sort-notes\ndescription: 'TODO: .*'\n---\n\n# Sort notes\n/,
      );
      expect(read(folder, 'src/server.ts')).toBe(`import { createServer } from '@sigil-mcp/core';
import { NotesFeature } from './notes.feature';
import { skills } from '@sigil-mcp/skills';

export const server = createServer({ name: 'x', version: '1.0.0', features: [NotesFeature], extensions: [skills({ folders: ['./skills'] })] });
`);
      expect(read(folder, 'test/sort-notes.spec.ts')).toContain("readResource('skill://sort-notes/SKILL.md')");
      const before = read(folder, 'src/server.ts');
      expect((await add(folder, 'skill', 'find-notes')).status).toBe(0);
      expect(read(folder, 'src/server.ts')).toBe(before);
    });

    it('is put next to a feature that is named', async () => {
      const folder = project(tidy);
      expect((await add(folder, 'skill', 'sort-notes', '--feature', 'notes')).status).toBe(0);
      expect(read(folder, 'src/notes.feature.ts')).toBe(`import { Feature } from '@sigil-mcp/core';
import { Skill } from '@sigil-mcp/skills';

@Feature()
@Skill('./sort-notes.md')
export class NotesFeature {}
`);
      expect(read(folder, 'src/server.ts')).toContain('extensions: [skills()] });');
      expect((await add(folder, 'skill', 'find-notes')).status).toBe(0);
      expect(read(folder, 'src/server.ts')).toContain("extensions: [skills({ folders: ['./skills'] })] });");
      expect((await add(folder, 'skill', 'more-notes', '--feature', 'notes')).status).toBe(0);
      expect(read(folder, 'src/notes.feature.ts')).toContain("@Skill('./sort-notes.md')\n@Skill('./more-notes.md')\n");
    });

    it('names its package in package.json', async () => {
      const manifest = { name: 'x', dependencies: { '@sigil-mcp/core': '^0.1.0' } };
      const folder = project({ ...tidy, 'package.json': JSON.stringify(manifest) });
      expect((await add(folder, 'skill', 'a')).stdout).toContain('Run npm install');
      expect(JSON.parse(read(folder, 'package.json'))).toMatchObject({
        dependencies: { '@sigil-mcp/skills': '^0.1.0' },
      });
    });

    it('joins other extensions and options', async () => {
      const cases = {
        'extensions: []': "extensions: [skills({ folders: ['./skills'] })]",
        'extensions: [other()]': "extensions: [other(), skills({ folders: ['./skills'] })]",
        'extensions: [skills({ directoryRead: true })]':
          "extensions: [skills({ directoryRead: true, folders: ['./skills'] })]",
      };
      for (const [before, after] of Object.entries(cases)) {
        const imported = before.includes('skills(') ? "import { skills } from '@sigil-mcp/skills';\n" : '';
        const server = `${imported}${SERVER.replace('features: [NotesFeature]', `features: [NotesFeature], ${before}`)}`;
        const folder = project({ ...tidy, 'src/server.ts': server });
        expect((await add(folder, 'skill', 'a')).status).toBe(0);
        expect(read(folder, 'src/server.ts')).toContain(after);
      }
    });

    it('is refused with nothing changed: odd names, files that exist, extensions made elsewhere', async () => {
      const elsewhere = SERVER.replace('features: [NotesFeature]', 'extensions');
      const cases: readonly (readonly [string, string, string])[] = [
        [project(tidy), 'my skill', 'SIGIL_ADD_SKILL_NAME'],
        [project({ ...tidy, 'src/skills/a/SKILL.md': '' }), 'a', 'SIGIL_ADD_FILE_TAKEN'],
        [project({ ...tidy, 'src/server.ts': elsewhere }), 'a', 'SIGIL_ADD_NO_OPTIONS'],
      ];
      for (const [folder, name, code] of cases) {
        const before = contents(folder);
        expect((await add(folder, 'skill', name)).stderr).toContain(code);
        expect(contents(folder)).toEqual(before);
      }
    });
  });

  it('writes as the file is written: tabs, double quotes, no semicolons, the line ends of Windows', async () => {
    const feature = [
      'import {',
      '\tFeature,',
      '\tTool,',
      '} from "@sigil-mcp/core"',
      '',
      '/** Notes. */',
      '@Feature()',
      'export class NotesFeature {',
      '\t@Tool("Says   hello") // kept',
      '\thello( ) { return "hello" } // kept, too',
      '}',
      '',
    ].join('\r\n');
    const folder = project({ ...tidy, 'src/notes.feature.ts': feature });
    expect((await add(folder, 'prompt', 'sortNotes')).status).toBe(0);
    const text = read(folder, 'src/notes.feature.ts');
    expect(text).toBe(
      [
        'import {',
        '\tDescribe,',
        '\tFeature,',
        '\tPrompt,',
        '\tTool,',
        '} from "@sigil-mcp/core"',
        'import { IsString, Length } from "class-validator"',
        '',
        'class SortNotesInput {',
        '\t@Describe("TODO: say what this argument is for") @IsString() @Length(1, 200) topic!: string',
        '}',
        '',
        '/** Notes. */',
        '@Feature()',
        'export class NotesFeature {',
        '\t@Tool("Says   hello") // kept',
        '\thello( ) { return "hello" } // kept, too',
        '',
        '\t@Prompt("TODO: say what sortNotes is for, to the user who picks it")',
        '\tsortNotes({ topic }: SortNotesInput): string {',
        '\t\treturn `Let us talk about ${topic}.`',
        '\t}',
        '}',
        '',
      ].join('\r\n'),
    );
  });

  it('takes the names that a file has for what it needs', async () => {
    const feature = `import { Describe as Says, Feature as F, Tool as T } from '@sigil-mcp/core';
import * as V from 'class-validator';

@F()
export class NotesFeature {
  @T('x') x(@Says('y') y: V.ValidationError): void {}
}
`;
    const server = SERVER.replace('{ createServer }', '* as sigil').replace('createServer(', 'sigil.createServer(');
    const folder = project({ ...tidy, 'src/notes.feature.ts': feature, 'src/server.ts': server });
    expect(await add(folder, 'tool', 'findNote')).toMatchObject({ status: 0, stderr: '' });
    const text = read(folder, 'src/notes.feature.ts');
    expect(text).toContain(
      "  @Says('TODO: say what a model has to know about this argument') @V.IsString() @V.Length(1, 200) text!",
    );
    expect(text).toContain("  @T('TODO: say what findNote does, and when a model should call it')\n");
    expect(text.match(/^import .*/gm)).toEqual(feature.match(/^import .*/gm));
    expect((await add(folder, 'resource', 'all')).status).toBe(0);
    expect(read(folder, 'src/notes.feature.ts')).toContain('Feature as F, Resource, Tool as T }');
    expect((await add(folder, 'feature', 'tasks')).status).toBe(0);
  });

  it('adds an import of values beside one of types', async () => {
    const feature = NOTES.replace('{ Feature }', '{ Feature, type Tool }').replace(
      '\n\n',
      "\nimport type * as V from 'class-validator';\n\nexport type Of = V.ValidationError;\n",
    );
    const folder = project({ ...tidy, 'src/notes.feature.ts': feature });
    const { status, stderr } = await add(folder, 'tool', 'findNote');
    expect([status, stderr]).toEqual([1, expect.stringContaining('The name Tool')]);
    expect((await add(folder, 'prompt', 'sortNotes')).status).toBe(0);
    expect(read(folder, 'src/notes.feature.ts')).toContain("import { IsString, Length } from 'class-validator';");
  });

  it('puts a feature into a list of one name per line, with its comma, and leaves comments where they are', async () => {
    const server = SERVER.replace('features: [NotesFeature]', 'features: [\n    NotesFeature, // first\n  ],\n');
    const folder = project({ ...tidy, 'src/server.ts': server });
    expect((await add(folder, 'feature', 'tasks')).status).toBe(0);
    expect(read(folder, 'src/server.ts')).toContain('    NotesFeature, // first\n    TasksFeature,\n  ],');
  });

  it.each(['TasksFeature', 'src/tasks.feature.ts', 'tasks.feature.ts', 'tasks'])(
    'finds the feature that is called %s',
    async (wanted) => {
      const folder = project(tidy);
      await add(folder, 'feature', 'tasks');
      expect((await add(folder, 'resource', 'openTasks', '--feature', wanted)).stderr).toBe('');
      expect(read(folder, 'src/tasks.feature.ts')).toContain("@Resource('tasks://open-tasks',");
      expect(read(folder, 'src/notes.feature.ts')).toBe(NOTES);
    },
  );

  it('leaves a project whose every file still parses', async () => {
    const folder = project(tidy);
    for (const words of [
      ['tool', 'a'],
      ['resource', 'b'],
      ['prompt', 'c'],
      ['feature', 'd'],
      ['tool', 'e', '-f', 'd'],
    ]) {
      expect(await add(folder, ...words)).toMatchObject({ status: 0, stderr: '' });
    }
    for (const [path, text] of Object.entries(contents(folder)).filter(([name]) => name.endsWith('.ts'))) {
      const { diagnostics } = ts.transpileModule(text, { reportDiagnostics: true });
      expect([path, diagnostics]).toEqual([path, []]);
    }
  });
});

describe('sigil add changes nothing', () => {
  const twice = NOTES.replace('{}', '{\n  findNote() {}\n}');
  const hidden = SERVER.replace('export const server =', 'const server =');
  const listed = SERVER.replace('[NotesFeature]', 'all');

  it.each<[string, Readonly<Record<string, string>>, string[], string]>([
    [
      'if a method has the name',
      { 'src/notes.feature.ts': twice },
      ['tool', 'findNote'],
      'already has findNote (src/notes.feature.ts:5).',
    ],
    [
      'if the name is no identifier',
      {},
      ['tool', 'find note!'],
      '"find note!" cannot be used as a method name. [SIGIL_ADD_METHOD_NAME]\nUse "findNote"',
    ],
    [
      'if the name begins with a digit',
      {},
      ['tool', '2-notes'],
      '"2-notes" cannot be used as a method name. [SIGIL_ADD_METHOD_NAME]\nUse "notes"',
    ],
    [
      'if a method has the name without the dashes',
      { 'src/notes.feature.ts': twice },
      ['tool', 'find-note'],
      'already has findNote (src/notes.feature.ts:5).',
    ],
    ['if the name is the constructor', {}, ['tool', 'constructor'], 'cannot be used as a method name.'],
    [
      'if the name of the input is taken',
      { 'src/notes.feature.ts': `${NOTES}class AInput {}\n` },
      ['tool', 'a'],
      'The name AInput is already used for something else',
    ],
    [
      'if a name that it needs is taken',
      { 'src/notes.feature.ts': `${NOTES}const Tool = 1;\n` },
      ['tool', 'a'],
      'The name Tool is already used for something else',
    ],
    [
      'if a file does not parse',
      { 'src/broken.ts': 'const = 1;\n' },
      ['tool', 'a'],
      'src/broken.ts:1 has a syntax error: ',
    ],
    ['if there is no server', { 'src/server.ts': '' }, ['tool', 'a'], 'There is no createServer(...) in '],
    [
      'if there are two servers',
      { 'src/two.ts': SERVER },
      ['tool', 'a'],
      'several servers: in src/server.ts, src/two.ts.',
    ],
    [
      'if the server is not exported',
      { 'src/server.ts': hidden },
      ['tool', 'a'],
      'The server in src/server.ts is not exported',
    ],
    [
      'if the spec is there',
      { 'test/a.spec.ts': '', 'test/a-tool.spec.ts': '' },
      ['tool', 'a'],
      'test/a.spec.ts already exists.',
    ],
    ['if the feature is there', {}, ['feature', 'notes'], 'NotesFeature already exists (src/notes.feature.ts).'],
    [
      'if the file of a feature is there',
      { 'src/tasks.feature.ts': '' },
      ['feature', 'tasks'],
      'src/tasks.feature.ts already exists.',
    ],
    ['if the features are no list', { 'src/server.ts': listed }, ['feature', 'tasks'], 'has no features: [...] list'],
    ['if a feature has no possible name', {}, ['feature', '../x'], '"../x" cannot be used as a class name.'],
    [
      'if there are several features and none is chosen',
      { 'src/b.ts': NOTES.replace('Notes', 'Other') },
      ['tool', 'a'],
      'There are several features: OtherFeature (src/b.ts), NotesFeature',
    ],
    [
      'if nobody is called so',
      {},
      ['tool', 'a', '-f', 'nobody'],
      'No single feature is called nobody. [SIGIL_ADD_FEATURE_UNKNOWN]\nChoose one of these: NotesFeature',
    ],
  ])('%s', async (_case, files, words, message) => {
    const folder = project({ ...tidy, ...files });
    const before = contents(folder);
    const { status, stdout, stderr } = await add(folder, ...words);
    // A name that is typed wrongly is wrong usage; the state of the project is not.
    const isTyped = /\[SIGIL_ADD_(?:METHOD_NAME|CLASS_NAME|FEATURES|FEATURE_UNKNOWN)\]/.test(stderr);
    expect({ status, stdout }).toEqual({ status: isTyped ? 2 : 1, stdout: '' });
    expect(stderr).toContain(message);
    expect(stderr.trimEnd().split('\n')).toHaveLength(2);
    expect(contents(folder)).toEqual(before);
  });
});
