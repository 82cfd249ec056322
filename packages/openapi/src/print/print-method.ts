/** One tool as a method: what comes of its arguments is a request. */
import { isObject } from '@sigil-mcp/base';
import { literals } from '@sigil-mcp/cli/kit';
import { described } from '../names/model-text';
import type { Body } from '../operations/operation';
import type { Needed } from '../operations/read-security';
import type { FilePlan } from '../plan/plan-file';
import type { ArgumentPlan, FixedValue, WrittenTool } from '../plan/type-plan';
import { typeText } from './print-class';
import { writtenParameter, type Helpers } from './print-parameter';

/** Names that a method uses itself. */
const TAKEN = new Set(
  (
    'signal this arguments await break case catch class const continue debugger default delete do else enum export extends false finally ' +
    'for function if implements import in instanceof interface let new null package private protected public return static super switch ' +
    'throw true try typeof undefined var void while with yield eval async pathOf query json form parts raw'
  ).split(' '),
);

/** What is printed. */
export interface PrintedMethod {
  readonly text: string;
  /** Functions of the file of parameters. */
  readonly helpers: ReadonlySet<string>;
}

/** Prints a tool. @param client the member of the feature. @param needed credentials, if not the usual ones */
export function printMethod(tool: WrittenTool, client: string, needed: Needed | undefined): PrintedMethod {
  const helpers: Helpers = new Set(['pathOf']);
  const names = localNames(tool);
  const rest = restOf(tool);
  const path = pathText(tool, names, helpers);
  const options = [
    ...partsOf(tool, { names, rest, helpers }),
    ...bodyParts(tool, { names, rest, helpers }),
    ...(needed === undefined ? [] : [`credentials: ${literals.literal(needed)}`]),
    'signal',
  ];
  const { operation, result } = tool;
  const call = `this.${client}.${CALLS[result.kind]}${typeArgument(tool)}(${literals.quoted(operation.method)}, ${path}, { ${options.join(', ')} })`;
  const parameters = [...inputText(tool, names, rest), '{ signal }: McpContext'].join(', ');
  const isWrapped = result.kind === 'list' || result.kind === 'value';
  const body = isWrapped
    ? `return { ${result.kind === 'list' ? 'items' : 'value'}: await ${call} };`
    : `return ${call};`;
  return {
    text: [
      `  @Tool(${[literals.quoted(described(tool.description)), ...optionsText(tool)].join(', ')})`,
      `  ${isWrapped ? 'async ' : ''}${tool.name}(${parameters}): Promise<${returnText(tool)}> {`,
      `    ${body}`,
      '  }',
    ].join('\n'),
    helpers,
  };
}

const CALLS: Readonly<Record<WrittenTool['result']['kind'], string>> = {
  class: 'json',
  list: 'json',
  value: 'json',
  data: 'json',
  text: 'text',
  bytes: 'bytes',
  location: 'location',
  none: 'run',
};

function typeArgument({ result: { kind, class: made, type } }: WrittenTool): string {
  if (kind === 'class') return `<${made?.name ?? 'unknown'}>`;
  if (kind === 'data') return '<unknown>';
  return (kind === 'list' || kind === 'value') && type ? `<${typeText(type)}>` : '';
}

function returnText({ result: { kind, class: made } }: WrittenTool): string {
  if (made) return made.name;
  return kind === 'data' ? 'unknown' : kind === 'bytes' ? 'Uint8Array' : 'string';
}

function optionsText({ operation: { method }, result }: WrittenTool): string[] {
  const options = [
    ...(result.class ? [`output: ${result.class.name}`] : []),
    ...(result.kind === 'bytes' ? [`mimeType: ${literals.quoted(result.mediaType)}`] : []),
    ...(HINTS[method] ?? []),
  ];
  return options.length === 0 ? [] : [`{ ${options.join(', ')} }`];
}

const HINTS: Readonly<Record<string, readonly string[]>> = {
  GET: ['readOnly: true'],
  PUT: ['idempotent: true'],
  DELETE: ['destructive: true', 'idempotent: true'],
};

/** The names of arguments within the method. */
function localNames({ arguments: all }: WrittenTool): ReadonlyMap<ArgumentPlan, string> {
  const used = new Set(all.map(({ name }) => name));
  return new Map(
    all.map((argument) => {
      const { name } = argument;
      if (!TAKEN.has(name) && literals.isIdentifier(name)) return [argument, name];
      let local = `${name.replace(/\W/g, '')}Value`;
      while (used.has(local)) local += '_';
      used.add(local);
      return [argument, local];
    }),
  );
}

