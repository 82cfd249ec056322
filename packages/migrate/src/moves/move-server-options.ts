/** The options of a server: those of `McpModule.forRoot` and of `McpStrategy`, as those of `SigilModule`. */
import type * as TypeScript from 'typescript';
import type { MovedFile } from '../files/moved-file';
import { bare, indentationAt, nameOf, valueOf, nodesIn } from '../files/syntax';
import type { EndpointController } from './endpoint-controllers';

/** Where a server is served. */
interface Transports {
  readonly http: boolean;
  /** The transport of the oldest revision. */
  readonly sse: boolean;
  readonly stdio: boolean;
  /** The path that a transport names; undefined without one. */
  readonly endpoint?: TypeScript.Expression | undefined;
}

/** Options with the same name and meaning. */
const SAME = ['name', 'version', 'title', 'description', 'websiteUrl', 'icons', 'instructions'];

/** Options that are not needed: what they set follows from the server, or is not there. */
const DROPPED: Readonly<Record<string, string>> = {
  capabilities: 'What is there at the start is announced. `capabilities` names the kinds of entries that come later.',
  transport: '',
  transports: '',
  sse: '',
  sseEndpoint: '',
  messagesEndpoint: '',
  mcpEndpoint: '',
  apiPrefix: '',
  streamableHttp: '',
  logging: 'The server writes to the log of Nest. `logger` sets another level, or false.',
  guards: '',
  server: '',
  path: '',
  allowUnauthenticatedAccess: '',
};

/** What is known of the program around the options. */
export interface ServerFacts {
  /** The transports if the options name none. */
  readonly byDefault: Transports;
  /** Whether a global prefix stands before routes, but not before the endpoint. */
  readonly escapesPrefix: boolean;
  /** What a controller of the endpoint says of it; nothing if left out. */
  readonly controller?: EndpointController | undefined;
  /** The classes that the server names; none if left out. */
  readonly features?: readonly string[];
}

/** Rewrites an object literal of options. */
export function moveServerOptions(
  file: MovedFile,
  literal: TypeScript.ObjectLiteralExpression,
  facts: ServerFacts,
): void {
  const kept: string[] = [];
  const isOnLines = literal.getText().includes('\n');
  for (const property of literal.properties) {
    const name = nameOf(property);
    if (SAME.includes(name)) kept.push(withComments(file, property));
    else if (name === 'decorators' && guardsOf(file, property) !== undefined) continue;
    else if (name in DROPPED) {
      const reason = name === 'streamableHttp' ? otherSessions(file, literal) : (DROPPED[name] ?? '');
      if (reason !== '') file.note(property, reason, 'nest');
    } else {
      const shown = name === '' ? 'Look at the options that are spread here' : `There is no option ${name}`;
      const reason = `${shown}: see the options of SigilModule.`;
      if (isOnLines) kept.push(withTodo(file, property, reason));
      else {
        kept.push(withComments(file, property));
        file.todo(property, reason, 'nest');
      }
    }
  }
  writeLiteral(file, literal, [...kept, ...addedOptions(file, literal, facts)]);
}

/** What options of Streamable HTTP say apart from whether there are sessions; empty if they say no more. */
function otherSessions(file: MovedFile, literal: TypeScript.ObjectLiteralExpression): string {
  const value = valueOf(file, literal, 'streamableHttp');
  const isKnown =
    value &&
    file.compiler.isObjectLiteralExpression(value) &&
    value.properties.every((each) => nameOf(each) === 'statelessMode');
  return isKnown ? '' : 'The server chooses ids of sessions and how it answers. See the options of `http`.';
}

function withTodo(file: MovedFile, property: TypeScript.ObjectLiteralElementLike, reason: string): string {
  const indent = indentationAt(file.text, property.getStart());
  const comment = file.todoWithin(property, reason, 'nest');
  return `${comment}${file.source.style.lineEnd}${indent}${withComments(file, property)}`;
}

