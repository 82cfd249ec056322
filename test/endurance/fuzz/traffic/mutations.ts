/** Ways to spoil a message. A mutation is data, so that a failing one can be made smaller and kept. */
import fc from 'fast-check';
import { oddId, oddName, oddText } from './odd-values';

/** One oddity or several; what is left out is as it should be. */
export interface HttpFault {
  /** Which of the client's connections it uses. */
  readonly connection?: number;
  /** Sent without waiting for the answers to what was sent before on the same connection. */
  readonly isPipelined?: boolean;
  /** The bytes leave in two pieces. */
  readonly splitAt?: number;
  /** The client stops reading for a while, milliseconds. */
  readonly deaf?: number;
  readonly method?: string;
  readonly path?: string;
  /** Set to a value, or left out. */
  readonly headers?: readonly { readonly name: string; readonly value: string | null; readonly isSecond?: boolean }[];
  readonly framing?: 'chunked' | 'longer' | 'shorter' | 'both' | 'none' | 'broken chunks';
  /** The connection is reset when so many bytes were sent. */
  readonly resetAt?: number;
  /** The client sends nothing more on the connection, and still reads. */
  readonly isHalfClosed?: boolean;
}

const headerName = fc.constantFrom(
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Mcp-Param-Region',
  'Last-Event-ID',
  'Host',
  'Origin',
  'Content-Length',
  'Content-Encoding',
  'Transfer-Encoding',
  'Expect',
  'Connection',
  'Upgrade',
  'X-Odd',
);

// prettier-ignore
const headerValue = fc.constantFrom(
  null, '', 'x', '2026-07-28', '2025-11-25', '2025-06-18', '2024-11-05', 'null', 'application/json', 'text/event-stream', '*/*', 'text/plain',
  'application/json; charset=utf-16', 'gzip', 'chunked', '100-continue', '0', '-1', '5', 'close', 'websocket', 'http://evil.example', 'evil.example',
  'tools/list', 'echo', '=?base64?ZWNobw==?=', '=?base64?!?=', 'session-0', 'r0-0', 'r0-99999', '__proto__', 'é', '\x00', 'a\x01b', 'y'.repeat(9000),
);

// prettier-ignore

const harmless = fc.record(
  {
    connection: fc.nat({ max: 2 }),
    isPipelined: fc.boolean(),
    splitAt: fc.nat({ max: 700 }),
    deaf: fc.constantFrom(5, 40),
    framing: fc.constant('chunked' as const),
  },
  { requiredKeys: [] },
);

const rude = fc.record(
  {
    connection: fc.nat({ max: 2 }),
    isPipelined: fc.boolean(),
    method: fc.constantFrom('GET', 'DELETE', 'PUT', 'OPTIONS', 'PATCH', 'post', 'CONNECT', 'PRI', ''),
    path: fc.constantFrom(
      '/',
      '/mcp/',
      '/mcp?x=1',
      '/sse',
      '/messages',
      '/messages?sessionId=x',
      '/healthz',
      '/%',
      '//',
      '*',
      '/mcp#',
      'http://evil.example/mcp',
    ),
    headers: fc.array(
      fc.record({ name: headerName, value: headerValue, isSecond: fc.boolean() }, { requiredKeys: ['name', 'value'] }),
      { minLength: 1, maxLength: 2 },
    ),
    framing: fc.constantFrom(
      'longer' as const,
      'shorter' as const,
      'both' as const,
      'none' as const,
      'broken chunks' as const,
    ),
    resetAt: fc.nat({ max: 900 }),
    isHalfClosed: fc.constant(true),
  },
  { requiredKeys: [] },
);

/** The streams of a session: opened, taken up again, ended. */
const streams = fc.record({
  method: fc.constantFrom('GET', 'GET', 'DELETE'),
  connection: fc.nat({ max: 2 }),
  headers: fc.oneof(
    fc.constant([]),
    fc
      .tuple(fc.constantFrom('session', 'r0', 'r1', 'r2'), fc.nat({ max: 12 }))
      .map(([stream, place]) => [{ name: 'Last-Event-ID', value: `${stream}-${place}` }]),
  ),
});

/** Any of these. */
export const httpFault: fc.Arbitrary<HttpFault> = fc.oneof(
  { weight: 5, arbitrary: harmless },
  { weight: 2, arbitrary: rude },
  { weight: 1, arbitrary: streams },
);

/** A value that is written as it stands, JSON or not. */
class RawText {
  constructor(readonly text: string) {}
}

/** An object whose members are written in their order, also those of equal names. */
class Members {
  constructor(readonly entries: readonly (readonly [name: string, value: unknown])[]) {}
}

/** One change of a message; `at` chooses the place, counted around. */
export type Mutation =
  | { readonly kind: 'drop' | 'duplicate'; readonly at: number }
  | { readonly kind: 'retype' | 'follow'; readonly at: number; readonly text: string }
  | { readonly kind: 'rename'; readonly at: number; readonly name: string }
  | { readonly kind: 'insert'; readonly at: number; readonly name: string; readonly text: string }
  | { readonly kind: 'nest'; readonly at: number; readonly depth: number }
  | { readonly kind: 'swap'; readonly at: number; readonly with: number }
  | { readonly kind: 'identify'; readonly text: string };

