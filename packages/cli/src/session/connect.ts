/** From a target to a connected client. */
import { setTimeout as delay } from 'node:timers/promises';
import { LONGEST_TIMER } from '@sigil-mcp/base';
import { CAPABILITIES } from './capabilities';
import { carryTask } from './carried-task';
import { inOrder } from './in-order';
import { CliFailure, noServer } from '../failure';
import { versionOfCli } from '../version';
import type { DeclaredEntry } from '../declared/declared-entries';
import type { StrayText } from '../causes/stray-text';
import { ChildTransport } from './child-transport';
import {
  explainAddress,
  explainLateness,
  explainLostAddress,
  explainProgram,
  watchedFetch,
  type HttpEvidence,
} from './explain-silence';
import {
  isClosed,
  isAnswer,
  isForeign,
  loadOfficialClient,
  type Client,
  type OfficialClient,
  type Transport,
} from '../official-client';
import { labelOf, type ProgramTarget, type ServerTarget, type AddressTarget } from '../targets/target';
import type { Styles } from '../terminal/styles';
import type { Interruption } from '../terminal/interruption';
import type { CommandCredentials } from '../sign-in/credentials';
import { signIn, type SignInDemand } from '../sign-in/browser-sign-in';
import { demandOf, signedFetch } from '../sign-in/signed-fetch';
import { ConnectDeadline } from './deadline';
import type { HttpRefusal } from './http-refusal';

/** The options of a connection. */
export interface OfficialConnectOptions {
  /** Of messages on stderr. */
  readonly styles: Styles;
  /** The deadline, seconds. */
  readonly timeout: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly credentials: CommandCredentials;
  /** Shows an address for a sign-in to the user, and opens it; undefined without a terminal. */
  readonly visit: ((address: URL) => Promise<void>) | undefined;
  /** Receives each line that a started program writes to stderr. */
  readonly onStderr: (line: string) => void;
  /** The only revision to try, with the handshake; undefined for the newest that client and server have in common. */
  readonly handshake: string | undefined;
  /** Registers handlers at a client before it connects: its answers to questions. */
  readonly prepare: (client: Client) => void;
  readonly interruption: Interruption;
}

/** A client that is connected to its server. */
export interface ConnectedClient {
  readonly client: Client;
  readonly official: OfficialClient;
  /** Whether an error means that the server is gone, or refused the message. */
  isLost(error: unknown): boolean;
  /** The last refusal of a message over HTTP; undefined if every message was taken. */
  findRefusal(): HttpRefusal | undefined;
  /** Resolves if the server is gone, also if no pending call would fail. */
  readonly lost: Promise<void>;
  /** The failure to report if the server is gone. */
  explainLoss(): Error;
  /** The lines on stdout that are not messages. */
  readonly rubbish: readonly string[];
  /** The first text on stdout and the code that wrote it, if the program reported it. */
  readonly findStray: () => StrayText | undefined;
  /** What the server declares about its entries, if the program reported it. */
  readonly findEntries: () => readonly DeclaredEntry[] | undefined;
  close(): Promise<void>;
}

/** The path of most servers. */
const USUAL_PATH = '/mcp';
/** The codes of failures that say that another path may be the endpoint. */
const NOT_HERE = new Set(['SIGIL_CLI_NO_ENDPOINT', 'SIGIL_CLI_REJECTED']);
/** The part of the deadline for the first request without a handshake, before the handshake is tried. */
const PROBE_PART = 3;
/** The longest wait for that answer, in milliseconds: a later answer is unlikely. */
const LONGEST_PROBE = 8_000;

/**
 * Connects to a target.
 * @throws CliFailure with the status for "no server" if the connection fails
 */
export async function connect(target: ServerTarget, options: OfficialConnectOptions): Promise<ConnectedClient> {
  const official = await loadOfficialClient();
  const deadline = new ConnectDeadline(options.timeout * 1000);
  const meeting = new Meeting(official, options, deadline);
  try {
    return await (target.kind === 'url' ? meeting.address(target) : meeting.program(target));
  } finally {
    deadline.clear();
  }
}

/** The attempts to connect to one server within one deadline. */
class Meeting {
  constructor(
    private readonly official: OfficialClient,
    private readonly options: OfficialConnectOptions,
    private readonly deadline: ConnectDeadline,
  ) {}

