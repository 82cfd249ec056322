/**
 * Mistakes of newcomers as files. The marked line (`// here`) is the one that a message names. Names end with $, which becomes the number
 * of the mistake: all files are in one project, whose classes have names of their own.
 */

/** One mistake. */
export interface MistakenFiles {
  readonly title: string;
  /** The text of each file, by its name. */
  readonly files: Readonly<Record<string, string>>;
  /** The file that is run, or that the compiler refuses. */
  readonly main: string;
  readonly says: RegExp;
  readonly fix: RegExp;
}

/** The part that a table writes down: a text for one file, or several files. */
interface Row {
  readonly title: string;
  readonly text: string | Readonly<Record<string, string>>;
  readonly says: RegExp;
  readonly fix: RegExp;
}

const HEAD = `import {
  Complete, createServer, Describe, Feature, Inject, Injectable, McpContext, Prompt, Resource, Scopes, Tool, UseGuards,
} from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { Type } from 'class-transformer';
import { IsArray, IsEnum, IsInt, IsString, Max, Min, ValidateNested } from 'class-validator';
`;
/** A class of arguments that is right. */
const NOTE = `class Note$ {\n  @Describe('The title') @IsString() title!: string;\n}\n`;

const serve = (options = '', features = 'Notes$'): string =>
  `const server = createServer({ name: 'notes', version: '1.0.0', logger: false, features: [${features}]${options} });\n`;
const start = `void server.listen(new StdioTransport());\n`;
/** A feature with these members. */
const feature = (members: string, before = ''): string => `${HEAD}${before}@Feature()\nclass Notes$ {\n${members}\n}\n`;
/** A server with a tool of these parameters. */
const taking = (parameters: string, before = '', options = ''): string =>
  feature(`  @Tool('Takes a note')\n  take(${parameters}): string {\n    return 'ok';\n  }`, before) + serve(options);
/** A server with a tool whose class has this property. */
const property = (lines: string, options = ''): string =>
  taking('note: Note$', `class Note$ {\n  @IsString() title!: string;\n${lines}\n}\n`, options);
const resource = (uri: string, parameters = ''): string =>
  feature(`  @Resource('${uri}')\n  one(${parameters}): string { // here\n    return 'ok';\n  }`, NOTE) + serve();
const tool = (decorator: string): string =>
  feature(`  ${decorator}\n  take(): string { // here\n    return 'ok';\n  }`) + serve();
const fine = `  @Tool('Takes a note')\n  take(): string {\n    return 'ok';\n  }`;

