/** The ids of sessions as clients of a Worker know them: the object that serves a session, and its id there. */
import type { ObjectId } from './object-state';

const HEADER = 'mcp-session-id';
/** Ids of objects are hexadecimal. */
const NAME = /^([0-9a-f]+)\.(.+)$/;

/** The object of a request, and the id of its session there. */
export interface SessionName {
  readonly object: string;
  readonly id: string;
}

/** Undefined without a session, or with an id that no object has given. */
export function sessionNameOf({ headers }: Request): SessionName | undefined {
  const [, object, id] = NAME.exec(headers.get(HEADER) ?? '') ?? [];
  return object === undefined || id === undefined ? undefined : { object, id };
}

/** The request as the object gets it. */
export function withOwnId(request: Request, id: string): Request {
  const headers = new Headers(request.headers);
  headers.set(HEADER, id);
  return new Request(request, { headers });
}

/** The response as the client gets it. */
export function withName(response: Response, object: ObjectId): Response {
  const id = response.headers.get(HEADER);
  if (id === null) return response;
  const named = new Response(response.body, response);
  named.headers.set(HEADER, `${object.toString()}.${id}`);
  return named;
}
