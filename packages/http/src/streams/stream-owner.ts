/** The instance that answers the requests of a stream, and what is said in its place when it has gone. */
import { ERROR_CODES, writeError, type RequestId } from '@sigil-mcp/protocol';
import { isObject } from '@sigil-mcp/core/adapter';

/** The owner of a stream, from its own record. */
export interface StreamOwner {
  readonly instance: string;
  /** The ids of the requests that it answers there. */
  readonly ids: readonly RequestId[];
}

/** Serializes the owner of a stream for the store. */
export function writeOwner(owner: StreamOwner): string {
  return JSON.stringify(owner);
}

/** Reads the owner of a stream; one that no instance is, if another version has written it, or if the stream has ended. */
export function readOwner(text: string): StreamOwner {
  const owner: unknown = text === '' ? undefined : JSON.parse(text);
  if (!isObject(owner) || typeof owner['instance'] !== 'string' || !Array.isArray(owner['ids']))
    return { instance: '', ids: [] };
  return { instance: owner['instance'], ids: owner['ids'] as RequestId[] };
}

/** The errors in place of answers that an instance cannot give. A batch is answered as one. */
export function writeLost(ids: readonly RequestId[]): string {
  const error = {
    code: ERROR_CODES['internal-error'],
    message:
      'The answer is lost: the server instance that ran this request has ended, or could not store the answer. It is not known whether the request was completed.',
  };
  const [first, ...others] = ids.map((id) => writeError(id, error));
  return others.length === 0 ? (first ?? writeError(undefined, error)) : `[${[first, ...others].join(',')}]`;
}
