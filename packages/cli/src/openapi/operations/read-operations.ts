/** All operations of a document, in its order. */
import { isObject } from '@sigil-mcp/base';
import { failure } from '../../failure';
import type { LooseObject } from '../../json-object';
import { shownUrl } from '../document/fetch-text';
import type { ApiDocument } from '../document/read-document';
import { firstServer } from '../document/server-url';
import type { Note, ApiOperation } from './operation';
import { readAnswer, readBody } from './read-body';
import { readParameters } from './read-parameters';

const METHODS = ['get', 'post', 'put', 'patch', 'delete', 'head', 'options', 'trace'];
/** They say nothing that a model needs. */
const WITHOUT_TOOL = ['head', 'options', 'trace'];

/** @throws CliFailure if the document has no paths */
export function readOperations(document: ApiDocument, note: Note): ApiOperation[] {
  const { paths } = document.root;
  const items = isObject(paths) ? Object.entries(paths).filter(([path]) => path.startsWith('/')) : [];
  const operations = items.flatMap(([path, item]) => readPath(document, { path, item }, note));
  if (operations.length === 0) throw failure('SIGIL_OPENAPI_EMPTY', { document: shownUrl(document.url) });
  return operations;
}

interface PathItem {
  readonly path: string;
  readonly item: unknown;
}

function readPath(document: ApiDocument, { path, item }: PathItem, note: Note): ApiOperation[] {
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
    if (WITHOUT_TOOL.includes(method)) {
      note(key, `no tool is written for ${method.toUpperCase()}`);
      return [];
    }
    if (hasOtherServer(given, whole, document)) {
      note(key, 'it is on a server of its own, and the client has one address: no tool is written');
      return [];
    }
    return [readOperation(document, { key, method, path, given, shared: whole['parameters'] }, note)];
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

function readOperation({ pointers }: ApiDocument, operation: GivenOperation, note: Note): ApiOperation {
  const { key, method, path, given, shared } = operation;
  const { operationId, tags, summary, description } = given;
  return {
    key,
    method: method.toUpperCase(),
    path,
    id: typeof operationId === 'string' && operationId.trim() !== '' ? operationId : undefined,
    tags: Array.isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [],
    summary: typeof summary === 'string' ? summary : '',
    description: typeof description === 'string' ? description : '',
    deprecated: given['deprecated'] === true,
    parameters: readParameters({ key, path, lists: [shared, given['parameters']] }, pointers, note),
    body: readBody(given['requestBody'], pointers, (text) => note(key, text)),
    answer: readAnswer(given['responses'], pointers, (_none, text) => note(key, text)),
    source: shared === undefined ? given : { ...given, 'x-path-parameters': shared },
  };
}

function hasOtherServer(given: LooseObject, item: LooseObject, { root }: ApiDocument): boolean {
  const own = firstServer(given['servers']) ?? firstServer(item['servers']);
  return own !== undefined && own !== firstServer(root['servers']);
}
