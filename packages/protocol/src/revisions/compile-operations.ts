/** Compiles the operations that a revision has, each when it is used first: most servers use few of them, in one or two revisions. */
import { ProtocolError } from '../jsonrpc/protocol-error';
import { ALL_SERVER_OPERATIONS } from '../operations/all-operations';
import type {
  Operation,
  OperationCodec,
  Wire,
  NotificationCodec,
  NotificationOperation,
  ServerOperation,
  ServerOperationCodec,
} from '../operations/operation';
import { nounWriters } from '../writing/write-call-result';
import type { RevisionRules } from './revision';

/** Finds both directions of a request of a client. Throws `ProtocolError('method-not-found')`. */
export type FindCodec = (method: string) => OperationCodec<object, object>;

/** Finds both directions of a request of a server; also of one that the revision does not have, for the capabilities that it needs. */
export type FindServerCodec = (method: string) => ServerOperationCodec<object, object>;

/**
 * Compiles one operation for a revision, also one that the revision does not list: an operation from outside.
 * @example compileOperation(TASKS_GET, rules).writeParams({ taskId: '7' })
 */
export function compileOperation<P extends object, R extends object>(
  operation: Operation<string, P, R>,
  rules: RevisionRules,
): OperationCodec<P, R>;
export function compileOperation<P extends object>(
  operation: NotificationOperation<string, P>,
  rules: RevisionRules,
): NotificationCodec<P>;
export function compileOperation(operation: Operation | NotificationOperation, rules: RevisionRules): object {
  return operation.compile({ rules, find: nounWriters(rules) });
}

/** Compiles the requests of a client. */
export function operationCodecs(rules: RevisionRules, wire: Wire): FindCodec {
  return compiledOnce<Operation, OperationCodec<object, object>>(rules.requests, rules, wire);
}

/** Compiles the requests of a server. */
export function serverOperationCodecs(rules: RevisionRules, wire: Wire): FindServerCodec {
  const all: readonly ServerOperation[] = [...ALL_SERVER_OPERATIONS, ...rules.serverRequests];
  return compiledOnce<ServerOperation, ServerOperationCodec<object, object>>(all, rules, wire);
}

function compiledOnce<O extends { readonly method: string; compile(wire: Wire): C }, C>(
  operations: readonly O[],
  { version }: RevisionRules,
  wire: Wire,
): (method: string) => C {
  const compiled = new Map<string, C>();
  const compile = (method: string): C => {
    const operation = operations.find((each) => each.method === method);
    if (!operation) throw new ProtocolError('method-not-found', `Revision ${version} has no method ${method}.`);
    const codec = operation.compile(wire);
    compiled.set(method, codec);
    return codec;
  };
  return (method) => compiled.get(method) ?? compile(method);
}
