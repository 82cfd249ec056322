/** From a target to a client that has met the server there. */
import { setTimeout as delay } from 'node:timers/promises';
import { inOrder } from './in-order';
import { CliFailure, noServer } from '../failure';
import { versionOfCli } from '../version';
import { ChildTransport } from './child-transport';
import { explainAddress, explainLateness, explainLostAddress, explainProgram } from './explain-silence';
import { loadOfficialClient, type Client, type OfficialClient, type Transport } from '../official-client';
import { labelOf, type CommandTarget, type Target, type UrlTarget } from '../targets/target';
import type { Interruption } from '../terminal/interruption';
import type { Credentials } from '../sign-in/credentials';
import { signIn, type Challenge } from '../sign-in/browser-sign-in';
import { challengeOf, signedFetch } from '../sign-in/signed-fetch';
import { Deadline } from './deadline';
import { watchedFetch, type HttpEvidence } from './watched-fetch';

/** Who connects, and within which deadline. */
export interface ConnectOptions {
  /** The deadline, seconds. */
  readonly timeout: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: Credentials;
  /** Shows an address to the person who is to sign in there, and opens it; undefined where there is no person. */
  readonly visit: ((address: URL) => Promise<void>) | undefined;
  /** Hears each line that a started program writes to stderr. */
  readonly onStderr: (line: string) => void;
  /** Whether only the handshake is tried, not the way without one. */
  readonly handshake: boolean;
  /** Prepares a client before it meets the server: what it answers when it is asked. */
  readonly prepare: (client: Client) => void;
  readonly interruption: Interruption;
}

/** A client that has met its server. */
export interface Connection {
  readonly client: Client;
  readonly official: OfficialClient;
  /** Whether an error says that the server is gone, or refused the message. */
  isLost(error: unknown): boolean;
  /** Resolves when the server is found to be gone, also where no call would ever notice. */
  readonly lost: Promise<void>;
  /** The failure to tell when the server is gone. */
  explainLoss(): Error;
  /** What the server printed on stdout that is no message. */
  readonly rubbish: readonly string[];
  close(): Promise<void>;
}

/** The longest that a timer of Node takes: our deadline is another. */
const FOREVER = 2 ** 31 - 1;
/** How much of the deadline a server has to answer a newcomer's first question before the handshake is tried. */
const PROBE_PART = 3;
/** The longest that is waited for that answer, milliseconds: what did not come by then never comes. */
const LONGEST_PROBE = 8_000;

/**
 * Connects to a target.
 * @throws CliFailure with the status for "no server" where there is none
 */
export async function connect(target: Target, options: ConnectOptions): Promise<Connection> {
  const official = await loadOfficialClient();
  const deadline = new Deadline(options.timeout * 1000);
  const meeting = new Meeting(official, options, deadline);
  try {
    return await (target.kind === 'url' ? meeting.address(target) : meeting.program(target));
  } finally {
    deadline.clear();
  }
}

/** The attempts to meet one server before one deadline. */
class Meeting {
  constructor(
    private readonly official: OfficialClient,
    private readonly options: ConnectOptions,
    private readonly deadline: Deadline,
  ) {}