/** The arguments that travel together under their own names: those of the body, or else those of the query. */
function restOf(tool: WrittenTool): readonly ArgumentPlan[] {
  const { arguments: all } = tool;
  const body = all.filter(
    (each) => each.place === 'body' && each.name === each.wireName && !each.parameter && !isRepeated(each, tool),
  );
  if (body.length > 0) return body;
  return all.filter((each) => each.place === 'query' && each.name === each.wireName && isPlain(each));
}

/** Whether the client writes a parameter without being told how. */
function isPlain({ parameter, isArray, isObject }: ArgumentPlan): boolean {
  if (!parameter || parameter.style !== 'form') return false;
  return parameter.explode || !(isArray || isObject);
}

function inputText(
  tool: WrittenTool,
  names: ReadonlyMap<ArgumentPlan, string>,
  rest: readonly ArgumentPlan[],
): string[] {
  const { input, arguments: all } = tool;
  if (!input) return [];
  const group = rest[0]?.place === 'body' ? 'body' : 'query';
  const alone = all.filter((each) => !rest.includes(each));
  if (alone.length === 0) return [`${group}: ${input.name}`];
  const written = alone.map((each) => {
    const local = names.get(each) ?? each.name;
    return local === each.name ? local : `${literals.memberName(each.name)}: ${local}`;
  });
  return [`{ ${[...written, ...(rest.length > 0 ? [`...${group}`] : [])].join(', ')} }: ${input.name}`];
}

function pathText(tool: WrittenTool, names: ReadonlyMap<ArgumentPlan, string>, helpers: Helpers): string {
  const { operation, arguments: all, fixed } = tool;
  const parts = operation.path.split(/\{([^{}]*)\}/).map((part, index) => {
    if (index % 2 === 0) return literals.templateText(part);
    const argument = all.find(({ place, wireName }) => place === 'path' && wireName === part);
    const value = fixed.find(({ place, wireName }) => place === 'path' && wireName === part);
    if (argument) return `\${${writtenParameter(argument, names.get(argument) ?? argument.name, helpers)}}`;
    return value ? `\${${fixedIn(value, helpers)}}` : literals.templateText(`{${part}}`);
  });
  return `pathOf\`${parts.join('')}\``;
}

interface Writing {
  readonly names: ReadonlyMap<ArgumentPlan, string>;
  readonly rest: readonly ArgumentPlan[];
  readonly helpers: Helpers;
}

/** The options of query, headers and cookies. */
function partsOf(tool: WrittenTool, writing: Writing): string[] {
  return (
    [
      ['query', 'query'],
      ['header', 'headers'],
      ['cookie', 'cookies'],
    ] as const
  ).flatMap(([place, option]) => {
    const members = membersOf(tool, place, writing);
    return members === undefined ? [] : [option === members ? option : `${option}: ${members}`];
  });
}

function bodyParts(tool: WrittenTool, writing: Writing): string[] {
  const { body } = tool.operation;
  const whole = tool.arguments.find(({ place }) => place === 'whole');
  const fixed = tool.fixed.find(({ place }) => place === 'whole');
  if (!body || tool.operation.method === 'GET') return [];
  const { names, helpers } = writing;
  if (fixed) return wholeBody(body, { value: literals.literal(fixed.value), isThere: true, helpers });
  if (whole)
    return wholeBody(body, { value: names.get(whole) ?? whole.name, isThere: body.required === true, helpers });
  if (body.kind === 'text' || body.kind === 'bytes') return [];
  // A body that is required is sent without members, too.
  const members = membersOf(tool, 'body', writing) ?? (body.required === true ? '{}' : undefined);
  if (members === undefined) return [];
  const type =
    body.kind === 'json' && body.mediaType !== 'application/json' ? [`type: ${literals.quoted(body.mediaType)}`] : [];
  if (body.kind === 'json') return [`json: ${members}`, ...type];
  if (body.kind === 'form') return [`form: ${members}`];
  const files = [...tool.arguments, ...tool.fixed].flatMap(({ wireName, file }) =>
    file ? [`${literals.memberName(wireName)}: ${fileText(tool, { wireName, file }, writing)}`] : [],
  );
  const types = tool.arguments.flatMap(({ wireName, place, file }) => {
    const type = place === 'body' && !file ? partType(body.contentTypes.get(wireName)) : undefined;
    return type === undefined ? [] : [`${literals.memberName(wireName)}: ${literals.quoted(type)}`];
  });
  return [
    `parts: ${members}`,
    ...(files.length > 0 ? [`files: { ${files.join(', ')} }`] : []),
    ...(types.length > 0 ? [`types: { ${types.join(', ')} }`] : []),
  ];
}

/** The media type of a part that is no file, where the document says one that is not that of a text. */
function partType(said: string | undefined): string | undefined {
  return said !== undefined && said !== 'text/plain' && /^[\w.+-]+\/[\w.+-]+$/.test(said) ? said : undefined;
}