  get #signal(): AbortSignal {
    return this.options.interruption.signal;
  }

  /** Connects to a program. If it ends at an unknown first request, it is started again, with the handshake. */
  async program(target: ProgramTarget): Promise<ConnectedClient> {
    const first = new ChildTransport(target, this.official, this.options.onStderr);
    try {
      return this.#programConnection(
        target,
        first,
        await this.#meet(target, first, this.options.handshake === undefined),
      );
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

  /** Connects to an address over Streamable HTTP; if that is refused, over HTTP+SSE. */
  async address(target: AddressTarget): Promise<ConnectedClient> {
    const evidence: HttpEvidence = {};
    const common = { requestInit: { headers: this.options.headers }, fetch: this.#fetchFor(target, evidence) };
    await this.#signInFirst(target);
    const streamable = new this.official.StreamableHTTPClientTransport(target.url, common);
    try {
      const client = await this.#meet(target, streamable, this.options.handshake === undefined);
      return this.#addressConnection(target, client, evidence, () => endSession(streamable));
    } catch (error) {
      const refused = [400, 404, 405, 406, 415].includes(evidence.status ?? 0) && evidence.networkError === undefined;
      if (!refused || this.#signal.aborted) throw this.#explainAddress(target, evidence, error);
    }
    const first = { ...evidence };
    const usual = first.status === 404 ? await this.#usualPath(target) : undefined;
    if (usual) return usual;
    try {
      const client = await this.#meet(target, new this.official.SSEClientTransport(target.url, common), false);
      return this.#addressConnection(target, client, evidence, async () => undefined);
    } catch (error) {
      throw this.#explainAddress(target, error instanceof Late ? evidence : first, error);
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
    const { official } = this;
    const { credentials, visit } = this.options;
    const enter = async (challenge: SignInDemand): Promise<void> => {
      await this.#signIn(target, challenge).catch((error: unknown) => {
        // The client may wrap an error that passes through it.
        if (error instanceof CliFailure) this.options.interruption.interrupt(error);
        throw error;
      });
      delete evidence.refusal;
    };
    return signedFetch(watchedFetch(evidence), { official, credentials, url, signIn: visit && enter });
  }

  /** Signs in before connecting, if the user asked for it, with the default scopes. */
  async #signInFirst(target: AddressTarget): Promise<void> {
    if (!this.options.credentials.isAwaited) return;
    const { url } = target;
    const response = await fetch(url, { method: 'POST', signal: this.#signal }).catch(() => undefined);
    await response?.body?.cancel();
    // Another path may be the endpoint, whose answer names its authorization server.
    if (response?.status === 404 && url.pathname === '/') return;
    await this.#signIn(target, (response && demandOf(response, this.official)) ?? {});
  }

  #signIn({ url }: AddressTarget, challenge: SignInDemand): Promise<void> {
    const { credentials, visit } = this.options;
    if (!visit) throw noServer('SIGIL_CLI_NO_TERMINAL');
    return this.deadline.hold(() =>
      signIn(challenge, { official: this.official, credentials, url, fetch, visit, signal: this.#signal }),
    );
  }

  async #meet(target: ServerTarget, transport: Transport, probing: boolean): Promise<Client> {
    const { options, official } = this;
    const timeoutMs = Math.min((options.timeout * 1000) / PROBE_PART, LONGEST_PROBE);
    const probe = target.kind === 'command' ? { probe: { timeoutMs } } : {};
    const client = new official.Client(
      { name: 'sigil', version: versionOfCli() },
      {
        capabilities: CAPABILITIES,
        ...(probing && { versionNegotiation: { mode: 'auto', ...probe } }),
        ...(options.handshake !== undefined && { supportedProtocolVersions: [options.handshake] }),
      },
    );
    options.prepare(client);
    // Our own deadline replaces this one.
    const met = client.connect(inOrder(transport, carryTask), { timeout: LONGEST_TIMER, signal: this.#signal });
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

  #explainProgram(target: ProgramTarget, child: ChildTransport, error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (error instanceof Late) return explainLateness(labelOf(target), this.options.timeout, child);
    if (isAnswer(error, this.official)) return explainRefusal(target, error);
    return explainProgram(target, child, { when: 'connecting', styles: this.options.styles });
  }

  #explainAddress(target: AddressTarget, evidence: HttpEvidence, error: unknown): unknown {
    if (this.#signal.aborted) return this.#signal.reason;
    if (error instanceof Late) return explainLateness(labelOf(target), this.options.timeout);
    if (isAnswer(error, this.official)) return explainRefusal(target, error);
    return explainAddress(target, evidence);
  }

  #programConnection(target: ProgramTarget, child: ChildTransport, client: Client): ConnectedClient {
    return {
      client,
      official: this.official,
      rubbish: child.rubbish,
      findStray: () => child.stray,
      findEntries: () => child.entries,
      findRefusal: () => undefined,
      isLost: (error) => child.ending !== undefined || isClosed(error, this.official),
      lost: new Promise(() => undefined), // a closed pipe fails every call anyway
      explainLoss: () => explainProgram(target, child, { when: 'connected', styles: this.options.styles }),
      close: () => client.close(),
    };
  }

  #addressConnection(
    target: AddressTarget,
    client: Client,
    evidence: HttpEvidence,
    end: () => Promise<void>,
  ): ConnectedClient {
    return {
      client,
      official: this.official,
      rubbish: [],
      findStray: () => undefined,
      findEntries: () => undefined,
      findRefusal: () => evidence.refusal,
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

/** The failure if a server answers, but refuses the first request. */
function explainRefusal(target: ServerTarget, { message, code }: Error & { readonly code: number }): Error {
  return noServer('SIGIL_CLI_GREETING', { target: labelOf(target), reason: message, code });
}

/** Ends a session, which would otherwise last for its idle time; does not wait long for the server's answer. */
async function endSession(transport: {
  sessionId?: string | undefined;
  terminateSession(): Promise<void>;
}): Promise<void> {
  if (transport.sessionId === undefined) return;
  await Promise.race([transport.terminateSession().catch(() => undefined), delay(1_000, undefined, { ref: false })]);
}
