/** The redirect target of the browser after a sign-in: a local page that accepts one answer. */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { codeOf, failure } from '../failure';

const PATH = '/callback';
const HOST = '127.0.0.1';

/** A page for the browser, without any text of a server. */
function page(words: string): string {
  return `<!doctype html><html lang="en"><meta charset="utf-8"><title>sigil</title><p>${words}</p></html>`;
}

/** Waits for one redirect of an authorization server (RFC 8252, section 7.3). */
export class RedirectListener {
  /** Ties the answer to the request (RFC 6749, section 10.12). */
  readonly state = randomBytes(16).toString('base64url');
  /** The parameters of the redirect, unchanged. */
  readonly answer: Promise<URLSearchParams>;
  #answered: (answer: URLSearchParams) => void = () => undefined;

  private constructor(private readonly server: Server) {
    this.answer = new Promise((resolve) => (this.#answered = resolve));
    server.on('request', (request, response) => {
      // A request target may be an invalid URL, such as `//`.
      const asked = URL.canParse(request.url ?? '', this.url) ? (request.url ?? '') : '/';
      const { pathname, searchParams } = new URL(asked, this.url);
      const isOurs = pathname === PATH && request.method === 'GET' && searchParams.get('state') === this.state;
      const words = searchParams.has('code') ? 'You are signed in.' : 'You are not signed in.';
      response.writeHead(isOurs ? 200 : 404, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': "default-src 'none'",
        connection: 'close',
      });
      response.end(page(isOurs ? `${words} Close this page, and go back to the terminal.` : 'Nothing is here.'));
      if (isOurs) this.#answered(searchParams);
    });
  }

  /** @param port 0 for any free port @throws CliFailure if the port cannot be used */
  static async open(port: number): Promise<RedirectListener> {
    const server = createServer();
    try {
      await once(server.listen(port, HOST), 'listening');
    } catch (error) {
      throw failure('SIGIL_CLI_CALLBACK_PORT', { port, reason: codeOf(error) ?? String(error) });
    }
    return new RedirectListener(server);
  }

  /** The redirect URI. */
  get url(): string {
    return `http://${HOST}:${(this.server.address() as AddressInfo).port}${PATH}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }
}
