/** All operations of a document, in its order. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '@sigil-mcp/cli/kit';
import { failure } from '../errors';
import { shownUrl } from '../document/fetch-text';
import type { ApiDocument } from '../document/read-document';
import { addressesOf } from '../document/server-url';
import type { ApiOperation, LeftOperation, Note, Parameter } from './operation';
import { isOtherMultipart, readAnswer, readBody } from './read-body';
import { readParameters } from './read-parameters';
import { readSecurity, findScheme, type Needed } from './read-security';
import { METHODS, type Pointers } from '../document/pointers';

/** The parameters of an operation, and the credentials that it needs. */
interface KeyedParameters {
  readonly key: string;
  readonly parameters: readonly Parameter[];
  readonly security: Needed | undefined;
}

/** They say nothing that a model needs. */
const WITHOUT_TOOL = ['head', 'options', 'trace'];

/** What a document has. */
export interface ReadOperations {
  readonly operations: readonly ApiOperation[];
  /** Those that cannot be tools. */
  readonly left: readonly LeftOperation[];
}

/** @throws CliFailure if the document has no paths */
export function readOperations(document: ApiDocument, note: Note): ReadOperations {
  const { paths } = document.root;
  const items = isObject(paths) ? Object.entries(paths).filter(([path]) => path.startsWith('/')) : [];
  const read = items.flatMap(([path, item]) => readPath(document, { path, item }, note));
  const left = read.filter((each): each is LeftOperation => each.reason !== undefined);
  const operations = read.filter(({ reason }) => reason === undefined).map(({ operation }) => operation);
  if (read.length === 0) throw failure('SIGIL_OPENAPI_EMPTY', { document: shownUrl(document.url) });
  return { operations, left };
}

interface OperationReading {
  readonly operation: ApiOperation;
  /** Why it cannot be a tool. */
  readonly reason: string | undefined;
}

interface PathItem {
  readonly path: string;
  readonly item: unknown;
}

function readPath(document: ApiDocument, { path, item }: PathItem, note: Note): OperationReading[] {
  // A path may be a reference, too, and may have members next to it.
  const target = document.pointers.follow(item)?.value;
  if (!target) {
    note(undefined, `${path} leads nowhere: it is left out`);
    return [];
  }
  const whole: LooseObject = { ...target, ...(isObject(item) ? item : {}) };
  return METHODS.flatMap((method) => {
    const given = whole[method];
    if (!isObject(given)) return [];
    const key = `${method.toUpperCase()} ${path}`;
    const operation = readOperation(document, { key, method, path, given, shared: whole['parameters'] }, note);
    const reason = WITHOUT_TOOL.includes(method)
      ? `a model needs nothing that ${operation.method} says`
      : (otherServer(operation, whole, document) ?? otherBody(operation));
    return [{ operation, reason }];
  });
}

interface GivenOperation {
  readonly key: string;
  readonly method: string;
  readonly path: string;
  readonly given: LooseObject;
  /** The parameters of its path. */
  readonly shared: unknown;
}

function readOperation({ pointers, root }: ApiDocument, operation: GivenOperation, note: Note): ApiOperation {
  const { key, method, path, given, shared } = operation;
  const { operationId, tags, summary, description } = given;
  const security = readSecurity(given, root);
  const parameters = readParameters({ key, path, lists: [shared, given['parameters']] }, pointers, note);
  return {
    key,
    method: method.toUpperCase(),
    path,
    id: typeof operationId === 'string' && operationId.trim() !== '' ? operationId : undefined,
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    summary: typeof summary === 'string' ? summary : '',
    description: typeof description === 'string' ? description : '',
    deprecated: given['deprecated'] === true,
    parameters: withoutKeys({ key, parameters, security }, pointers, note),
    body: readBody(given['requestBody'], pointers, (text) => note(key, text)),
    answer: readAnswer(given['responses'], pointers, (_none, text) => note(key, text)),
    security,
    source: shared === undefined ? given : { ...given, 'x-path-parameters': shared },
  };
}

/** A second address would get the credentials of the first: an operation elsewhere needs a client of its own. */
function otherServer({ source, id, key }: ApiOperation, item: LooseObject, document: ApiDocument): string | undefined {
  const { url, root, server } = document;
  const ofOperation = addressesOf(source['servers'], url);
  const own = ofOperation.length > 0 ? ofOperation : addressesOf(item['servers'], url);
  const [usual] = addressesOf(root['servers'], url);
  const [first] = own;
  if (first === undefined || own.some((each) => each === usual || each === server)) return undefined;
  return (
    `its server is ${first}, and a client has one address. ` +
    `Add it with --server ${first}, a --name of its own and --only "${pastable(id) ?? pastable(key) ?? '<pattern>'}"`
  );
}

function otherBody({ body }: ApiOperation): string | undefined {
  return body && isOtherMultipart(body.mediaType)
    ? `its body is ${body.mediaType}, which the client cannot write`
    : undefined;
}

/** A text that means nothing else to a shell. */
function pastable(text: string | undefined): string | undefined {
  return text !== undefined && /^[\w./{} -]+$/.test(text) ? text : undefined;
}

/** Leaves out each parameter that a security scheme stands for, unless the API requires it and the client does not send it. */
function withoutKeys({ key, parameters, security }: KeyedParameters, pointers: Pointers, note: Note): Parameter[] {
  const schemes = pointers.find('#/components/securitySchemes');
  const names = isObject(schemes) ? Object.keys(schemes) : [];
  const isSent = (name: string): boolean => security === undefined || security.some((list) => list.includes(name));
  return parameters.filter((parameter) => {
    const scheme = names.find((name) => isKey(parameter, name, pointers));
    if (scheme === undefined || (parameter.required && !isSent(scheme))) return true;
    note(key, `${parameter.name} is a credential, which the client sends: it is left out`);
    return false;
  });
}

function isKey({ place, name }: Parameter, scheme: string, pointers: Pointers): boolean {
  const found = findScheme(scheme, pointers);
  if (found?.['type'] !== 'apiKey' || found['in'] !== place || typeof found['name'] !== 'string') return false;
  return found['name'] === name || (place === 'header' && found['name'].toLowerCase() === name.toLowerCase());
}
