/**
 * Serves the views of the server (MCP Apps) on a port of its own: another origin than the page, whose key, routes and storage a view cannot reach.
 * The policy that the server declares for a view is enforced.
 */
import { randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Client } from '@sigil-mcp/client';
import type * as Internal from '@sigil-mcp/client/internal';
import type { ViewCsp } from '@sigil-mcp/client/internal';
import { isObject } from '@sigil-mcp/base';
import { mention } from '@sigil-mcp/cli/kit/dev';
import { pageError } from './errors';
import type { PageClients, Speaker } from './page-clients';

/** Views that are kept: a page shows few at once. */
const MOST_VIEWS = 20;
/** Bytes of a name that nobody guesses. */
const BYTES = 16;

/** A view as it is served. */
interface ServedView {
  readonly html: string;
  readonly policy: string;
}

/** The views of the page. */
export class ViewSandbox {
  readonly #views = new Map<string, ServedView>();
  #server: Server | undefined;
  #opening: Promise<string> | undefined;

  constructor(private readonly clients: PageClients) {}

  /** The origin of all views; it is opened once. */
  open(): Promise<string> {
    return (this.#opening ??= this.#open());
  }

  /**
   * Reads a view from the server, as a speaker.
   * @returns its address, for a frame in a sandbox
   * @throws SigilError if the resource is no view
   */
  async show(speaker: Speaker, uri: string): Promise<{ readonly url: string }> {
    if (!uri.startsWith('ui://')) throw pageError('SIGIL_DEV_PAGE_REQUEST', { reason: `${uri} is no view` });
    const origin = await this.open();
    const view = await readView(await this.clients.get(speaker), uri);
    const name = randomBytes(BYTES).toString('base64url');
    this.#views.set(name, view);
    const [oldest] = this.#views.keys();
    if (this.#views.size > MOST_VIEWS && oldest !== undefined) this.#views.delete(oldest);
    return { url: `${origin}/${name}` };
  }

  /** Serves no view any more. */
  close(): void {
    this.#server?.close();
    this.#server?.closeAllConnections();
  }

  async #open(): Promise<string> {
    const server = createServer((request, response) => this.#answer(request, response));
    this.#server = server.on('error', mention);
    await new Promise<void>((resolve, reject) => void server.once('error', reject).listen(0, '127.0.0.1', resolve));
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  }

  #answer({ method, url = '', headers, socket }: IncomingMessage, response: ServerResponse): void {
    response.on('error', () => undefined); // the browser has disconnected
    const isOurs = headers.host === `127.0.0.1:${socket.localPort}`;
    const view = isOurs && method === 'GET' ? this.#views.get(url.slice(1)) : undefined;
    if (!view) return void response.writeHead(404, { 'content-type': 'text/plain' }).end('There is no such view.');
    response.writeHead(200, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': `${view.policy}; sandbox allow-scripts allow-forms`,
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    response.end(view.html);
  }
}

async function readView(client: Client, uri: string): Promise<ServedView> {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- loaded with the first view
  const { contentSecurityPolicy } = require('@sigil-mcp/client/internal') as typeof Internal;
  const { contents } = await client.readResource(uri);
  const [first] = contents;
  if (!first) throw pageError('SIGIL_DEV_PAGE_REQUEST', { reason: `${uri} is empty` });
  const html = first.text ?? Buffer.from(first.blob ?? '', 'base64').toString('utf8');
  const ui: unknown = first._meta?.['ui'];
  // The policy leaves out every entry that is no origin.
  const csp = isObject(ui) && isObject(ui['csp']) ? (ui['csp'] as ViewCsp) : {};
  return { html, policy: contentSecurityPolicy(csp) };
}
