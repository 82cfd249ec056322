/** Matchers for the lists of a server, on all pages. */
import { ERROR_CODES, type JsonObject } from '@sigil-mcp/protocol';
import { RpcError } from '@sigil-mcp/client/wire';
import type { TestClient } from '../client/test-client';
import { differences } from './result-matchers';
import { asList, printValue, verdict, type MatcherContext, type MatcherResult } from './matcher';
import { testingError } from '../errors';

/** How many names are listed: a longer list helps no reader. */
const MOST_NAMES = 20;

/** A list: its method, the member of the result, and the member that identifies its entries. */
interface List {
  readonly method: string;
  readonly member: string;
  readonly key: string;
}

const TOOLS: List = { method: 'tools/list', member: 'tools', key: 'name' };
const PROMPTS: List = { method: 'prompts/list', member: 'prompts', key: 'name' };
const RESOURCES: List = { method: 'resources/list', member: 'resources', key: 'uri' };
const TEMPLATES: List = { method: 'resources/templates/list', member: 'resourceTemplates', key: 'uriTemplate' };

/** The entry that one matcher looks for. */
interface EntryMatch {
  readonly matcher: string;
  readonly noun: string;
  readonly lists: readonly List[];
  readonly key: string;
  readonly partial: object | undefined;
}

/** The server lists a tool of this name, with these members, to this client. */
export function toListTool(
  this: MatcherContext,
  client: unknown,
  name: string,
  partial?: object,
): Promise<MatcherResult> {
  return judge(this, client, { matcher: 'toListTool', noun: 'tool', lists: [TOOLS], key: name, partial });
}

/** The server lists a prompt of this name, with these members, to this client. */
export function toListPrompt(
  this: MatcherContext,
  client: unknown,
  name: string,
  partial?: object,
): Promise<MatcherResult> {
  return judge(this, client, { matcher: 'toListPrompt', noun: 'prompt', lists: [PROMPTS], key: name, partial });
}

/** The server lists a resource under this URI, or a template with this URI template, with these members, to this client. */
export function toListResource(
  this: MatcherContext,
  client: unknown,
  uri: string,
  partial?: object,
): Promise<MatcherResult> {
  const lists = [RESOURCES, TEMPLATES];
  return judge(this, client, { matcher: 'toListResource', noun: 'resource', lists, key: uri, partial });
}

async function judge({ equals }: MatcherContext, client: unknown, wanted: EntryMatch): Promise<MatcherResult> {
  const { matcher, noun, lists, key, partial } = wanted;
  if (!isClient(client)) throw testingError('SIGIL_TEST_MATCHER_CLIENT', { matcher, received: printValue(client) });
  const entries = new Map<unknown, JsonObject>();
  for (const list of lists) for (const entry of await listAll(client, list)) entries.set(entry[list.key], entry);
  const entry = entries.get(key);
  const named = `${noun} ${printValue(key)}`;
  if (!entry)
    return verdict(
      false,
      () => `The server lists no ${named}. ${describeNames(key, [...entries.keys()].map(String))}`,
      () => '',
    );
  const differing = partial ? differences(entry, partial, equals) : [];
  return verdict(
    differing.length === 0,
    () => `The server lists the ${named}, but not as expected:\n${asList(differing)}`,
    () =>
      `Expected the server not to list the ${named}${partial ? ` with ${printValue(partial)}` : ''}, but it does:\n  ${printValue(entry)}`,
  );
}

/** The entries of all pages; empty if the server does not know the method. */
async function listAll(client: TestClient, { method, member }: List): Promise<JsonObject[]> {
  const entries: JsonObject[] = [];
  let cursor: JsonObject | undefined;
  try {
    do {
      const page = await client.request(method, cursor);
      // A list of objects, as the method defines it.
      entries.push(...((page[member] ?? []) as JsonObject[]));
      cursor = page['nextCursor'] === undefined ? undefined : { cursor: page['nextCursor'] };
    } while (cursor);
  } catch (error) {
    if (!(error instanceof RpcError) || error.code !== ERROR_CODES['method-not-found']) throw error;
  }
  return entries;
}

function isClient(client: unknown): client is TestClient {
  return typeof client === 'object' && client !== null && 'request' in client && 'callTool' in client;
}

/** One or two sentences: the name that was probably meant, and the existing names. */
function describeNames(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return 'The list is empty.';
  const near = nearestName(wrong, names);
  const meant = near === undefined ? '' : `Did you mean ${printValue(near)}? `;
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  return `${meant}There ${names.length === 1 ? 'is' : 'are'}: ${names.slice(0, MOST_NAMES).join(', ')}${more}.`;
}

function nearestName(wrong: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }));
  const [nearest] = distances.sort((one, other) => one.distance - other.distance);
  return nearest && nearest.distance <= Math.max(2, Math.floor(wrong.length / 3)) ? nearest.name : undefined;
}

/** Levenshtein's distance: how many letters have to be inserted, dropped or replaced. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