function withComments(file: MovedFile, property: TypeScript.ObjectLiteralElementLike): string {
  const { compiler, text } = file;
  const comments = compiler.getLeadingCommentRanges(text, property.getFullStart()) ?? [];
  // A comment at the end of the line before belongs to that line.
  const own = comments.filter(({ pos }) => text.slice(text.lastIndexOf('\n', pos) + 1, pos).trim() === '');
  return text.slice(own[0]?.pos ?? property.getStart(), property.getEnd());
}

function writeLiteral(file: MovedFile, literal: TypeScript.ObjectLiteralExpression, parts: readonly string[]): void {
  const { lineEnd, indentation } = file.source.style;
  if (!literal.getText().includes('\n')) return file.replace(literal, `{ ${parts.join(', ')} }`);
  const first = literal.properties[0];
  const outer = indentationAt(file.text, literal.getEnd());
  const inner = first ? indentationAt(file.text, first.getStart()) : outer + indentation;
  file.replace(literal, `{${lineEnd}${parts.map((part) => `${inner}${part},${lineEnd}`).join('')}${outer}}`);
}

function addedOptions(
  file: MovedFile,
  literal: TypeScript.ObjectLiteralExpression,
  { byDefault, escapesPrefix, controller, features = [] }: ServerFacts,
): string[] {
  const isOff = valueOf(file, literal, 'path')?.kind === file.compiler.SyntaxKind.FalseKeyword;
  const found = { ...(transportsOf(file, literal) ?? byDefault), ...(isOff && { http: false }) };
  const decorators = literal.properties.find((each) => nameOf(each) === 'decorators');
  const guards =
    valueOf(file, literal, 'guards')?.getText() ?? controller?.guards ?? (decorators && guardsOf(file, decorators));
  const path = isOff ? undefined : (controller?.path ?? pathOf(file, literal, found.endpoint));
  return [
    ...(path === undefined ? [] : [`path: ${path}`]),
    ...(escapesPrefix && found.http ? ['globalPrefix: false'] : []),
    ...httpOption(file, literal, found),
    ...(guards !== undefined && guards !== '[]' ? [`endpointGuards: ${guards}`] : []),
    ...withoutUser(file, valueOf(file, literal, 'allowUnauthenticatedAccess')),
    ...(found.stdio ? ['stdio: true'] : []),
    ...(features.length > 0 ? [`features: [${features.join(', ')}]`] : []),
  ];
}

/** The guards of `decorators: [UseGuards(A)]`; undefined if there are other decorators. */
function guardsOf(file: MovedFile, property: TypeScript.ObjectLiteralElementLike): string | undefined {
  const { compiler } = file;
  const list = compiler.isPropertyAssignment(property) && property.initializer;
  if (!list || !compiler.isArrayLiteralExpression(list)) return undefined;
  const calls = list.elements.filter((each) => compiler.isCallExpression(each));
  const areGuards = calls.every(({ expression }) => expression.getText() === 'UseGuards');
  if (!areGuards || calls.length < list.elements.length) return undefined;
  return `[${calls.flatMap((call) => call.arguments.map((each) => each.getText())).join(', ')}]`;
}

function httpOption(file: MovedFile, literal: TypeScript.ObjectLiteralExpression, found: Transports): string[] {
  const isOff = valueOf(file, literal, 'path') !== undefined;
  if (!found.http && !found.sse) return found.stdio || isOff ? ['http: false'] : [];
  const streamable = valueOf(file, literal, 'streamableHttp');
  const isStateless = streamable !== undefined && /statelessMode:\s*true/.test(streamable.getText());
  const parts = [...(found.sse ? [sseOption(file, literal)] : []), ...(isStateless ? ['sessions: false'] : [])];
  return parts.length === 0 ? [] : [`http: { ${parts.join(', ')} }`];
}

/** The oldest transport, at the paths that clients have. */
function sseOption(file: MovedFile, literal: TypeScript.ObjectLiteralExpression): string {
  const [path, messages] = ['sseEndpoint', 'messagesEndpoint'].map((name) =>
    textOf(file, valueOf(file, literal, name)),
  );
  if (path === undefined && messages === undefined) return 'sse: true';
  const parts = [
    ...(path === undefined ? [] : [`path: '${slashed(path)}'`]),
    ...(messages === undefined ? [] : [`messagesPath: '${slashed(messages)}'`]),
  ];
  return `sse: { ${parts.join(', ')} }`;
}