/** How a file is called and what it is, as far as that is known. */
function fileText(
  { arguments: all, fixed }: WrittenTool,
  { wireName, file }: { readonly wireName: string; readonly file: FilePlan },
  { names }: Writing,
): string {
  const isName = (each: Pick<ArgumentPlan, 'place' | 'wireName'>): boolean =>
    each.place === 'fileName' && each.wireName === wireName;
  const argument = all.find(isName);
  const value = fixed.find(isName)?.value ?? file.name;
  const name = argument
    ? (names.get(argument) ?? argument.name)
    : value === undefined
      ? undefined
      : literals.literal(value);
  const parts = [
    ...(name === undefined ? [] : [name === 'name' ? name : `name: ${name}`]),
    ...(file.type === undefined ? [] : [`type: ${literals.quoted(file.type)}`]),
  ];
  return parts.length === 0 ? '{}' : `{ ${parts.join(', ')} }`;
}

interface BodyCode {
  /** As code. */
  readonly value: string;
  readonly isThere: boolean;
  readonly helpers: Helpers;
}

function wholeBody({ kind, mediaType }: Body, { value, isThere, helpers }: BodyCode): string[] {
  const usual = kind === 'bytes' ? 'application/octet-stream' : 'application/json';
  const type = mediaType === usual ? [] : [`type: ${literals.quoted(mediaType)}`];
  if (kind !== 'bytes' && kind !== 'text') return [`json: ${value}`, ...type];
  if (kind === 'bytes') helpers.add('bytesOf');
  const raw = kind === 'text' ? value : `bytesOf(${value})`;
  return [isThere ? `raw: ${raw}` : `...(${value} !== undefined && { raw: ${raw} })`, ...type];
}

/** The members of one place as an object; undefined without members. */
function membersOf(
  tool: WrittenTool,
  place: ArgumentPlan['place'],
  { names, rest, helpers }: Writing,
): string | undefined {
  const together = rest[0]?.place === place;
  const group = place === 'body' ? 'body' : 'query';
  const alone = tool.arguments.filter((each) => each.place === place && !(together && rest.includes(each)));
  const write = (each: ArgumentPlan): string => memberText(each, writtenIn(each, names, helpers));
  const repeated = alone.filter((each) => isRepeated(each, tool)).map(write);
  const written = alone.filter((each) => !isRepeated(each, tool)).map(write);
  const fixed = tool.fixed
    .filter((each) => each.place === place)
    .map((each) => `${literals.memberName(each.wireName)}: ${fixedIn(each, helpers)}`);
  const all = [...(together ? [`...${group}`] : []), ...written, ...fixed];
  if (all.length + repeated.length === 0) return undefined;
  const object = all.length === 1 && together ? group : `{ ${all.join(', ')} }`;
  if (place !== 'body' || !isBracketed(tool)) return object;
  helpers.add('allInBrackets');
  const bracketed = `allInBrackets(${object})`;
  return repeated.length === 0 ? bracketed : `{ ...${bracketed}, ${repeated.join(', ')} }`;
}

function memberText({ wireName }: ArgumentPlan, value: string): string {
  const key = literals.memberName(wireName);
  return key === value ? key : `${wireName === '__proto__' ? "['__proto__']" : key}: ${value}`;
}

function writtenIn(argument: ArgumentPlan, names: ReadonlyMap<ArgumentPlan, string>, helpers: Helpers): string {
  const local = names.get(argument) ?? argument.name;
  return argument.parameter ? writtenParameter(argument, local, helpers) : local;
}

/** A fixed value, in the style of its parameter. */
function fixedIn({ wireName, parameter, value }: FixedValue, helpers: Helpers): string {
  const isArray = Array.isArray(value);
  return writtenParameter(
    { wireName, parameter, isArray, isObject: isObject(value) },
    literals.literal(value),
    helpers,
  );
}

/** Objects in forms are written with brackets, as most APIs that take forms want it. */
function isBracketed({ operation: { body }, arguments: all }: WrittenTool): boolean {
  if (body?.kind !== 'form') return false;
  return all.some(({ place, isObject, isArray, wireName }) => {
    const style = body.styles.get(wireName)?.style;
    return place === 'body' && (style === 'deepObject' || (isObject && !isArray && style !== 'json'));
  });
}

/** Whether a list of a form is written as one pair for each item, next to members with brackets. */
function isRepeated({ place, wireName, isArray, isObject, parameter }: ArgumentPlan, tool: WrittenTool): boolean {
  const isList = place === 'body' && isArray && !isObject && !parameter;
  return isList && tool.operation.body?.styles.get(wireName)?.style !== 'deepObject' && isBracketed(tool);
}