const at = fc.nat({ max: 60 });

/** Any mutation. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('retype' as const), at, text: oddText }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('drop' as const, 'duplicate' as const), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('follow' as const), at, text: oddText }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), at, name: oddName }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), at, name: oddName, text: oddText }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('nest' as const), at, depth: fc.integer({ min: 1, max: 2000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('swap' as const), at, with: at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('identify' as const), text: oddId }) },
);

/** A member of an object somewhere in a tree. */
interface Place {
  readonly owner: Members;
  readonly index: number;
}

/** Writes a message with mutations, applied one after the other. */
export function mutate(message: object, mutations: readonly Mutation[]): string {
  return writeTree(mutations.reduce(apply, toTree(message)));
}

function apply(tree: unknown, change: Mutation): unknown {
  if (change.kind === 'identify') return identify(tree, change.text);
  const places = placesOf(tree);
  const place = places[change.at % places.length];
  if (!place) return tree;
  if (change.kind === 'swap') return swap(tree, place, places[change.with % places.length] ?? place);
  return replace(tree, place.owner, changedEntries(place, change));
}

function changedEntries(
  { owner: { entries }, index }: Place,
  change: Exclude<Mutation, { kind: 'identify' | 'swap' }>,
) {
  const [name, value] = entries[index] ?? ['', null];
  switch (change.kind) {
    case 'drop':
      return entries.filter((_, position) => position !== index);
    case 'duplicate':
      return [...entries, [name, value] as const];
    case 'retype':
      return entries.with(index, [name, new RawText(change.text)]);
    case 'follow':
      return [...entries, [name, new RawText(change.text)] as const];
    case 'rename':
      return entries.with(index, [change.name, value]);
    case 'insert':
      return [...entries, [change.name, new RawText(change.text)] as const];
    case 'nest':
      return entries.with(index, [
        name,
        new RawText('[{"a":'.repeat(change.depth) + writeTree(value) + '}]'.repeat(change.depth)),
      ]);
  }
}

/** Every member of every object, those further out first. */
function placesOf(tree: unknown): Place[] {
  if (Array.isArray(tree)) return tree.flatMap(placesOf);
  if (!(tree instanceof Members)) return [];
  const own = tree.entries.map((_, index) => ({ owner: tree, index }));
  return [...own, ...tree.entries.flatMap(([, value]) => placesOf(value))];
}

/** The tree with other members in one of its objects; the rest is shared. */
function replace(tree: unknown, owner: Members, entries: Members['entries']): unknown {
  if (tree === owner) return new Members(entries);
  if (Array.isArray(tree)) return tree.map((item) => replace(item, owner, entries));
  if (!(tree instanceof Members)) return tree;
  return new Members(tree.entries.map(([name, value]) => [name, replace(value, owner, entries)]));
}

function swap(tree: unknown, one: Place, other: Place): unknown {
  const valueOf = ({ owner, index }: Place): unknown => owner.entries[index]?.[1];
  const [first, second] = [valueOf(one), valueOf(other)];
  const put = (from: unknown, { owner, index }: Place, value: unknown): unknown => {
    const name = owner.entries[index]?.[0] ?? '';
    return replace(from, owner, owner.entries.with(index, [name, value]));
  };
  // Where one holds the other, only the outer one changes.
  return placesOf(first).some(({ owner }) => owner === other.owner)
    ? put(tree, one, second)
    : put(put(tree, other, first), one, second);
}

function identify(tree: unknown, text: string): unknown {
  if (!(tree instanceof Members)) return tree;
  const others = tree.entries.filter(([name]) => name !== 'id');
  return new Members([...others, ['id', new RawText(text)]]);
}

/** A value with `Members` in place of its objects, so that it can be changed in ways that no object can. */
function toTree(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toTree);
  if (typeof value !== 'object' || value === null || value instanceof RawText || value instanceof Members) return value;
  return new Members(Object.entries(value).map(([name, inner]) => [name, toTree(inner)]));
}

/** Writes a tree. */
function writeTree(tree: unknown): string {
  if (tree instanceof RawText) return tree.text;
  if (tree instanceof Members)
    return `{${tree.entries.map(([name, value]) => `${JSON.stringify(name)}:${writeTree(value)}`).join(',')}}`;
  if (Array.isArray(tree)) return `[${tree.map(writeTree).join(',')}]`;
  return JSON.stringify(tree) ?? 'null';
}

/** Whether the request is one that HTTP lets through, and its answer will arrive. */
export function isSound({ method, path, headers, framing, resetAt, isHalfClosed }: HttpFault): boolean {
  const isWhole = framing === undefined || framing === 'chunked';
  return isWhole && !method && !path && !headers && resetAt === undefined && !isHalfClosed;
}
