/** Connects a client to a server at a URL, in a program, or in this process. */
import { OPTION_RULES, orNull, requireOptions, systemClock, withOthers, type OptionRule } from '@sigil-mcp/base';
import { ALL_REVISIONS, findRevision, type Implementation, type JsonObject, type Revision } from '@sigil-mcp/protocol';
import { Client, type ServerDescription } from './client/client';
import type { Line } from './client/client-request';
import { Notifications } from './client/notifications';
import { answerWith, capabilitiesOf } from './client/question-handlers';
import { Connection } from './connection/connection';
import { CLIENT_OPTIONS, type ClientOptions } from './client-options';
import type { ClientConversation } from './conversations/client-conversation';
import { clientError } from './errors';
import { objectOf } from './json';
import { negotiate, type Agreement } from './negotiation';
import { COMMAND_TARGET, commandPipe, type CommandTarget } from './pipes/command-pipe';
import { memoryPipe, type MemoryEndpoint } from './pipes/memory-pipe';
import type { OpenPipe } from './pipes/pipe';
import { ssePipe } from './pipes/sse-pipe';
import { urlPipe } from './pipes/url-pipe';

/** The URL of a server: Streamable HTTP, or HTTP+SSE. */
export interface UrlTarget {
  readonly url: string | URL;
  /** Headers of every request; they replace others of the same name. None if left out. */
  readonly headers?: Readonly<Record<string, string>>;
}

const URL_MEMBERS: Readonly<Record<keyof UrlTarget, OptionRule | undefined>> = {
  url: undefined,
  headers: orNull(OPTION_RULES.object),
};
/** An entry of a file of an application has others, such as `type`. */
const URL_TARGET = withOthers(URL_MEMBERS, { needs: 'url' });

/** A server in this process. */
export interface MemoryTarget {
  /** Such as a `MemoryTransport` of `@sigil-mcp/core`, after the server listens on it. */
  readonly memory: MemoryEndpoint;
}

/** A server: its URL, the program that is started for this client, an object in this process, or a pipe of your own. */
export type ConnectTarget = UrlTarget | CommandTarget | MemoryTarget | OpenPipe;

const CLIENT_INFO: Implementation = { name: 'sigil-client', version: '1.0.0' };
const TIMEOUT = 60_000;
const MAX_TIMEOUT = 3_600_000;
const MOST_ATTEMPTS = 4;

/**
 * Connects to a server. The client speaks the newest revision that both have: it tries the one without a handshake first, then a handshake,
 * then HTTP+SSE. Close the client when you are done.
 * @throws SigilError `SIGIL_CLIENT_UNREACHABLE`, `SIGIL_CLIENT_NOT_STARTED`, `SIGIL_CLIENT_UNAUTHORIZED` (an `HttpError`) and others; RpcError
 * if the server refuses the client; DefinitionError for options that do not exist or are of the wrong kind
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/versioning
 * @example
 * const client = await connect({ url: 'https://example.com/mcp' }, { auth: { token: () => tokens.access() } });
 * for (const tool of await client.allTools()) console.log(tool.name);
 * await client.close();
 * @example
 * const client = await connect({ command: 'node', args: ['dist/main.js'] }, { onElicit: ({ message }) => askUser(message) });
 */
export async function connect(target: ConnectTarget, options: ClientOptions = {}): Promise<Client> {
  requireOptions('connect', options, CLIENT_OPTIONS);
  const revision = revisionOf(options.revision);
  const attempts = new Attempts(target, options);
  try {
    const self = {
      clientInfo: options.clientInfo ?? CLIENT_INFO,
      capabilities: { ...capabilitiesOf(options), ...options.capabilities },
    };
    const { lineFor, fallBack } = attempts;
    const { signal, attempts: mostAttempts = MOST_ATTEMPTS } = options;
    const agreement = await negotiate({ self, revision, lineFor, fallBack, mostAttempts, signal });
    return await attempts.finish(agreement);
  } catch (error) {
    // The first error is more useful than that of the close.
    await attempts.close().catch(() => undefined);
    throw error;
  }
}

/** The connections of one client, until one of them is right. */
class Attempts {
  readonly #notifications: Notifications;
  readonly #onFault: (error: Error) => void;
  #openPipe: OpenPipe;
  #connection: Connection | undefined;
  /** The line that answers questions. */
  #line: Line | undefined;
  #client: Client | undefined;
  /** Opens HTTP+SSE from now on; undefined if the server is not at a URL. */
  readonly fallBack: (() => void) | undefined;

