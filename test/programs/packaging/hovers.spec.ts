/** What an editor shows of the names that everybody uses: a sentence, and an example that can be copied. */
import { join } from 'node:path';
import * as ts from 'typescript';

jest.setTimeout(120_000);

const ROOT = join(__dirname, '..', '..', '..');
const FILE = join(ROOT, 'hovered.ts');
const MISTAKEN = join(ROOT, 'mistaken.ts');

/** A server as people write it; it finds the packages as a project of theirs does, by their published types. */
const SOURCE = `import { createServer, Denial, Describe, Feature, Injectable, McpContext, Prompt, Resource, Scopes, Tool } from '@sigil-mcp/core';
import { image, text, ToolFailure, toolResult, UseGuards, RateLimit } from '@sigil-mcp/core';
import { StdioTransport } from '@sigil-mcp/core/stdio';
import { HttpTransport } from '@sigil-mcp/fastify';
import { connect } from '@sigil-mcp/testing';
import { IsOptional, IsString } from 'class-validator';

class Query {
  @Describe('Name of a city') @IsString() city!: string;
  @IsOptional() @IsString() unit?: string;
}
class Outlook {
  @IsString() sky!: string;
}

@Injectable()
class Weather {
  skyOf(city: string): string | undefined {
    return city === 'Oslo' ? 'blue' : undefined;
  }
}

@Feature()
@UseGuards(RateLimit({ calls: 60, per: 'minute' }))
class Cities {
  constructor(private readonly weather: Weather) {}

  @Scopes('weather:read')
  @Tool('Outlook for a city', { title: 'Outlook', output: Outlook, readOnly: true, destructive: false, timeout: 1000, concurrency: 4 })
  outlook({ city }: Query): Outlook {
    const sky = this.weather.skyOf(city);
    if (sky === undefined) throw new ToolFailure('There is no such city; try Oslo.');
    return { sky };
  }

  @Tool('Asks and shows')
  async show(context: McpContext) {
    const answer = await context.elicit(Query, 'Which city?');
    if (answer.action !== 'accept') throw new Denial('Nothing was chosen.');
    return toolResult({ content: [text(answer.content.city), image(new Uint8Array(1), 'image/png')] });
  }

  @Resource('cities://all', { mimeType: 'application/json', annotations: { priority: 1 } })
  all(): string[] {
    return ['Oslo'];
  }

  @Prompt('Plan a day', { title: 'Plan' })
  plan({ city }: Query): string {
    return city;
  }
}

export const server = createServer({
  name: 'cities',
  version: '1.0.0',
  instructions: 'Ask for cities.',
  features: [Cities],
  providers: [Weather],
  toolTimeout: 5000,
});
void server.listen(process.argv.includes('--http') ? new HttpTransport({ port: 3000, allowedHosts: ['localhost'] }) : new StdioTransport());
void connect(server);
`;

/** A result that is put together by hand. */
const BY_HAND = `import type { ToolResult } from '@sigil-mcp/core';
export const result = (): ToolResult => ({ content: ['Blue'] });
`;

const service = ts.createLanguageService({
  getCompilationSettings: () => ({
    target: ts.ScriptTarget.ES2022,
    module: ts.ModuleKind.Node20,
    strict: true,
    skipLibCheck: true,
    experimentalDecorators: true,
    emitDecoratorMetadata: true,
    types: ['node'],
  }),
  getScriptFileNames: () => [FILE, MISTAKEN],
  getScriptVersion: () => '1',
  getScriptSnapshot: (name) => {
    const content = name === FILE ? SOURCE : name === MISTAKEN ? BY_HAND : ts.sys.readFile(name);
    return content === undefined ? undefined : ts.ScriptSnapshot.fromString(content);
  },
  getCurrentDirectory: () => ROOT,
  getDefaultLibFileName: (options) => ts.getDefaultLibFilePath(options),
  fileExists: ts.sys.fileExists,
  readFile: ts.sys.readFile,
  directoryExists: ts.sys.directoryExists,
  getDirectories: ts.sys.getDirectories,
  ...(ts.sys.realpath && { realpath: ts.sys.realpath }),
});

/** A sentence that says something. */
const SENTENCE = /^[A-Z][^]{20,}?[.;](?:\s|$)/;

/** What is shown of a word in a piece of the source. */
function hoverAt(piece: string, word: string): { readonly says: string; readonly examples: readonly string[] } {
  const at = SOURCE.indexOf(piece);
  if (at < 0 || SOURCE.includes(piece, at + 1)) throw new Error(`"${piece}" is not there once.`);
  const info = service.getQuickInfoAtPosition(FILE, at + piece.indexOf(word));
  const examples = (info?.tags ?? []).filter(({ name }) => name === 'example');
  return {
    says: ts.displayPartsToString(info?.documentation),
    examples: examples.map(({ text }) => ts.displayPartsToString(text)),
  };
}

