/** The names of tools, as a model understands them: a verb and what it is about, from the operationId, the tag and the path. */
import type { ApiOperation } from '../operations/operation';
import { camel, isPlural, isVerb, lastPlural, lastSingular, pascal, singular, wordsOf } from './words';

/** Words after which the thing itself has to be named: `list for repo` -> `listIssuesForRepo`. */
const LINKS = new Set(['for', 'in', 'by', 'with', 'from', 'to', 'of', 'on', 'as', 'one', 'my', 'at', 'using']);
/** Verbs that are about several things. */
const ABOUT_MANY = new Set(['list', 'search', 'find', 'query', 'count']);

/** Proposals for the name of an operation, the best one first. */
export function proposeToolNames(operation: ApiOperation): string[] {
  const { id } = operation;
  const path = camel(undoubled(nameOfPath(operation)));
  const variables = [...operation.path.matchAll(/\{([^{}]*)\}/g)].map(([, name = '']) => name);
  const by = `${path}By${pascal(wordsOf(variables.at(-1) ?? 'id'))}`;
  if (id === undefined || isMechanical(operation, id)) return [path, ...(variables.length > 0 ? [by] : []), path];
  const best = camel(undoubled(nameOfId(operation, withoutSuffix(operation, id))));
  return [best === '' ? path : best, path, by];
}

/** `search searches` -> `search`, but `list lists` -> `get lists`: a list is a thing, too. */
function undoubled([verb = '', ...words]: readonly string[]): string[] {
  const at = words[0] === 'all' ? 1 : 0;
  if (!isVerb(verb) || singular(words[at] ?? '') !== verb) return [verb, ...words];
  return verb === 'list' ? ['get', ...words] : [verb, ...words.filter((_, index) => index !== at)];
}

/** The segments of a path that name something: without versions, and without variables. */
export function namedSegments(path: string): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const named = segments.filter((segment) => !segment.startsWith('{'));
  const useful = named.filter((segment) => !/^(?:api|rest|v\d[\w.]*)$/i.test(segment));
  return useful.length > 0 ? useful : named;
}

function nameOfId(operation: ApiOperation, id: string): string[] {
  const [head = '', ...tail] = id.split(/[/.]/).length > 1 ? id.split(/[/.]/) : controllerParts(id);
  const [tag = namedSegments(operation.path)[0] ?? ''] = operation.tags;
  const noun = tail.length > 0 ? wordsOf(head) : wordsOf(tag);
  const words = wordsOf(tail.length > 0 ? tail.join(' ') : head);
  const [verb, ...rest] = words;
  if (verb === undefined) return nameOfPath(operation);
  const last = words.at(-1) ?? '';
  // `orders_create`, `orders_partial_update`
  if (tail.length === 0 && rest.length > 0 && !isVerb(verb) && isVerb(last)) {
    const things = words.slice(0, -1).filter((word) => word !== 'partial');
    return [last, ...(ABOUT_MANY.has(last) ? lastPlural(things) : lastSingular(things))];
  }
  const isAction = isVerb(verb) || (tail.length > 0 && rest.length > 0 && !isPlural(verb) && !LINKS.has(verb));
  if (!isAction) return tail.length > 0 && !startsWith(words, noun) ? [...noun, ...words] : words;
  const all = rest[0] === 'all' ? ['all'] : [];
  const more = rest.slice(all.length);
  if (more.length === 0 || (tail.length > 0 && LINKS.has(more[0] ?? ''))) {
    if (noun.length === 0) return words;
    return [verb, ...all, ...(ABOUT_MANY.has(verb) || all.length > 0 ? lastPlural(noun) : lastSingular(noun)), ...more];
  }
  // The tag says what it is about, unless the path is about something else.
  const isSaid =
    tail.length === 0 || mentions(more, noun) || !mentions(wordsOf(namedSegments(operation.path).join(' ')), noun);
  return isSaid ? words : [verb, ...all, ...lastSingular(noun), ...more];
}

/** `PetsController_findAll` -> `['Pets', 'findAll']`. */
function controllerParts(id: string): string[] {
  const [, controller, method] = /^(\w+?)Controller_(\w+)$/.exec(id) ?? [];
  return controller !== undefined && method !== undefined ? [controller, method] : [id];
}

function startsWith(words: readonly string[], noun: readonly string[]): boolean {
  return lastSingular(noun).every((word, index) => lastSingular([words[index] ?? ''])[0] === word);
}

function mentions(words: readonly string[], noun: readonly string[]): boolean {
  const plain = words.map((word) => lastSingular([word])[0]);
  return lastSingular(noun).every((word) => plain.includes(word));
}

/** A name by what the method does to the path. */
function nameOfPath({ method, path }: ApiOperation): string[] {
  const segments = path.split('/').filter((segment) => segment !== '');
  const named = namedSegments(path);
  const endsInVariable = segments.at(-1)?.startsWith('{') ?? false;
  const last = wordsOf(named.at(-1) ?? 'root');
  const before = named.slice(-3, -1).flatMap((segment) => lastSingular(wordsOf(segment)));
  if (endsInVariable) return [ONE[method] ?? 'call', ...before, ...lastSingular(last)];
  const isAction = isVerb(last[0] ?? '') && (last.length === 1 || (segments.at(-2)?.startsWith('{') ?? false));
  if (method !== 'GET' && named.length > 1 && isAction) return [...last, ...before];
  if (method !== 'GET') return [ALL[method] ?? 'call', ...before, ...lastSingular(last)];
  if (isAction) return [...last, ...wordsOf(named.at(-2) ?? '')];
  return [isPlural(last.at(-1) ?? '') ? 'list' : 'get', ...before, ...last];
}

const ONE: Readonly<Record<string, string>> = {
  GET: 'get',
  POST: 'update',
  PUT: 'replace',
  PATCH: 'update',
  DELETE: 'delete',
};
const ALL: Readonly<Record<string, string>> = { POST: 'create', PUT: 'set', PATCH: 'update', DELETE: 'delete' };

/** Whether an id only repeats method and path, as generators write it: `GetCustomersCustomer`. */
function isMechanical({ method, path }: ApiOperation, id: string): boolean {
  const letters = lettersOf(id);
  if (!letters.startsWith(method.toLowerCase()) && !letters.endsWith(method.toLowerCase())) return false;
  const bare = letters.replace(new RegExp(`^${method.toLowerCase()}|${method.toLowerCase()}$`), '');
  return bare === lettersOf(path) || bare === lettersOf(path.replace(/^\/(?:api\/)?v\d+(?=\/)/, ''));
}

/** `read_item_items__item_id__get` -> `read_item`, as FastAPI writes ids. */
function withoutSuffix({ method, path }: ApiOperation, id: string): string {
  const suffix = `${path.replace(/\W/g, '_')}_${method.toLowerCase()}`;
  return id.endsWith(suffix) && id.length > suffix.length ? id.slice(0, -suffix.length) : id;
}

function lettersOf(text: string): string {
  return text.replace(/[^A-Za-z0-9]/g, '').toLowerCase();
}
