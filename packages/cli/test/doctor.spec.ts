import { runCaptured } from '../../../test/support/captured-cli';
import { bareProject, doctor, installed, removeProjects, sound, tsconfig } from '../../../test/support/sound-project';

afterEach(removeProjects);

describe('sigil doctor', () => {
  it('finds nothing where nothing is wrong', async () => {
    const { status, stdout, stderr } = await doctor({});
    expect({ status, stderr }).toEqual({ status: 0, stderr: '' });
    expect(stdout).toMatch(/^(✓ .*\n){15}\nNo problems found\.\n$/);
  });

  it.each(['>=20.19', '^20.19.0 || >=22.12', 'whatever'])('finds nothing in engines of %s', async (node) => {
    const { stdout } = await doctor({ 'package.json': JSON.stringify({ name: 'x', engines: { node } }) });
    expect(stdout).toContain('No problems found.');
  });

  it('finds nothing where files import each other and are loaded in an order that works', async () => {
    const { status, stdout } = await doctor({
      'src/main.ts': "import './feature';\n",
      'src/note.ts':
        "import { Query } from './feature';\nexport class Note { query = () => new Query(); }\nexport type Kind = string;\n",
    });
    expect([status, stdout]).toEqual([0, expect.stringContaining('No problems found.')]);
  });

  describe('and the settings of AI applications', () => {
    const served = (module: string) => ({ 'src/main.ts': `import { x } from '${module}';\nexport const y = x;\n` });
    const dev = { command: 'npx', args: ['--no-install', 'sigil', 'dev'] };

    it.each([
      ['.mcp.json', { mcpServers: { notes: dev } }],
      ['.mcp.json', { mcpServers: { notes: { command: 'node', args: ['src/main.ts'] } } }],
      ['.vscode/mcp.json', { servers: { notes: dev } }],
      [
        '.mcp.json',
        { mcpServers: { notes: { command: 'node', args: ['node_modules/@sigil-mcp/cli/dist/main.js', 'dev'] } } },
      ],
      [
        '.cursor/mcp.json',
        { mcpServers: { notes: { ...dev, args: ['sigil', 'dev', '${workspaceFolder}/src/main.ts'] } } },
      ],
    ])('finds a command in %s if no source serves stdio: %j', async (file, settings) => {
      const { stdout } = await doctor({
        ...served('@sigil-mcp/fastify'),
        [file]: `// mine\n${JSON.stringify(settings)}`,
      });
      expect(stdout).toContain(
        `${file} starts "notes" with a command, over stdio, but no source of this project serves stdio.`,
      );
      expect(stdout).toContain('Put the URL of the server there');
    });

    it.each([
      ['@sigil-mcp/core/stdio', { notes: dev }],
      ['@sigil-mcp/fastify', { notes: { type: 'http', url: 'http://127.0.0.1:3000/mcp' } }],
      ['@sigil-mcp/fastify', { other: { command: 'npx', args: ['-y', 'other-server'] } }],
      ['@sigil-mcp/fastify', { other: { command: 'node', args: ['/elsewhere/main.js'] } }],
      ['@sigil-mcp/fastify', 'odd'],
    ])('finds nothing else (%s, %j)', async (module, mcpServers) => {
      const { stdout } = await doctor({ ...served(module), '.mcp.json': JSON.stringify({ mcpServers }) });
      expect(stdout).not.toContain('no source of this project serves stdio');
    });
  });

  it.each<[string, Readonly<Record<string, string>>, string, string]>([
    [
      'a missing flag',
      tsconfig({ emitDecoratorMetadata: false }),
      'emitDecoratorMetadata is not set',
      '"emitDecoratorMetadata": true',
    ],
    [
      'engines that refuse this Node',
      { 'package.json': '{"name":"x","engines":{"node":">=99"}}' },
      `This is Node ${process.versions.node}; the project requires >=99 ("engines" in package.json).`,
      'Use a Node in that range',
    ],
    [
      'engines that let a Node in which is too old for Sigil',
      { 'package.json': '{"name":"x","engines":{"node":">=18 || ^16.3"}}' },
      'lets the project run on Node >=18 || ^16.3; Sigil needs >=20.19.',
      '"engines": { "node": ">=20.19" }',
    ],
    [
      'a description that is still to be written',
      {
        'src/feature.ts':
          "declare const Tool: (text: string) => MethodDecorator;\nexport class Notes {\n  @Tool('TODO: say it') add(): void {}\n}\n",
      },
      'src/feature.ts:3: the description is a placeholder: "TODO: say it".',
      'Write what a model should read',
    ],
    [
      'files compiled together',
      tsconfig({ isolatedModules: false }),
      'isolatedModules is not set',
      '"isolatedModules": true',
    ],
    [
      'modules that Node does not run',
      tsconfig({ module: 'esnext', moduleResolution: 'bundler' }),
      'module is not one',
      '"module": "node20"',
    ],
    [
      'CommonJS that Node takes for ES modules',
      { ...tsconfig({ module: 'commonjs' }), 'package.json': '{"name":"x","type":"module"}' },
      'module is CommonJS, but Node reads the files as ES modules',
      '"module": "node20"',
    ],
    [
      'classes of files that import each other',
      {
        'src/main.ts': "import './note';\n",
        'src/note.ts':
          "import { Query } from './feature';\nexport class Note { query = new Query(); }\nexport type Kind = string;\n",
      },
      'src/feature.ts:5 needs the class Note of src/note.ts, which is loaded later: the two files import each other.',
      'Move Note, or the code that imports it, to a separate file.',
    ],
    ['missing types', tsconfig({ types: [] }), '"types" does not name "node"', '"types": ["node"]'],
    [
      'two copies',
      {
        'node_modules/orm/package.json': '{}',
        'node_modules/orm/node_modules/reflect-metadata/package.json': '{"name":"reflect-metadata","version":"0.1.14"}',
      },
      'reflect-metadata is installed 2 times',
      'npm dedupe',
    ],
    [
      'versions that differ',
      installed('@sigil-mcp/testing', '0.0.9'),
      '@sigil-mcp/core 0.1.0, @sigil-mcp/testing 0.0.9',
      'the same version',
    ],
    [
      'a peer out of range',
      installed('class-validator', '0.14.0'),
      '@sigil-mcp/core needs class-validator ^0.15.1; 0.14.0 is installed.',
      'npm install "class-validator@^0.15.1"',
    ],
    [
      'a peer that is missing',
      installed('@sigil-mcp/core', '0.1.0', {
        peerDependencies: { fastify: '^5.0.0', ajv: '^8.17.0' },
        peerDependenciesMeta: { ajv: { optional: true } },
      }),
      '@sigil-mcp/core needs fastify ^5.0.0; it is not installed.',
      'npm install "fastify@^5.0.0"',
    ],
    [
      'a runner that drops types',
      { 'package.json': '{"scripts":{"dev":"tsx watch src/main.ts"}}' },
      'The script "dev" uses tsx',
      'sigil dev',
    ],
    ['tests of Vite', { 'package.json': '{"scripts":{"test":"vitest run"}}' }, 'The script "test" uses Vite', 'jest'],
    [
      'swc without metadata',
      { 'package.json': '{"scripts":{"build":"swc src -d dist"}}' },
      'uses swc',
      'decoratorMetadata',
    ],
    [
      'an unguarded stdout',
      {
        'src/main.ts':
          "\nimport '@sigil-mcp/core';\nimport { StdioTransport } from '@sigil-mcp/core/stdio';\nvoid StdioTransport;\n",
      },
      'src/main.ts:2 serves over stdio',
      "import '@sigil-mcp/core/stdio/guard';",
    ],
    [
      'a class imported as a type',
      { 'src/feature.ts': sound['src/feature.ts'].replace('{ Note,', '{ type Note,') },
      'src/feature.ts:5 needs the class Note',
      'src/feature.ts:1',
    ],
    [
      'classes imported as types',
      { 'src/feature.ts': sound['src/feature.ts'].replace('{ Note, type Kind }', 'type { Note, Kind }') },
      'src/feature.ts:5 needs the class Note',
      'src/feature.ts:1',
    ],
    [
      'a namespace imported as types',
      {
        'src/feature.ts': sound['src/feature.ts']
          .replace('{ Note, type Kind }', 'type * as N')
          .replace('note: Note', 'note: N.Note')
          .replace('kind!: Kind', 'kind!: N.Kind'),
      },
      'src/feature.ts:5 needs the class N.Note',
      'src/feature.ts:1',
    ],
    [
      'an optional class imported as a type',
      {
        'src/feature.ts': sound['src/feature.ts']
          .replace('{ Note,', '{ type Note,')
          .replace('note: Note', 'note: Note | undefined'),
      },
      'src/feature.ts:5 needs the class Note',
      'src/feature.ts:1',
    ],
    [
      'what prints above the guard',
      { 'src/main.ts': `console.log('starting');\n${sound['src/main.ts']}` },
      'src/main.ts:1 runs before the guard of stdout',
      "Put import '@sigil-mcp/core/stdio/guard'; above it.",
    ],
    [
      'a module loaded above the guard',
      { 'src/main.ts': `export * from './note';\n${sound['src/main.ts']}` },
      'src/main.ts:1 runs before the guard of stdout',
      'above it.',
    ],
  ])('finds %s, and says how to fix it', async (_case, files, what, fix) => {
    const { status, stdout } = await doctor(files);
    expect(status).toBe(1);
    const lines = stdout.split('\n');
    const line = lines.findIndex((each) => each.includes(what));
    expect(stdout).toContain(what);
    expect(lines[line + 1]).toContain(fix);
    expect(stdout).toContain('1 thing to fix.');
  });

  it('lists the properties that say too little, each with what to write', async () => {
    const { status, stdout } = await doctor({
      'src/query.ts': `import { Describe } from '@sigil-mcp/core';
import { Allow, IsArray, IsDefined, IsInt, IsOptional as Maybe, ValidateNested } from 'class-validator';
interface Shape { a: string }
class Entity { id!: string }
class Known { @IsInt() id!: number }
declare const Custom: () => PropertyDecorator;
export class Query {
  @Maybe() data?: Shape;
  @IsDefined() payload: any;
  @Maybe() record?: Record<string, unknown>;
  @Maybe() several?: string | null;
  @IsArray() names!: string[];
  @Maybe() tags?: Set<string>;
  @IsDefined() @Describe('an entity') entity!: Entity;
  @Maybe() name?: string;
  @Maybe() kind?: 'a' | 'b';
  @Maybe() day?: Date;
  @IsDefined() flag!: boolean;
  @IsDefined() @Custom() unknown: any;
  @Allow() anything: unknown;
  @IsArray() @IsInt({ each: true }) numbers!: number[];
  @ValidateNested() known!: Known;
  @IsDefined() unchecked!: Known;
  plain: any;
}
`,
    });
    expect(status).toBe(1);
    expect(stdout.split('\n').flatMap((line) => /^ {4}(src.*?Query\.\w+) .*/.exec(line)?.[1] ?? [])).toEqual([
      'src/query.ts:8: Query.data',
      'src/query.ts:9: Query.payload',
      'src/query.ts:10: Query.record',
      'src/query.ts:11: Query.several',
      'src/query.ts:12: Query.names',
      'src/query.ts:13: Query.tags',
      'src/query.ts:14: Query.entity',
    ]);
    expect(stdout).toContain('✗ Properties declare their types\n');
    expect(stdout.match(/→ Add the type of the items: @IsString\(\{ each: true \}\)/g)).toHaveLength(2);
    expect(stdout).toContain('Query.entity holds Entity, a class without decorators');
  });

  it('finds properties that tests read as any value, because only an imported type says what they hold', async () => {
    const { status, stdout } = await doctor({
      'src/types.ts': `export type ID = string;
export enum Level { Low, High }
export namespace Money { export type Cents = number; }
`,
      'src/cost.ts': `import { IsOptional, IsString } from 'class-validator';
import { Level, type ID } from './types';
import type * as types from './types';
type Own = string;
export class Cost {
  @IsOptional() price?: ID;
  @IsOptional() level?: Level;
  @IsOptional() cents?: types.Money.Cents;
  @IsOptional() own?: Own;
  @IsOptional() name?: string;
  @IsString() said!: ID;
}
`,
    });
    expect(status).toBe(1);
    expect(stdout).toContain('✗ Tests read the types that the build reads\n');
    const found = [...stdout.matchAll(/(src.*?): (\S+) has no other description than the imported type (\S+)\. The/g)];
    expect(found.map(([, ...words]) => words)).toEqual([
      ['src/cost.ts:6', 'Cost.price', 'ID'],
      ['src/cost.ts:7', 'Cost.level', 'Level'],
      ['src/cost.ts:8', 'Cost.cents', 'types.Money.Cents'],
    ]);
    expect(stdout.match(/→ Declare its type with a decorator, such as @IsString\(\)/g)).toHaveLength(3);
  });

  it('finds lists of lists, and records that are described as lists', async () => {
    const { stdout } = await doctor({
      'src/query.ts': `import { Transform } from 'class-transformer';
import { IsArray, IsInt, ValidateNested } from 'class-validator';

class Cell {
  @IsInt() value!: number;
}

export class Query {
  @ValidateNested({ each: true }) rows!: Cell[][];
  @IsInt({ each: true }) numbers!: readonly (readonly number[])[];
  @IsInt({ each: true }) sets!: Set<Array<number>>;
  @ValidateNested({ each: true }) record!: Record<string, Cell>;
  @ValidateNested({ each: true }) flat!: Cell[];
  @IsInt({ each: true }) @Transform(({ value }) => [value]) made!: number[][];
  @IsArray() free!: unknown[][];
}
`,
    });
    expect(
      stdout
        .split('\n')
        .flatMap((line) => /^ {4}src.*?Query\.(\w+) is (a list of lists|read as)/.exec(line)?.[1] ?? []),
    ).toEqual(['rows', 'numbers', 'sets', 'record']);
    expect(stdout).toContain('✗ Lists hold what their types say\n');
  });

  it('lets stand above the guard what prints nothing', async () => {
    const harmless =
      "'use strict';\nimport type { Note } from './note';\nconst name = 'x';\nfunction say(note: Note) { console.log(note, name); }\n";
    const { stdout } = await doctor({ 'src/main.ts': `${harmless}${sound['src/main.ts']}void say;\n` });
    expect(stdout).toContain('No problems found.');
  });

  it('writes JSON for programs', async () => {
    const { status, stdout } = await doctor(tsconfig({ types: [] }), '--json');
    expect(status).toBe(1);
    const { ok, checks } = JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(checks).toHaveLength(15);
    expect(checks[2].findings).toMatchObject([{ fix: expect.stringContaining('"types"') }]);
  });

  it('says where there is no project, and where nothing is installed', async () => {
    const bare = await runCaptured('doctor', bareProject());
    expect(bare).toMatchObject({ status: 1, stderr: expect.stringContaining('are not installed.') });
  });
});

it('judges the version of an optional peer only if the project depends on it: package managers may show it that of another package', async () => {
  const files = {
    ...installed('@sigil-mcp/core', '0.1.0', {
      peerDependencies: { ajv: '^8.17.0' },
      peerDependenciesMeta: { ajv: { optional: true } },
    }),
    ...installed('ajv', '6.15.0'),
  };
  expect((await doctor(files)).stdout).not.toContain('ajv');
  const named = { ...files, 'package.json': '{"dependencies":{"ajv":"^6.0.0"}}' };
  expect((await doctor(named)).stdout).toContain('@sigil-mcp/core needs ajv ^8.17.0; 6.15.0 is installed.');
});