  constructor(
    target: ConnectTarget,
    private readonly options: ClientOptions,
  ) {
    this.#onFault = options.onFault ?? (() => undefined);
    this.#notifications = new Notifications(this.#onFault);
    const { open, openOlder } = pipesTo(target, options);
    this.#openPipe = open;
    this.fallBack = openOlder && (() => this.#replace(openOlder));
  }

  /** A line over the open connection, or a new one. */
  readonly lineFor = (revision: Revision, conversation: ClientConversation): Line => {
    const { timeout = TIMEOUT, maxTimeout = MAX_TIMEOUT, clock = systemClock } = this.options;
    const line: Line = {
      connection: this.#open(),
      conversation,
      notifications: this.#notifications,
      answer: answerWith(this.options, revision),
      clock,
      timeout,
      maxTimeout,
    };
    this.#line = line;
    return line;
  };

  async finish({ revision, line, opening }: Agreement): Promise<Client> {
    const client = new Client(line, revision, describe(line.conversation, opening), this.#onFault);
    this.#client = client;
    const { over, pipe } = line.connection;
    if (over) throw over;
    // A server may hold the answer back until there is something to say: nobody waits for it.
    pipe.listen?.().catch((error: Error) => {
      if (!line.connection.over) this.#onFault(error);
    });
    return client;
  }

  async close(): Promise<void> {
    await this.#connection?.close();
  }

  #open(): Connection {
    if (this.#connection && !this.#connection.over) return this.#connection;
    const { onTraffic, onClose } = this.options;
    const connection = new Connection(this.#openPipe, {
      answer: (question) => {
        if (this.#line) return this.#line.answer(question);
        throw clientError('SIGIL_CLIENT_CLOSED');
      },
      onTraffic,
      onNotification: (notification) => this.#notifications.receive(notification),
      onFault: this.#onFault,
      onEnd: (reason) => {
        // A connection that was only tried is nobody's.
        if (!this.#client) return;
        this.#notifications.end(reason);
        onClose?.(reason);
      },
    });
    this.#connection = connection;
    return connection;
  }

  #replace(openPipe: OpenPipe): void {
    this.#connection?.close().catch(this.#onFault);
    this.#connection = undefined;
    this.#openPipe = openPipe;
  }
}

function pipesTo(
  target: ConnectTarget,
  { auth, clock, fetch }: ClientOptions,
): { open: OpenPipe; openOlder?: OpenPipe } {
  if (typeof target === 'function') return { open: target };
  if ('memory' in target) return { open: memoryPipe(target.memory) };
  if ('command' in target) {
    requireOptions('connect', target, COMMAND_TARGET);
    return { open: commandPipe(target) };
  }
  requireOptions('connect', target, URL_TARGET);
  const url = httpUrl(target.url);
  const options = { headers: target.headers, auth, clock, fetch };
  return { open: urlPipe(url, options), openOlder: ssePipe(url, options) };
}

function httpUrl(target: string | URL): string {
  const text = String(target);
  if (URL.canParse(text) && /^https?:$/.test(new URL(text).protocol)) return text;
  throw clientError('SIGIL_CLIENT_TARGET', { target: JSON.stringify(text) });
}

function revisionOf(version: string | undefined): Revision | undefined {
  if (version === undefined) return undefined;
  const revision = findRevision(version);
  if (revision) return revision;
  const known = ALL_REVISIONS.map((each) => each.version).join(', ');
  throw clientError('SIGIL_CLIENT_REVISION', { revision: JSON.stringify(version), known });
}

/** What a server says of itself: shown to people and models, so only the types of its texts are checked. */
function describe(conversation: ClientConversation, opening: JsonObject): ServerDescription {
  const info = objectOf(conversation.serverIn(opening));
  const { name, version } = info;
  const { capabilities, instructions } = opening;
  const isNamed = typeof name === 'string' && typeof version === 'string';
  return {
    info: isNamed ? { ...info, name, version } : undefined,
    // Each member is an object or absent, as the protocol has it; a wrong one is like a capability that does nothing.
    capabilities: objectOf(capabilities),
    instructions: typeof instructions === 'string' ? instructions : undefined,
    revisions: conversation.offeredIn(opening),
  };
}