afterAll(() => service.dispose());

it('is asked of a server that compiles, against the types that are published', () => {
  const found = [...service.getSyntacticDiagnostics(FILE), ...service.getSemanticDiagnostics(FILE)];
  expect(found.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, ' '))).toEqual([]);
  const files = service
    .getProgram()!
    .getSourceFiles()
    .map(({ fileName }) => fileName);
  const ours = files.filter((name) => /packages\/(?:core|fastify)\//.test(name));
  expect(ours.length).toBeGreaterThan(20);
  for (const name of ours) expect(name).toMatch(/\/dist\/.*\.d\.ts$/);
});

it('names what makes a result in the error for one that is put together by hand', () => {
  const [found, another] = service.getSemanticDiagnostics(MISTAKEN);
  expect(another).toBeUndefined();
  expect(ts.flattenDiagnosticMessageText(found?.messageText, ' ')).toContain(
    "Property '[madeByToolResult]' is missing",
  );
});

it.each([
  ['@Tool', "@Tool('Outlook"],
  ['@Resource', '@Resource('],
  ['@Prompt', '@Prompt('],
  ['@Feature', '@Feature('],
  ['@Injectable', '@Injectable('],
  ['@Describe', '@Describe('],
  ['@Scopes', '@Scopes('],
  ['@UseGuards', '@UseGuards'],
  ['createServer', '= createServer('],
  ['toolResult', 'return toolResult('],
  ['text', '[text('],
  ['image', ' image('],
  ['ToolFailure', 'new ToolFailure('],
  ['Denial', 'new Denial('],
  ['StdioTransport', 'new StdioTransport('],
  ['HttpTransport', 'new HttpTransport('],
  ['McpContext', '(context: McpContext'],
  ['context.elicit', 'context.elicit('],
  ['RateLimit', '@UseGuards(RateLimit('],
  ['connect', 'void connect('],
])('%s says in a sentence what it is for, and shows an example', (name, piece) => {
  const word = name.replace(/^.*\W/, '');
  const { says, examples } = hoverAt(piece, word);
  expect(says).toMatch(SENTENCE);
  expect(examples.length).toBeGreaterThan(0);
  for (const example of examples) expect(example).toContain(word);
});

it.each([
  ['title', "title: 'Outlook'"],
  ['output', 'output: Outlook', 'output: Forecast'],
  ['readOnly', 'readOnly: true', 'readOnly: true'],
  ['destructive', 'destructive: false'],
  ['timeout', 'timeout: 1000', 'timeout: 10_000'],
  ['concurrency', 'concurrency: 4'],
  ['mimeType', 'mimeType: ', "mimeType: 'text/markdown'"],
  ['annotations', 'annotations: {', 'annotations: { audience'],
  ['title', "title: 'Plan'"],
  ['instructions', 'instructions: ', "instructions: '"],
  ['features', 'features: ', 'features: ['],
  ['providers', 'providers: ', 'providers: ['],
  ['toolTimeout', 'toolTimeout: ', 'toolTimeout: 30_000'],
  ['port', 'port: 3000'],
  ['allowedHosts', 'allowedHosts: '],
])('the option %s says what it does, and what holds if it is left out', (name, piece, example = '') => {
  const { says, examples } = hoverAt(piece, name);
  expect(says).toMatch(SENTENCE);
  expect(says).toMatch(/left\s+out/);
  expect(examples.join('\n')).toContain(example);
});

/** The tags that the comments of the packages have; whatever else is one was meant as text, and cut off what stands before it. */
const TAGS = ['param', 'returns', 'throws', 'example', 'see', 'deprecated', 'internal'];

it('no comment on what the packages export breaks off at a decorator', () => {
  const program = service.getProgram()!;
  const checker = program.getTypeChecker();
  const modules = program.getSourceFiles().filter(({ fileName }) => /\/dist\/(?:.*\/)?index\.d\.ts$/.test(fileName));
  const exported = modules.flatMap((file) => checker.getExportsOfModule(checker.getSymbolAtLocation(file)!));
  const symbols = exported.map((each) => (each.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(each) : each));
  const members = symbols.flatMap((each) => [...(each.members?.values() ?? []), ...(each.exports?.values() ?? [])]);
  const all = [...symbols, ...members];
  expect(all.length).toBeGreaterThan(500);
  const cut = all.flatMap((each) => {
    const tags = each
      .getJsDocTags(checker)
      .filter(({ name, text }) => !TAGS.includes(name) || (name === 'example' && !text));
    return tags.map(({ name }) => `${each.name}: @${name}`);
  });
  expect(cut).toEqual([]);
});
