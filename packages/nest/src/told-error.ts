/** The exceptions of Nest -> what callers receive. */
import { ToolFailure, type EntryFacts } from '@sigil-mcp/core';
import { ProtocolError } from '@sigil-mcp/protocol';

/** An `HttpException`, also one of another copy of Nest. */
export interface HttpFailure extends Error {
  getStatus(): number;
  getResponse(): unknown;
}

/** An `RpcException` of `@nestjs/microservices`. */
interface RpcFailure extends Error {
  getError(): unknown;
}

/**
 * An exception as the server answers it: of an `HttpException` below 500, and of an `RpcException`, the caller reads the message. A tool
 * fails with it, so that the model can act on it; a resource or prompt is answered with a JSON-RPC error. All else stays as it is, and is
 * masked.
 */
export function toldError(error: unknown, kind: EntryFacts['kind'] | undefined): unknown {
  const told = messageOf(error);
  if (told === undefined) return error;
  const { message, status } = told;
  if (kind === 'tool') return new ToolFailure(message, { cause: error });
  const isUnknown = status === 404 && kind !== 'prompt';
  const isRefused = status === 401 || status === 403;
  return new ProtocolError(
    isUnknown ? 'resource-not-found' : isRefused ? 'invalid-request' : 'invalid-params',
    message,
  );
}

/** What a caller may read of an error that refuses; undefined for one that is no refusal. */
export function refusalOf(error: unknown): string | undefined {
  return messageOf(error)?.message;
}

/** Whether a guard, or code in its place, has refused the caller. */
export function isRefusal(error: unknown): boolean {
  return isHttpFailure(error) && (error.getStatus() === 401 || error.getStatus() === 403);
}

function messageOf(error: unknown): { readonly message: string; readonly status: number | undefined } | undefined {
  if (isHttpFailure(error)) {
    const status = error.getStatus();
    return status >= 400 && status < 500
      ? { message: textOf(error.getResponse()) ?? error.message, status }
      : undefined;
  }
  return isRpcFailure(error) ? { message: textOf(error.getError()) ?? error.message, status: undefined } : undefined;
}

/** Whether it is an `HttpException`, of any copy of Nest. */
export function isHttpFailure(error: unknown): error is HttpFailure {
  return error instanceof Error && hasMethods(error, ['getStatus', 'getResponse']);
}

function isRpcFailure(error: unknown): error is RpcFailure {
  return error instanceof Error && error.constructor.name === 'RpcException' && hasMethods(error, ['getError']);
}

function hasMethods(value: object, names: readonly string[]): boolean {
  return names.every((name) => typeof Reflect.get(value, name) === 'function');
}

/** The text of a response: a pipe that validates gives a list of messages. */
export function textOf(response: unknown): string | undefined {
  if (typeof response === 'string') return response;
  if (typeof response !== 'object' || response === null || !('message' in response)) return undefined;
  const { message } = response;
  if (Array.isArray(message)) return message.map(String).join('; ');
  return typeof message === 'string' ? message : undefined;
}
