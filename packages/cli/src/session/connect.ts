/** From a target to a connected client. */
import { Deadline, SigilError, type Clock } from '@sigil-mcp/base';
import { connect as connectClient, HttpError, RpcError, TASKS, type Client } from '@sigil-mcp/client';
import type { ClientOptions, ConnectTarget, PipeUser, QuestionHandlers, Traffic } from '@sigil-mcp/client';
import { PER_REQUEST_REVISIONS } from '@sigil-mcp/protocol';
import { CliFailure, noServer } from '../failure';
import { loadOfficialClient } from '../official-client';
import { signIn, type SignInDemand } from '../sign-in/browser-sign-in';
import type { CommandCredentials } from '../sign-in/credentials';
import { demandOf, signedFetch } from '../sign-in/signed-fetch';
import { labelOf, type AddressTarget, type ProgramTarget, type ServerTarget } from '../targets/target';
import type { Interruption } from '../terminal/interruption';
import type { Styles } from '../terminal/styles';
import { versionOfCli } from '../version';
import { ChildPipe } from './child-pipe';
import {
  explainAddress,
  explainLateness,
  explainLostAddress,
  explainProgram,
  networkErrorOf,
  type Moment,
  watchedFetch,
  type HttpEvidence,
} from './explain-silence';

/** The options of a connection. */
export interface SessionConnectOptions {
  /** Of messages on stderr. */
  readonly styles: Styles;
  /** The time for all limits. */
  readonly clock: Clock;
  /** The deadline, seconds. */
  readonly timeout: number;
  /** Milliseconds for a request, however much progress there is; `Infinity` for no limit. */
  readonly longest: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: CommandCredentials;
  /** Shows an address for a sign-in to the user, and opens it; undefined without a terminal. */
  readonly visit: ((address: URL) => Promise<void>) | undefined;
  /** Receives each line that a started program writes to stderr. */
  readonly onStderr: (line: string) => void;
  /** The only revision to try, with the handshake; undefined for the newest that client and server have in common. */
  readonly handshake: string | undefined;
  /** Answer the questions of the server. */
  readonly handlers: QuestionHandlers;
  /** Receives each message. */
  readonly onTraffic: (entry: Traffic) => void;
  readonly interruption: Interruption;
}

/** A client that is connected to its server. */
export interface ConnectedClient {
  readonly client: Client;
  /** The failure to report if an error means that the server is gone, or refused the message; undefined for any other error. */
  explainLoss(error: unknown): CliFailure | undefined;
  /** The program that was started: what it wrote besides messages, and reported; undefined for a server at an address. */
  readonly child: ChildPipe | undefined;
}

/** The path of most servers. */
const USUAL_PATH = '/mcp';
/** The codes of failures that say that another path may be the endpoint. */
const NOT_HERE = new Set(['SIGIL_CLI_NO_ENDPOINT', 'SIGIL_CLI_REJECTED']);
/** The lowest HTTP status of a refusal. */
const FAILED = 400;
/** The errors of the client after which no answer can come. */
const LOST = new Set(
  ['CLOSED', 'PROGRAM_ENDED', 'SESSION_LOST', 'STREAM_ENDED', 'UNANSWERED', 'UNREACHABLE'].map(
    (name) => `SIGIL_CLIENT_${name}`,
  ),
);

/**
 * Connects to a target.
 * @throws CliFailure with the status for "no server" if the connection fails
 */
export async function connect(target: ServerTarget, options: SessionConnectOptions): Promise<ConnectedClient> {
  const meeting = new Meeting(options);
  try {
    return await (target.kind === 'url' ? meeting.address(target) : meeting.program(target));
  } finally {
    meeting.end();
  }
}

/** The attempts to connect to one server within one deadline, which stands still while the user signs in. */
class Meeting {
  readonly #late = new AbortController();
  readonly #deadline: Deadline;

  constructor(private readonly options: SessionConnectOptions) {
    this.#deadline = new Deadline(options.clock, options.timeout * 1000);
    this.#deadline.onPassed(() => this.#late.abort());
  }

  end(): void {
    this.#deadline.stop();
  }

  /** Connects to a program, which is started again for a handshake if it ends at an unknown first request. */
  async program(target: ProgramTarget): Promise<ConnectedClient> {
    const { onStderr, styles, timeout } = this.options;
    let last: ChildPipe | undefined;
    const open = (user: PipeUser): ChildPipe => (last = new ChildPipe(target, user, onStderr));
    const lastChild = (): ChildPipe | undefined => last;
    const explainEnd = (when: Moment): CliFailure | undefined => {
      const child = lastChild();
      return child && explainProgram(target, child, { when, styles });
    };
    try {
      const client = await this.#meet(open, { timeout: timeout * 1000 });
      const child = lastChild();
      const isOver = (error: unknown): boolean => child?.ending !== undefined || isLost(error, client);
      return { client, child, explainLoss: (error) => (isOver(error) ? explainEnd('connected') : undefined) };
    } catch (error) {
      throw this.#explain(target, error, lastChild()) ?? explainEnd('connecting') ?? error;
    }
  }

