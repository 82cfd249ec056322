/** A response that holds no answer, as an error. */
import { clientWords } from '../errors';
import { SigilError } from '@sigil-mcp/base';
import { objectOf, readJson } from '../json';
import { errorOf, RpcError } from '../rpc-error';
import { challengeOf, type Challenge } from './challenge';
import { readText } from './read-text';
import { statusOf } from '../response-status';

/** Thrown when a response is not a message: a refused token, an error page, another kind of server. */
export class HttpError extends SigilError {
  /** The HTTP status. */
  readonly status: number;
  /** What the server demands of the token; undefined unless it refused the request for that reason. */
  readonly challenge: Challenge | undefined;
  /** Seconds after which the server wants to be asked again; undefined if it does not say. */
  readonly retryAfter: number | undefined;

  constructor(url: string, method: string, { response, text, cause }: NoMessage) {
    const { status, retryAfter } = statusOf(response);
    const challenge = challengeOf(response);
    const type = response.headers.get('content-type') ?? 'no content type';
    const body = JSON.stringify(text.slice(0, 300));
    const words = challenge
      ? clientWords('SIGIL_CLIENT_UNAUTHORIZED', { url, status, reason: reasonOf(challenge) })
      : clientWords('SIGIL_CLIENT_NO_MESSAGE', { url, method, status, type, body });
    super(words, cause && { cause });
    this.status = status;
    this.challenge = challenge;
    this.retryAfter = retryAfter;
  }
}

/** A response that is no answer, and its text. */
interface NoMessage {
  readonly response: Response;
  readonly text: string;
  readonly cause?: Error | undefined;
}

/** The error of a response that was not asked for a message: its JSON-RPC error, or an `HttpError`. */
export async function refusalOf(url: string, method: string, response: Response): Promise<Error> {
  const text = response.bodyUsed ? '' : await readText(response);
  const error = errorOf(objectOf(readJson(text)));
  return error ? new RpcError(error, statusOf(response)) : new HttpError(url, method, { response, text });
}

function reasonOf({ error, errorDescription, scope }: Challenge): string {
  const demand = scope === undefined ? undefined : `it needs the scope ${scope}`;
  return [error, errorDescription, demand].filter((part) => part !== undefined).join(', ') || 'no reason given';
}