function pathOf(
  file: MovedFile,
  literal: TypeScript.ObjectLiteralExpression,
  endpoint: TypeScript.Expression | undefined,
): string | undefined {
  const [prefix, own] = [
    valueOf(file, literal, 'apiPrefix'),
    valueOf(file, literal, 'mcpEndpoint') ?? valueOf(file, literal, 'path') ?? endpoint,
  ];
  if (!prefix && !own) return undefined;
  const texts = [prefix, own].map((each) => (each ? textOf(file, each) : undefined));
  if ((prefix && texts[0] === undefined) || (own && texts[1] === undefined)) {
    file.todo(own ?? prefix ?? literal, 'Write the option path, which begins with a slash.', 'nest');
    return undefined;
  }
  const path = slashed([texts[0] ?? '', texts[1] ?? 'mcp'].join('/'));
  return path === '/mcp' ? undefined : `'${path}'`;
}

function slashed(path: string): string {
  return `/${path
    .split('/')
    .filter((part) => part !== '')
    .join('/')}`;
}

function textOf(file: MovedFile, node: TypeScript.Expression | undefined): string | undefined {
  const { compiler } = file;
  const found = node && bare(file, node);
  return found && compiler.isStringLiteralLike(found) ? found.text : undefined;
}

/** Without a user, everything was allowed that guards let through, or only what was public. */
function withoutUser({ compiler }: MovedFile, value: TypeScript.Expression | undefined): string[] {
  if (!value || value.kind === compiler.SyntaxKind.FalseKeyword) return [];
  if (value.kind === compiler.SyntaxKind.TrueKeyword) return ["withoutUser: 'public'"];
  return [`withoutUser: ${value.getText()} ? 'public' : 'everything'`];
}

/** The transports that options name: members of an enumeration in version 1, instances in version 2. Undefined if they name none. */
function transportsOf(file: MovedFile, literal: TypeScript.ObjectLiteralExpression): Transports | undefined {
  const old = valueOf(file, literal, 'transport');
  if (old) return byEnumeration(file, old);
  const now = valueOf(file, literal, 'transports');
  return now && byInstances(file, now);
}

function byEnumeration(file: MovedFile, node: TypeScript.Expression): Transports | undefined {
  const text = node.getText();
  const names = ['STREAMABLE_HTTP', 'SSE', 'STDIO'].filter((name) => new RegExp(`\\b${name}\\b`).test(text));
  const isClear = /^[\w\s.,[\]]*$/.test(text) && (names.length > 0 || /^\[\s*\]$/.test(text));
  if (!isClear)
    file.todo(node, 'Write `stdio: true`, `http: false` or `http: { sse: true }` for its transports.', 'nest');
  return { http: names.includes('STREAMABLE_HTTP'), sse: names.includes('SSE'), stdio: names.includes('STDIO') };
}

function byInstances(file: MovedFile, node: TypeScript.Expression): Transports {
  const { compiler } = file;
  const named = nodesIn(file, node, compiler.isIdentifier).map(({ text }) => text);
  // A transport may be a constant of the file.
  const constants = nodesIn(file, file.tree, compiler.isVariableDeclaration)
    .filter(({ name }) => named.includes(name.getText()))
    .flatMap(({ initializer }) => initializer ?? []);
  const made = [node, ...constants].flatMap((each) => nodesIn(file, each, compiler.isNewExpression));
  const of = (name: string): TypeScript.NewExpression | undefined =>
    made.find(({ expression }) => file.old.exportedOf(expression) === name);
  const http = of('StreamableHttpTransport');
  const [options] = http?.arguments ?? [];
  const endpoint =
    options && compiler.isObjectLiteralExpression(options) ? valueOf(file, options, 'endpoint') : undefined;
  return { http: http !== undefined, sse: false, stdio: of('StdioTransport') !== undefined, endpoint };
}