  /** Connects to an address. */
  async address(target: AddressTarget): Promise<ConnectedClient> {
    const evidence: HttpEvidence = {};
    await this.#signInFirst(target);
    try {
      const given = { url: target.url, headers: this.options.headers };
      const client = await this.#meet(given, { fetch: this.#fetchFor(target, evidence), timeout: Infinity });
      return {
        client,
        explainLoss: (error) =>
          isLost(error, client)
            ? explainLostAddress(target, { ...evidence, networkError: networkErrorOf(error) })
            : undefined,
        child: undefined,
      };
    } catch (error) {
      const explained = this.#explain(target, error);
      if (explained) throw explained;
      const networkError = networkErrorOf(error);
      const isElsewhere = evidence.status === 404 && networkError === undefined;
      const usual = isElsewhere ? await this.#usualPath(target) : undefined;
      if (usual) return usual;
      throw explainAddress(target, { ...evidence, networkError });
    }
  }

  /** Connects to the usual path of a server whose address has no path. @returns undefined if there is no server either */
  async #usualPath({ url }: AddressTarget): Promise<ConnectedClient | undefined> {
    if (url.pathname !== '/') return undefined;
    try {
      return await this.address({ kind: 'url', url: new URL(`${USUAL_PATH}${url.search}`, url) });
    } catch (error) {
      if (error instanceof CliFailure && NOT_HERE.has(error.code)) return undefined;
      throw error;
    }
  }

  /** The `fetch` for a server: it signs in if necessary, and records the responses. */
  #fetchFor(target: AddressTarget, evidence: HttpEvidence): typeof fetch {
    const { url } = target;
    const { credentials, visit, interruption } = this.options;
    const enter = async (challenge: SignInDemand): Promise<void> => {
      await this.#signIn(target, challenge).catch((error: unknown) => {
        // The client wraps an error that passes through it.
        if (error instanceof CliFailure) interruption.interrupt(error);
        throw error;
      });
      delete evidence.refusal;
    };
    return signedFetch(watchedFetch(evidence), { credentials, url, signIn: visit && enter });
  }

  /** Signs in before connecting, if the user asked for it, with the default scopes. */
  async #signInFirst(target: AddressTarget): Promise<void> {
    if (!this.options.credentials.isAwaited) return;
    const { url } = target;
    const { signal } = this.options.interruption;
    const response = await fetch(url, { method: 'POST', signal }).catch(() => undefined);
    await response?.body?.cancel();
    // Another path may be the endpoint, whose answer names its authorization server.
    if (response?.status === 404 && url.pathname === '/') return;
    await this.#signIn(target, (response && demandOf(response)) ?? {});
  }

  async #signIn({ url }: AddressTarget, challenge: SignInDemand): Promise<void> {
    const { credentials, visit, interruption } = this.options;
    if (!visit) throw noServer('SIGIL_CLI_NO_TERMINAL');
    this.#deadline.pause();
    try {
      const official = await loadOfficialClient();
      await signIn(challenge, { official, credentials, url, fetch, visit, signal: interruption.signal });
    } finally {
      this.#deadline.resume();
    }
  }

  #meet(target: ConnectTarget, options: ClientOptions): Promise<Client> {
    const { clock, handshake, handlers, interruption, longest, onTraffic } = this.options;
    return connectClient(target, {
      ...handlers,
      ...options,
      onTraffic,
      clock,
      clientInfo: { name: 'sigil', version: versionOfCli() },
      capabilities: { extensions: { [TASKS]: {} } },
      ...(handshake !== undefined && { revision: handshake }),
      maxTimeout: longest,
      // A server that has no time says when it may have some, which the user reads at once.
      attempts: 1,
      signal: AbortSignal.any([interruption.signal, this.#late.signal]),
    });
  }

  /** Why nobody answers; undefined if the target says more about it. */
  #explain(target: ServerTarget, error: unknown, child?: ChildPipe): Error | undefined {
    const { interruption, timeout } = this.options;
    if (interruption.signal.aborted) return interruption.signal.reason as Error;
    if (error instanceof CliFailure) return error;
    const isLate = this.#late.signal.aborted || (error instanceof SigilError && error.code === 'SIGIL_CLIENT_TIMEOUT');
    if (isLate) return explainLateness(labelOf(target), timeout, child);
    if (!(error instanceof RpcError) || (error.status ?? 0) >= FAILED) return undefined;
    return noServer('SIGIL_CLI_GREETING', { target: labelOf(target), reason: error.message, code: error.code });
  }
}

/** Whether an error means that the server is gone, or refused the message. */
function isLost(error: unknown, { revision }: Client): boolean {
  // Without a handshake, a server answers some requests with an error and this status.
  if (error instanceof RpcError && error.status === 400)
    return PER_REQUEST_REVISIONS.every(({ version }) => version !== revision);
  if (error instanceof RpcError || error instanceof HttpError) return (error.status ?? 0) >= FAILED;
  return error instanceof SigilError && LOST.has(error.code);
}