  get #signal(): AbortSignal {
    return this.options.interruption.signal;
  }

  /** Meets a program; one that ends at a question it does not know is started again, and greeted in the older way. */
  async program(target: CommandTarget): Promise<Connection> {
    const first = new ChildTransport(target, this.official, this.options.onStderr);
    try {
      return this.#programConnection(target, first, await this.#meet(target, first, !this.options.handshake));
    } catch (error) {
      const gaveUp = first.ending === undefined || first.rubbish.length > 0 || this.#signal.aborted;
      if (gaveUp || error instanceof Late) throw this.#explainProgram(target, first, error);
    }
    const second = new ChildTransport(target, this.official, this.options.onStderr);
    try {
      return this.#programConnection(target, second, await this.#meet(target, second, false));
    } catch (error) {
      throw this.#explainProgram(target, second, error);
    }
  }

  /** Meets an address over Streamable HTTP; where that is refused, over HTTP+SSE. */
  async address(target: UrlTarget): Promise<Connection> {
    const evidence: HttpEvidence = {};
    const common = { requestInit: { headers: this.options.headers }, fetch: this.#fetchFor(target, evidence) };
    await this.#signInFirst(target);
    const streamable = new this.official.StreamableHTTPClientTransport(target.url, common);
    try {
      const client = await this.#meet(target, streamable, !this.options.handshake);
      return this.#addressConnection(target, client, evidence, () => endSession(streamable));
    } catch (error) {
      const refused = [400, 404, 405, 406, 415].includes(evidence.status ?? 0) && evidence.networkError === undefined;
      if (!refused || this.#signal.aborted) throw this.#explainAddress(target, evidence, error);
    }
    const first = { ...evidence };
    try {
      const client = await this.#meet(target, new this.official.SSEClientTransport(target.url, common), false);
      return this.#addressConnection(target, client, evidence, async () => undefined);
    } catch (error) {
      throw this.#explainAddress(target, error instanceof Late ? evidence : first, error);
    }
  }

  /** What sends requests to a server: it lets itself in, and remembers what came back. */
  #fetchFor(target: UrlTarget, evidence: HttpEvidence): typeof fetch {
    const { url } = target;
    const { official } = this;
    const { credentials, visit } = this.options;
    const enter = async (challenge: Challenge): Promise<void> => {
      await this.#signIn(target, challenge).catch((error: unknown) => {
        // What is thrown through the client, it may wrap.
        if (error instanceof CliFailure) this.options.interruption.interrupt(error);
        throw error;
      });
      delete evidence.refusal;
    };
    return signedFetch(watchedFetch(evidence), { official, credentials, url, signIn: visit && enter });
  }

  /** Somebody signs in before the server is met, as they wish, for the scopes that a newcomer is asked for. */
  async #signInFirst(target: UrlTarget): Promise<void> {
    if (!this.options.credentials.isAwaited) return;
    const { url } = target;
    const response = await fetch(url, { method: 'POST', signal: this.#signal }).catch(() => undefined);
    await response?.body?.cancel();
    await this.#signIn(target, (response && challengeOf(response, this.official)) ?? {});
  }

  #signIn({ url }: UrlTarget, challenge: Challenge): Promise<void> {
    const { credentials, visit } = this.options;
    if (!visit) throw noServer('SIGIL_CLI_NO_TERMINAL');
    return this.deadline.hold(() =>
      signIn(challenge, { official: this.official, credentials, url, fetch, visit, signal: this.#signal }),
    );
  }

  async #meet(target: Target, transport: Transport, probing: boolean): Promise<Client> {
    const { options, official } = this;
    const capabilities = { elicitation: { form: {}, url: {} }, sampling: {}, roots: {} };
    const timeoutMs = Math.min((options.timeout * 1000) / PROBE_PART, LONGEST_PROBE);
    const probe = target.kind === 'command' ? { probe: { timeoutMs } } : {};
    const client = new official.Client(
      { name: 'sigil', version: versionOfCli() },
      { capabilities, ...(probing && { versionNegotiation: { mode: 'auto', ...probe } }) },
    );
    options.prepare(client);
    const met = client.connect(inOrder(transport), { timeout: FOREVER, signal: this.#signal });
    met.catch(() => undefined);
    try {
      const interrupted = new Promise<never>((_, reject) => {
        this.#signal.addEventListener('abort', () => reject(this.#signal.reason as Error), { once: true });
      });
      const late = this.deadline.passed.then(() => Promise.reject(new Late()));
      this.#signal.throwIfAborted();
      await Promise.race([met, late, interrupted]);
      return client;
    } catch (error) {
      await transport.close().catch(() => undefined);
      throw error;
    }
  }

  #explainProgram(target: CommandTarget, child: ChildTransport, error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (error instanceof Late) return explainLateness(labelOf(target), this.options.timeout, child);
    if (isAnswer(error, this.official)) return explainRefusal(target, error);
    return explainProgram(target, child, 'connecting');
  }

  #explainAddress(target: UrlTarget, evidence: HttpEvidence, error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (error instanceof Late) return explainLateness(labelOf(target), this.options.timeout);
    if (isAnswer(error, this.official)) return explainRefusal(target, error);
    return explainAddress(target, evidence);
  }

  #programConnection(target: CommandTarget, child: ChildTransport, client: Client): Connection {
    return {
      client,
      official: this.official,
      rubbish: child.rubbish,
      isLost: (error) => child.ending !== undefined || isClosed(error, this.official),
      lost: new Promise(() => undefined), // a closed pipe fails every call by itself
      explainLoss: () => explainProgram(target, child, 'connected'),
      close: () => client.close(),
    };
  }

  #addressConnection(target: UrlTarget, client: Client, evidence: HttpEvidence, end: () => Promise<void>): Connection {
    return {
      client,
      official: this.official,
      rubbish: [],
      isLost: (error) =>
        evidence.networkError !== undefined ||
        isClosed(error, this.official) ||
        (evidence.refusal !== undefined && isForeign(error, this.official)),
      lost: new Promise((resolve) => (evidence.onNetworkError = resolve)),
      explainLoss: () => explainLostAddress(target, evidence),
      close: async () => {
        await end();
        await client.close();
      },
    };
  }
}

/** Thrown when the deadline has passed. */
class Late extends Error {}

/** The failure where a server answers, but refuses to be greeted as clients do. */
function explainRefusal(target: Target, { message, code }: Error & { readonly code: number }): Error {
  return noServer('SIGIL_CLI_GREETING', { target: labelOf(target), reason: message, code });
}

/** Whether a server answered, with an error of the protocol. */
function isAnswer(error: unknown, { ProtocolError }: OfficialClient): error is Error & { readonly code: number } {
  return error instanceof ProtocolError;
}

function isClosed(error: unknown, { SdkError, SdkErrorCode, SdkHttpError }: OfficialClient): boolean {
  if (error instanceof SdkHttpError) return true;
  if (!(error instanceof SdkError)) return false;
  return [SdkErrorCode.ConnectionClosed, SdkErrorCode.NotConnected, SdkErrorCode.SendFailed].includes(error.code);
}

/** Whether an error is none of the protocol's or the client's: what the older ways of HTTP throw where they are refused. */
function isForeign(error: unknown, { ProtocolError, SdkError }: OfficialClient): boolean {
  return !(error instanceof ProtocolError) && !(error instanceof SdkError);
}

/** Ends a session instead of leaving it to its idle time; a server that does not answer that is not waited for. */
async function endSession(transport: {
  sessionId?: string | undefined;
  terminateSession(): Promise<void>;
}): Promise<void> {
  if (transport.sessionId === undefined) return;
  await Promise.race([transport.terminateSession().catch(() => undefined), delay(1_000, undefined, { ref: false })]);
}