const REFUSED_ROWS: readonly Row[] = [
  {
    title: '`import type` of a class of arguments',
    text: {
      'note$.ts': `import { IsString } from 'class-validator';\nexport class Note$ {\n  @IsString() title!: string;\n}\n`,
      'm$.ts': `import type { Note$ } from './note$';\n${taking('note: Note$, // here\n')}`,
    },
    says: /imported with `import type`/,
    fix: /plain `import/,
  },
  {
    title: '`import type` of McpContext',
    text: taking('context: Context$, // here\n', `import type { McpContext as Context$ } from '@sigil-mcp/core';\n`),
    says: /parameter 1 is imported with `import type`/,
    fix: /plain `import/,
  },
  {
    title: 'no @Feature()',
    text: `${HEAD}class Notes$ { // here\n${fine}\n}\n${serve()}`,
    says: /has no @Feature\(\) decorator/,
    fix: /Put @Feature\(\)/,
  },
  {
    title: 'the same tool twice',
    text:
      feature(`${fine}\n  @Tool('Takes one', { name: 'take' })\n  again(): string { // here\n    return 'ok';\n  }`) +
      serve(),
    says: /there is already a tool "take", in Notes\d+\.take/,
    fix: /Rename one/,
  },
  {
    title: 'the same resource twice',
    text:
      feature(
        `  @Resource('notes://all')\n  one(): string {\n    return '';\n  }\n  @Resource('notes://all')\n  two(): string { // here\n    return '';\n  }`,
      ) + serve(),
    says: /there is already a resource "notes:\/\/all"/,
    fix: /Rename one/,
  },
  {
    title: 'an interface as argument',
    text: taking('note: Wish$, // here\n', 'interface Wish$ { title: string }\n'),
    says: /parameter 1 has no class at run time\. Its type is an interface/,
    fix: /name it: \{ input/,
  },
  {
    title: 'an object type as argument',
    text: taking('note: { title: string }, // here\n'),
    says: /parameter 1 has no class at run time/,
    fix: /name it: \{ input/,
  },
  {
    title: 'a text as argument',
    text: taking('title: string, // here\n'),
    says: /parameter 1 is a String, but arguments have names/,
    fix: /Write a class/,
  },
  {
    title: 'two classes of arguments',
    text: feature(
      `  @Tool('Takes a note')\n  take(note: Note$, other: Other$): string { // here\n    return 'ok';\n  }`,
      `${NOTE}class Other$ {\n  @IsString() name!: string;\n}\n`,
    ).concat(serve()),
    says: /2 parameters that are not McpContext/,
    fix: /into one class/,
  },
  {
    title: 'a property without a decorator',
    text: property('  page!: number; // here'),
    says: /Note\d+\.page has no decorator/,
    fix: /Decorate it/,
  },
  {
    title: '@IsString() on a number',
    text: property('  @IsString()\n  page!: number; // here'),
    says: /declared as Number, but @IsString\(\)/,
    fix: /Make both agree/,
  },
  {
    title: '@IsString() on a Date that @Type makes',
    text: property('  @IsString() @Type(() => Date)\n  day!: Date; // here'),
    says: /declared as Date, but @IsString\(\)/,
    fix: /@Type\(\(\) => Date\)/,
  },
  {
    title: 'a least value above the greatest',
    text: property('  @IsInt() @Min(5) @Max(3)\n  page!: number; // here'),
    says: /accepts no value at all/,
    fix: /Change or remove one/,
  },
  {
    title: 'a list of a class without @Type',
    text: property(
      '  @Describe("Parts") @IsArray() @ValidateNested({ each: true })\n  parts!: Note$[]; // here',
      ', strict: true',
    ),
    says: /nested, but its class is not known at run time/,
    fix: /Add @Type/,
  },
  {
    title: 'a list of anything in a strict server',
    text: property('  @Describe("Labels") @IsArray()\n  labels!: string[]; // here', ', strict: true'),
    says: /does not give the type of its items/,
    fix: /@IsString\(\{ each: true \}\)/,
  },
  {
    title: '@IsEnum() of something that is undefined',
    text: property('  @IsEnum(undefined as never) // here\n  colour!: string;'),
    says: /TypeError: Cannot convert undefined/,
    fix: /@IsEnum\(\) was given undefined\. Import the enum/,
  },
  {
    title: 'an interface that is injected',
    text:
      `interface Store$ { size: number }\n${HEAD}@Feature()\nclass Notes$ { // here\n  constructor(readonly store: Store$) {}\n${fine}\n}\n` +
      serve(),
    says: /parameter without a class at run time/,
    fix: /@Inject\(TOKEN\)/,
  },
  {
    title: 'a token without a provider',
    text: feature(`  constructor(@Inject('STORE') readonly store: unknown) {} // here\n${fine}`) + serve(),
    says: /no provider for "STORE"/,
    fix: /Add \{ provide: "STORE"/,
  },
  {
    title: 'a dependency without @Injectable()',
    text:
      feature(
        `  constructor(readonly store: Store$) {}\n${fine}`,
        'class Pool$ {}\nclass Store$ { // here\n  constructor(readonly pool: Pool$) {}\n}\n',
      ) + serve(),
    says: /the compiler emitted no types for this constructor/,
    fix: /Put @Injectable\(\)/,
  },
  {
    title: 'a constructor that throws',
    text:
      feature(
        `  constructor(readonly store: Store$) {}\n${fine}`,
        `@Injectable()\nclass Store$ {\n  constructor() {\n    throw new Error('no database'); // here\n  }\n}\n`,
      ) +
      serve() +
      start,
    says: /Store\d+ could not be created, which Notes\d+ needs: no database/,
    fix: /Fix the error/,
  },
  {
    title: 'onStart that throws',
    text:
      feature(
        `  constructor(readonly store: Store$) {}\n${fine}`,
        `@Injectable()\nclass Store$ {\n  async onStart(): Promise<void> {\n    throw new Error('cannot connect'); // here\n  }\n}\n`,
      ) +
      serve() +
      start,
    says: /onStart of Store\d+ failed: cannot connect/,
    fix: /Fix the error/,
  },
  {
    title: 'a circular import',
    text: {
      'note$.ts': `import { IsString } from 'class-validator';\nimport { Notes$ } from './notes$';\nexport class Note$ {\n  @IsString() title!: string;\n}\nexport const feature = () => Notes$;\n`,
      'notes$.ts': `import { Feature, Tool } from '@sigil-mcp/core';\nimport { Note$ } from './note$';\n@Feature()\nexport class Notes$ {\n  @Tool('Takes a note')\n  take(note: Note$): string { // here\n    return note.title;\n  }\n}\n`,
      'm$.ts': `import { createServer } from '@sigil-mcp/core';\nimport { feature } from './note$';\n${serve('', 'feature()')}`,
    },
    says: /notes\d+\.ts:6 needs the class Note\d+ .*the two files import each other/,
    fix: /Move Note\d+/,
  },
  {
    title: 'undefined among the features',
    text: feature(fine) + serve('', 'Notes$, undefined as never').replace('\n', ' // here\n'),
    says: /features contains undefined/,
    fix: /circular import/,
  },
  {
    title: 'undefined among the providers',
    text: feature(fine) + serve(', providers: [undefined as never]').replace('\n', ' // here\n'),
    says: /undefined is not a provider/,
    fix: /circular import/,
  },
  {
    title: 'providers that need each other',
    text:
      feature(
        `  constructor(readonly one: One$) {}\n${fine}`,
        `@Injectable()\nclass One$ {\n  constructor(@Inject('TWO') readonly two: unknown) {}\n}\n@Injectable()\nclass Two$ {\n  constructor(readonly one: One$) {}\n}\n`,
      ) + serve(`, providers: [{ provide: 'TWO', useClass: Two$ }]`).replace('\n', ' // here\n'),
    says: /depends on itself: "TWO" -> One\d+ -> "TWO"/,
    fix: /third provider/,
  },
  {
    title: 'a factory without `inject`',
    text:
      feature(`  constructor(@Inject('STORE') readonly store: unknown) {}\n${fine}`) +
      serve(`, providers: [{ provide: 'STORE', useFactory: (url: unknown) => url }]`).replace('\n', ' // here\n'),
    says: /more parameters \(1\) than `inject`/,
    fix: /List a token for each parameter/,
  },
  {
    title: 'a dependency among the features',
    text:
      feature(fine, `@Injectable()\nclass Store$ {}\n`) +
      `const server = createServer({\n  name: 'notes',\n  version: '1.0.0',\n  features: [Notes$, Store$], // here\n});\n`,
    says: /is in features, but has neither @Feature\(\) nor a tool/,
    fix: /Remove it from `features`/,
  },
  {
    title: 'an object among the features',
    text: feature(fine) + serve('', 'new Notes$() as never').replace('\n', ' // here\n'),
    says: /contains an object of Notes\d+/,
    fix: /Pass the class/,
  },
  {
    title: 'a static method',
    text: feature(`  @Tool('Takes a note')\n  static take(): string { // here\n    return 'ok';\n  }`) + serve(),
    says: /on a static method/,
    fix: /Remove `static`/,
  },
  {
    title: 'an empty description',
    text: tool(`@Tool('')`),
    says: /its description is "", which says nothing/,
    fix: /Write a text/,
  },
  {
    title: 'an empty name',
    text: tool(`@Tool('Takes a note', { name: '' })`),
    says: /"" is not a valid tool name/,
    fix: /Use 1 to 128 characters/,
  },
  {
    title: 'a name with a space',
    text: tool(`@Tool('Takes a note', { name: 'take note' })`),
    says: /"take note" is not a valid tool name/,
    fix: /Use 1 to 128 characters/,
  },
  {
    title: 'an option that a decorator does not have',
    text: tool(`@Tool('Takes a note', { readonly: true } as never)`),
    says: /unknown options: readonly/,
    fix: /Use name, .*readOnly/,
  },
  {
    title: 'a guard that is a text',
    text: tool(`@Tool('Takes a note') @UseGuards('admin' as never)`),
    says: /"admin" is not a guard/,
    fix: /Pass a class with the method allows\(\)/,
  },
  {
    title: 'a schema that is no object',
    text: tool(`@Tool('Takes a note', { input: { title: { type: 'string' } } as never })`),
    says: /does not have type 'object' at its root/,
    fix: /properties of an object/,
  },
  {
    title: 'a URI without a scheme',
    text: resource('hello'),
    says: /"hello" is not an absolute URI/,
    fix: /RFC 3986/,
  },
  {
    title: 'a template that is not closed',
    text: resource('notes://{title', 'note: Note$'),
    says: /braces do not pair up/,
    fix: /RFC 6570/,
  },
  {
    title: 'a template with other variables than its class',
    text: resource('notes://{id}', 'note: Note$'),
    says: /has the variables id, but its input class has the properties title/,
    fix: /Make them the same/,
  },
  {
    title: 'completions of an argument that does not exist',
    text:
      feature(
        `  @Prompt('Asks')\n  ask(note: Note$): string {\n    return note.title;\n  }\n  @Complete('titel', 'ask')\n  titles(): string[] { // here\n    return [];\n  }`,
        NOTE,
      ) + serve(),
    says: /completes the argument "titel", but ask has title/,
    fix: /Name one of its arguments/,
  },
  {
    title: 'an option that createServer does not have',
    text: feature(fine) + serve(', ...({ colour: 1 } as object)').replace('\n', ' // here\n'),
    says: /createServer\(\{ colour \}\): there is no such option/,
    fix: /Use one of: name/,
  },
  {
    title: 'require in an ES module',
    text: {
      'm$.mts': `declare const require: (name: string) => unknown;\nrequire('node:fs'); // here\n`,
    },
    says: /require is not defined in ES module scope/,
    fix: /you can use import instead/,
  },
];

const COMPILED_ROWS: readonly Row[] = [
  {
    title: '@Tool without ()',
    text: feature(`  @Tool // here\n  take(): string {\n    return 'ok';\n  }`) + serve(),
    says: /TS1241/,
    fix: /Call the decorator: @Tool\(\.\.\.\)\./,
  },
  {
    title: '@Feature without ()',
    text: `${HEAD}@Feature // here\nclass Notes$ {\n${fine}\n}\n${serve()}`,
    says: /TS1329/,
    fix: /Did you mean to call it first/,
  },
  {
    title: '@Tool on a property',
    text: feature(`  @Tool('Takes a note') // here\n  take = (): string => 'ok';`) + serve(),
    says: /TS1240/,
    fix: /@Tool\(\) belongs on a method/,
  },
  {
    title: 'an ES module that is imported without its ending',
    text: {
      'm$.mts': `import { used } from './used'; // here\nused();\n`,
      'used.mts': `export const used = () => 1;\n`,
    },
    says: /TS2835/,
    fix: /Did you mean '\.\/used\.mjs'/,
  },
  {
    title: 'a text that is not closed',
    text: feature(`  @Tool('Takes a note')\n  take(): string {\n    return 'ok; // here\n  }`),
    says: /Unterminated string literal/,
    fix: /TS1002/,
  },
];

/** Mistakes that end the program. */
export const REFUSED: readonly MistakenFiles[] = REFUSED_ROWS.map((row, index) => filesOf(row, 10 + index));
/** Mistakes that the compiler finds. */
export const COMPILED: readonly MistakenFiles[] = COMPILED_ROWS.map((row, index) => filesOf(row, 70 + index));

function filesOf({ text, ...row }: Row, number: number): MistakenFiles {
  const given = typeof text === 'string' ? { 'm$.ts': text } : text;
  const numbered = (each: string): string => each.replaceAll('$', String(number));
  const files = Object.fromEntries(Object.entries(given).map(([name, each]) => [numbered(name), numbered(each)]));
  return { ...row, files, main: Object.keys(files).find((name) => name.startsWith('m')) ?? '' };
}
