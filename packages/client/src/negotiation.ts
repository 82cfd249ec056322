/**
 * Finds the newest revision that client and server share: first without a handshake, then with one, then over HTTP+SSE.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 */
import {
  ALL_REVISIONS,
  ERROR_CODES,
  findRevision,
  HANDSHAKE_REVISIONS,
  NEWEST_HANDSHAKE_REVISION,
  NEWEST_PER_REQUEST_REVISION,
  PER_REQUEST_REVISIONS,
  type JsonObject,
  type Revision,
} from '@sigil-mcp/protocol';
import { ClientRequest, type Line } from './client/client-request';
import {
  assertOffered,
  clientConversation,
  type ClientConversation,
  type SelfDescription,
} from './conversations/client-conversation';
import { clientError } from './errors';
import { pause, waitFor } from './pause';
import { HttpError } from './pipes/http-error';
import { isBusy, isPassing } from './response-status';
import { objectOf } from './json';
import { RpcError } from './rpc-error';

/** What a client begins with: how it connects, and who it is. */
export interface Attempt {
  readonly self: SelfDescription;
  /** The revision that the caller wants; the newest that both have if undefined. */
  readonly revision: Revision | undefined;
  /** A line over the connection that is open, or over a new one if that has ended. */
  readonly lineFor: (revision: Revision, conversation: ClientConversation) => Line;
  /** Opens the connection over HTTP+SSE; undefined if the server is not at a URL. */
  readonly fallBack: (() => void) | undefined;
  /** Times that a busy server is asked. */
  readonly mostAttempts: number;
  readonly signal: AbortSignal | undefined;
}

/** A connection on which client and server have agreed. */
export interface Agreement {
  readonly revision: Revision;
  readonly line: Line;
  /** The answer to the first request. */
  readonly opening: JsonObject;
}

/**
 * Milliseconds after which a program that has not answered the first request, which older servers may ignore, is pinged, and as many for the
 * ping; less where a third of the time limit is: the handshake has the rest.
 */
const PROBE = 5000;
/** Milliseconds by which the answer to a ping may overtake the one before. */
const OVERTAKING = 250;
/** The errors of a server that serves revisions without a handshake. */
const RECOGNIZED: readonly number[] = (
  ['header-mismatch', 'missing-client-capability', 'unsupported-protocol-version'] as const
).map((name) => ERROR_CODES[name]);
/** Milliseconds before a server that is busy is asked again, if it does not say when; each time twice as long. */
const FIRST_WAIT = 250;
/** The HTTP statuses of a server that may speak HTTP+SSE. */
const NOT_STREAMABLE = [400, 404, 405, 406, 415];

/** Agrees with the server on a revision. */
export async function negotiate(attempt: Attempt): Promise<Agreement> {
  const { revision } = attempt;
  if (revision && PER_REQUEST_REVISIONS.includes(revision)) {
    const agreement = await discover(attempt, revision);
    assertOffered(revision.version, offeredBy(agreement));
    return agreement;
  }
  if (revision) return shakeHandsAnywhere(attempt, revision);
  const found = await probe(attempt);
  return found ?? shakeHandsAnywhere(attempt, NEWEST_HANDSHAKE_REVISION);
}

/** Tries the newest revision without a handshake; undefined if the server wants a handshake. */
async function probe(attempt: Attempt): Promise<Agreement | undefined> {
  let offered: readonly string[];
  try {
    const agreement = await discoverOrPing(attempt, NEWEST_PER_REQUEST_REVISION);
    if (!agreement) return undefined;
    offered = offeredBy(agreement);
    if (offered.includes(agreement.revision.version)) return agreement;
    // A server that answers anything to everything does not know the method.
    if (offered.length === 0) return undefined;
  } catch (error) {
    if (isOlder(error, attempt)) return undefined;
    if (!(error instanceof RpcError) || error.code !== ERROR_CODES['unsupported-protocol-version']) throw error;
    const { supported } = objectOf(error.data);
    offered = Array.isArray(supported) ? supported.map(String) : [];
    if (newestOf(ALL_REVISIONS, offered) === undefined) throw error;
  }
  const other = newestOf(PER_REQUEST_REVISIONS, offered);
  if (other) return discover(attempt, other);
  const older = newestOf(HANDSHAKE_REVISIONS, offered);
  if (older) return shakeHandsAnywhere(attempt, older);
  throw clientError('SIGIL_CLIENT_OTHER_REVISION', {
    wanted: NEWEST_PER_REQUEST_REVISION.version,
    offered: offered.join(', ') || 'none',
  });
}

async function discover(attempt: Attempt, revision: Revision): Promise<Agreement> {
  return begin(attempt, lineOf(attempt, revision));
}

function lineOf(attempt: Attempt, revision: Revision): Omit<Agreement, 'opening'> {
  return { revision, line: attempt.lineFor(revision, clientConversation(revision, attempt.self)) };
}

/**
 * An HTTP server answers everything. A program may ignore what it does not know, or may still be starting: after a while it is pinged, which
 * every older server answers, too. Programs answer in order: only one that is older answers the ping first, or nothing at all.
 * @returns undefined for such a program
 */
