/** The clients of the page, one for each revision and token: they reach the server the way that other clients do. */
import type { Client, ConnectTarget, OpenPipe } from '@sigil-mcp/client';
import type * as ClientPackage from '@sigil-mcp/client';
import { ALL_REVISIONS, findRevision } from '@sigil-mcp/protocol';
import { versionOfCli } from '@sigil-mcp/cli/kit';
import type { SecondLine } from '@sigil-mcp/cli/kit/dev';
import { type PageQuestions, PAGE_CLIENT } from './page-questions';

/** As whom a client calls. */
export interface Speaker {
  /** The date of a revision; the newest one if undefined. */
  readonly revision: string | undefined;
  /** Sent over HTTP; none if undefined. */
  readonly token: string | undefined;
}

/** How the page reaches the server. */
export interface PageReach {
  /** The URL for clients; undefined on a pipe. */
  readonly address: string | undefined;
  /** The second client on the pipe. */
  readonly second: SecondLine;
  /** Starts a server of its own for a revision with a session, which the client on the pipe has already; undefined before one is built. */
  readonly program: () => ConnectTarget | undefined;
}

/** What the page can do besides: it shows views (MCP Apps). */
const CAPABILITIES = { extensions: { 'io.modelcontextprotocol/ui': { mimeTypes: ['text/html;profile=mcp-app'] } } };

/** Milliseconds for a call: a person may be debugging it. */
const PATIENCE = 600_000;

/** Opens clients when they are needed. */
export class PageClients {
  readonly #clients = new Map<string, Promise<Client>>();
  /** Ends the clients that are being opened. */
  #opening = new AbortController();

  constructor(
    private readonly reach: PageReach,
    private readonly questions: PageQuestions,
  ) {}

  /** A client for a speaker; the same one as before, while it is connected. */
  async get(speaker: Speaker): Promise<Client> {
    const key = JSON.stringify([speaker.revision ?? '', speaker.token ?? '']);
    const open = this.#clients.get(key);
    if (open) return open;
    const forget = (): void => void (this.#clients.get(key) === opening && this.#clients.delete(key));
    const opening = this.#connect(speaker, forget);
    this.#clients.set(key, opening);
    opening.catch(forget);
    return opening;
  }

  /** Closes all clients: those of the version before, which have a server of their own. One that is being opened is not waited for. */
  async close(): Promise<void> {
    const clients = [...this.#clients.values()];
    this.#clients.clear();
    this.#opening.abort();
    this.#opening = new AbortController();
    await Promise.allSettled(clients.map(async (opening) => (await opening).close()));
  }

  async #connect({ revision: chosen, token }: Speaker, onClose: () => void): Promise<Client> {
    // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded when the page calls for the first time
    const { connect } = require('@sigil-mcp/client') as typeof ClientPackage;
    // A handshake on the pipe of another client would be one of that client.
    const revision = chosen ?? (this.reach.address === undefined ? newestAlone() : undefined);
    return connect(this.#target(revision), {
      ...this.questions.handlers,
      capabilities: CAPABILITIES,
      clientInfo: { name: PAGE_CLIENT, version: versionOfCli() },
      ...(revision !== undefined && { revision }),
      ...(token !== undefined && { auth: { token } }),
      timeout: PATIENCE,
      signal: this.#opening.signal,
      onClose,
    });
  }

  #target(revision: string | undefined): ConnectTarget {
    const { address, second, program } = this.reach;
    if (address !== undefined) return { url: address };
    const own = shakesHands(revision) ? program() : undefined;
    return own ?? secondPipe(second);
  }
}

/** Whether clients of a revision open a session. */
function shakesHands(version: string | undefined): boolean {
  return findRevision(version ?? '')?.requests.has('initialize') ?? false;
}

/** The newest revision without a session: the one that can share a pipe with another client. */
function newestAlone(): string | undefined {
  return ALL_REVISIONS.map(({ version }) => version).findLast((version) => !shakesHands(version));
}

function secondPipe(second: SecondLine): OpenPipe {
  return (user) => {
    const { send, close } = second.open({ receive: (text) => user.receive(text) });
    return { send, close };
  };
}
