/** The operations of the specification, and their types by the name of the method. To add one, write it in this folder and add a line here. */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject, type JsonObject, type JsonValue } from '../jsonrpc/message';
import type { NoParams } from '../model/metadata';
import type { ListRootsResult, Root } from '../model/server-requests';
import { readOptionalObject, readOptionalString, readString, throwInvalid } from '../reading/read-members';
import { ELICITATION_CREATE } from './elicitation-create';
import {
  COMPLETION_COMPLETE,
  PROMPTS_GET,
  PROMPTS_LIST,
  RESOURCES_LIST,
  RESOURCES_READ,
  RESOURCES_SUBSCRIBE,
  RESOURCES_TEMPLATES_LIST,
  RESOURCES_UNSUBSCRIBE,
  TOOLS_CALL,
  TOOLS_LIST,
} from './features';
import { INITIALIZE, LOGGING_SET_LEVEL, PING, SERVER_DISCOVER } from './lifecycle';
import type { ParamsOfOperation, ResultOfOperation, ServerOperation } from './operation';
import { SAMPLING_CREATE_MESSAGE } from './sampling-create-message';
import { SUBSCRIPTIONS_LISTEN } from './subscriptions-listen';

/** All requests of a client, of all revisions. */
export const ALL_OPERATIONS = [
  INITIALIZE,
  PING,
  SERVER_DISCOVER,
  TOOLS_LIST,
  TOOLS_CALL,
  RESOURCES_LIST,
  RESOURCES_TEMPLATES_LIST,
  RESOURCES_READ,
  RESOURCES_SUBSCRIBE,
  RESOURCES_UNSUBSCRIBE,
  SUBSCRIPTIONS_LISTEN,
  PROMPTS_LIST,
  PROMPTS_GET,
  COMPLETION_COMPLETE,
  LOGGING_SET_LEVEL,
] as const;

type AnyOperation = (typeof ALL_OPERATIONS)[number];

/** The parameters and the result of each operation, by its method. */
export type Operations = {
  [O in AnyOperation as O['method']]: { params: ParamsOfOperation<O>; result: ResultOfOperation<O> };
};

/** The name of an operation. */
export type Method = keyof Operations;

/** The parameters of an operation. */
export type ParamsOf<M extends Method> = Operations[M]['params'];

/** The result of an operation. */
export type ResultOf<M extends Method> = Operations[M]['result'];

// The requests of a server to its client, and their types by the name of the method. To add one, write it in this folder and add a line here.

/**
 * Asks for the folders that the client works in.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/roots
 */
export const ROOTS_LIST: ServerOperation<'roots/list', NoParams, ListRootsResult> = {
  method: 'roots/list',
  compile: () => ({
    missingCapabilities: (_params, { roots }) => (roots ? undefined : { roots: {} }),
    writeParams: () => undefined,
    readParams: () => ({}),
    writeResult: asJsonObject,
    readResult: readRoots,
  }),
};

/** All requests of a server, of all revisions. */
export const ALL_SERVER_OPERATIONS = [ELICITATION_CREATE, SAMPLING_CREATE_MESSAGE, ROOTS_LIST] as const;

type AnyServerOperation = (typeof ALL_SERVER_OPERATIONS)[number];

/** The parameters and the result of each request of a server, by its method. */
export type ServerOperations = {
  [O in AnyServerOperation as O['method']]: O extends ServerOperation<string, infer P, infer R>
    ? { params: P; result: R }
    : never;
};

/** The name of a request of the server. */
export type ServerMethod = keyof ServerOperations;

/** The parameters of a request of the server. */
export type ServerParamsOf<M extends ServerMethod> = ServerOperations[M]['params'];

/** The answer to a request of the server. */
export type ServerResultOf<M extends ServerMethod> = ServerOperations[M]['result'];

/** A request of the server, in the neutral words. */
export interface ServerRequest<M extends ServerMethod = ServerMethod> {
  readonly method: M;
  readonly params: ServerParamsOf<M>;
}

function readRoots({ roots }: JsonObject): ListRootsResult {
  if (!Array.isArray(roots)) return throwInvalid('result', 'roots', 'an array');
  return { roots: roots.map((root: JsonValue, index) => readRoot(root, `roots[${index}]`)) };
}

function readRoot(root: JsonValue, member: string): Root {
  if (!isObject(root)) return throwInvalid('result', member, 'an object');
  const uri = readString(root, 'uri', `result.${member}`);
  const name = readOptionalString(root, 'name', `result.${member}`);
  const meta = readOptionalObject(root, '_meta', `result.${member}`);
  return { uri, ...(name !== undefined && { name }), ...(meta && { _meta: meta }) };
}