async function discoverOrPing(attempt: Attempt, revision: Revision): Promise<Agreement | undefined> {
  const asked = lineOf(attempt, revision);
  const { line } = asked;
  if (line.connection.pipe.follow) return begin(attempt, asked);
  const over = new AbortController();
  const { signal } = over;
  const end = (): void => over.abort(attempt.signal?.reason);
  attempt.signal?.addEventListener('abort', end);
  if (attempt.signal?.aborted) end();
  const timeout = Math.min(PROBE, line.timeout / 3);
  const ping = (): Promise<unknown> =>
    new ClientRequest(line, { method: 'ping', params: {} }, { timeout, signal }).result;
  const older = pause(line.clock, timeout, signal)
    .then(ping)
    .catch(() => undefined)
    .then(async () => pause(line.clock, OVERTAKING, signal))
    .catch(() => undefined);
  try {
    return await Promise.race([begin({ ...attempt, signal }, asked), older.then(() => undefined)]);
  } finally {
    attempt.signal?.removeEventListener('abort', end);
    end();
  }
}

/** Sends the first request; again, if the server has no time or a fault of its own, which says nothing about its age. */
async function begin(
  { mostAttempts, signal = new AbortController().signal }: Attempt,
  { revision, line }: Omit<Agreement, 'opening'>,
): Promise<Agreement> {
  const { clock, conversation, timeout } = line;
  const latest = clock.elapsed() + timeout;
  line.connection.pipe.follow?.(conversation.http);
  for (let attempt = 1; ; attempt += 1) {
    try {
      return {
        revision,
        line,
        opening: await new ClientRequest(line, conversation.opening, { timeout, signal }).result,
      };
    } catch (error) {
      const wait = attempt === mostAttempts ? undefined : waitAfter(error, attempt);
      if (wait === undefined || clock.elapsed() + wait > latest) throw error;
      await pause(clock, wait, signal).catch((reason: unknown) => {
        throw clientError('SIGIL_CLIENT_CANCELLED', { id: conversation.opening.method }, { cause: reason });
      });
    }
  }
}

/** Milliseconds after which the first request may be answered; undefined if it will not be. */
function waitAfter(error: unknown, attempt: number): number | undefined {
  if (!(error instanceof RpcError || error instanceof HttpError)) return undefined;
  if (!isBusy(error.status) && !isInternal(error)) return undefined;
  return error.retryAfter === undefined ? FIRST_WAIT * 2 ** (attempt - 1) : error.retryAfter * 1000;
}

function isInternal(error: unknown): boolean {
  return error instanceof RpcError && error.code === ERROR_CODES['internal-error'];
}

/** Over Streamable HTTP; if the server is too old for that, over HTTP+SSE. */
async function shakeHandsAnywhere(attempt: Attempt, revision: Revision): Promise<Agreement> {
  try {
    return await shakeHands(attempt, revision);
  } catch (error) {
    const { fallBack } = attempt;
    const status = error instanceof HttpError || error instanceof RpcError ? error.status : undefined;
    if (!fallBack || status === undefined || !NOT_STREAMABLE.includes(status)) throw error;
    fallBack();
    // The first error says more, because it is that of the transport that servers should have.
    return shakeHands({ ...attempt, fallBack: undefined }, revision).catch(() => {
      throw error;
    });
  }
}

async function shakeHands(attempt: Attempt, wanted: Revision): Promise<Agreement> {
  const { line, opening } = await begin(attempt, lineOf(attempt, wanted));
  const offered = line.conversation.offeredIn(opening);
  const [version = ''] = offered;
  const chosen = findRevision(version);
  if (attempt.revision || !chosen || !HANDSHAKE_REVISIONS.includes(chosen)) assertOffered(wanted.version, offered);
  const revision = chosen ?? wanted;
  const conversation = clientConversation(revision, attempt.self);
  const agreed = attempt.lineFor(revision, conversation);
  agreed.connection.pipe.follow?.(conversation.http);
  // The handshake is over.
  const { greeting: method } = conversation;
  if (method !== undefined)
    await waitFor(agreed.connection.deliver({ method }), { ...agreed, method, signal: attempt.signal });
  return { revision, line: agreed, opening };
}

/** Whether an error shows that a server is older than revisions without a handshake. */
function isOlder(error: unknown, { fallBack }: Attempt): boolean {
  if (error instanceof RpcError) return !RECOGNIZED.includes(error.code) && !isPassing(error.status);
  // A token that is refused says nothing about the revision.
  if (error instanceof HttpError)
    return error.status >= 400 && ![401, 403].includes(error.status) && !isPassing(error.status);
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  // A program may end at a message that it does not know, or ignore it.
  return code === 'SIGIL_CLIENT_PROGRAM_ENDED' || (code === 'SIGIL_CLIENT_TIMEOUT' && !fallBack);
}

function offeredBy({ line, opening }: Agreement): readonly string[] {
  return line.conversation.offeredIn(opening);
}

function newestOf(revisions: readonly Revision[], offered: readonly string[]): Revision | undefined {
  return revisions.findLast(({ version }) => offered.includes(version));
}
