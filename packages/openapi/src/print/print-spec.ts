/** The spec of a feature: each tool is called once, against a fake API that answers as the document says. */
import { literals } from '@sigil-mcp/cli/kit';
import type { FeaturePlan, WrittenTool } from '../plan/type-plan';
import type { ApiNames } from './api-names';
import { NO_SAMPLE, sampleObject, sampleOf } from './sample';

/** So many tools take longer than jest allows on a busy machine. */
const MANY = 20;

/** The spec, and the tools for which no arguments or no answer were found. */
export interface PrintedSpec {
  readonly text: string;
  readonly untested: readonly WrittenTool[];
}

/** @param way how a file of the tests imports one of the API's folder */
export function printSpec(feature: FeaturePlan, names: ApiNames, way: string): PrintedSpec {
  const cases = feature.tools.map((tool) => ({ tool, text: caseFor(tool) }));
  const text = [
    ...heading(feature, names, way),
    ...(cases.length > MANY ? ['jest.setTimeout(60_000);', ''] : []),
    'const CASES: readonly Case[] = [',
    ...cases.flatMap((each) => (each.text === undefined ? [] : [`  ${each.text},`])),
    '];',
    '',
    ...testLines(feature, names),
    '',
  ].join('\n');
  return { text, untested: cases.filter((each) => each.text === undefined).map(({ tool }) => tool) };
}

function heading({ slug, className }: FeaturePlan, { pascal, slug: apiSlug, js }: ApiNames, way: string): string[] {
  return [
    `/** The tools of ${slug}, against a fake API on a real socket: what each of them asks for, and that its answer is accepted. */`,
    "import { createServer, type JsonObject } from '@sigil-mcp/core';",
    "import { eachRevision } from '@sigil-mcp/testing';",
    `import { ${pascal}Client } from '${way}/${apiSlug}-client${js}';`,
    `import { ${pascal}Settings } from '${way}/${apiSlug}-settings${js}';`,
    `import { ${className} } from '${way}/${slug}.feature${js}';`,
    `import { FakeApi } from './fake-${apiSlug}-api${js}';`,
    '',
    'interface Case {',
    '  readonly tool: string;',
    '  readonly given: JsonObject;',
    '  readonly asks: string;',
    '  readonly answer: unknown;',
    '}',
    '',
  ];
}

function testLines({ slug, className }: FeaturePlan, { pascal }: ApiNames): string[] {
  return [
    `eachRevision('the tools of ${slug} ask for what they are about', async ({ connect }) => {`,
    '  const api = await FakeApi.open();',
    '  try {',
    `    const settings = new ${pascal}Settings({ url: api.url });`,
    '    const server = createServer({',
    "      name: 'test',",
    "      version: '1.0.0',",
    '      strict: true,',
    '      logger: false,',
    `      features: [${className}],`,
    `      providers: [${pascal}Client, { provide: ${pascal}Settings, useValue: settings }],`,
    '    });',
    '    const client = await connect(server);',
    '    for (const { tool, given, asks, answer } of CASES) {',
    '      api.answer(200, answer);',
    '      const result = await client.callTool(tool, given);',
    "      expect({ tool, error: result.isError === true ? result.content : 'none' }).toEqual({ tool, error: 'none' });",
    '      const asked = api.asked.at(-1);',
    "      expect({ tool, asks: `${asked?.method} ${asked?.url.split('?')[0]}` }).toEqual({ tool, asks });",
    '    }',
    '  } finally {',
    '    await api.close();',
    '  }',
    '});',
  ];
}

function caseFor(tool: WrittenTool): string | undefined {
  const { name, input, result } = tool;
  const given = input ? sampleObject(input) : {};
  const answer = answerFor(result);
  if (given === NO_SAMPLE || answer === NO_SAMPLE) return undefined;
  const path = pathFor(tool, given as Readonly<Record<string, unknown>>);
  if (path === undefined) return undefined;
  const asks = literals.quoted(`${tool.operation.method} ${path}`);
  return `{ tool: ${literals.quoted(name)}, given: ${literals.literal(given)}, asks: ${asks}, answer: ${literals.literal(answer)} }`;
}

function answerFor({ kind, type, class: made }: WrittenTool['result']): unknown {
  if (kind === 'class' && made) return sampleObject(made);
  if ((kind === 'list' || kind === 'value') && type) return sampleOf(type);
  return kind === 'data' ? { any: 'value' } : 'text';
}

/** Half of a character, which no address can have. */
const LONE = /\p{Cs}/gu;

/** The path of the request; undefined for styles that the spec does not repeat. */
function pathFor(
  { operation, arguments: all, fixed }: WrittenTool,
  given: Readonly<Record<string, unknown>>,
): string | undefined {
  const parts = operation.path.split(/\{([^{}]*)\}/).map((part, index) => {
    if (index % 2 === 0) return part;
    const argument = all.find(({ place, wireName }) => place === 'path' && wireName === part);
    const value = argument ? given[argument.name] : fixed.find(({ wireName }) => wireName === part)?.value;
    const isPlain =
      argument?.parameter === undefined ||
      (argument.parameter.style === 'simple' && !argument.isArray && !argument.isObject);
    return isPlain && (typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean')
      ? encodeURIComponent(String(value).replace(LONE, '\ufffd'))
      : undefined;
  });
  if (parts.includes(undefined)) return undefined;
  return new URL(`http://x${parts.join('')}`).pathname;
}
