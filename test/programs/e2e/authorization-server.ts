/** An authorization server that lets everybody in at once, with all that a client of the official package asks of one. */
import { createHash, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';

/** What somebody was granted. */
export interface Grant {
  readonly clientId: string;
  readonly scopes: readonly string[];
}

interface Code extends Grant {
  readonly challenge: string;
  readonly redirectUri: string;
}

/** How it behaves. */
export interface AuthorizationServerOptions {
  /** Whether clients register by themselves; true if left out. */
  readonly registers?: boolean;
  /** Whether people may sign in; true if left out. */
  readonly signsIn?: boolean;
  /** What it answers instead of a code. */
  readonly refuses?: string;
}

/** It runs on loopback until it is closed. */
export class AuthorizationServer {
  /** Every token that it gave, and what that is good for. */
  readonly granted = new Map<string, Grant>();
  /** The scopes that were asked for, one text for each time that somebody was sent there. */
  readonly asked: string[] = [];
  readonly #codes = new Map<string, Code>();

  private constructor(
    private readonly server: Server,
    private readonly options: AuthorizationServerOptions,
  ) {
    server.on('request', (request, response) => {
      this.#answer(request, response).catch((error: unknown) => response.writeHead(500).end(String(error)));
    });
  }

  static async start(options: AuthorizationServerOptions = {}): Promise<AuthorizationServer> {
    const server = createServer();
    await once(server.listen(0, '127.0.0.1'), 'listening');
    return new AuthorizationServer(server, options);
  }

  get issuer(): string {
    return `http://127.0.0.1:${(this.server.address() as AddressInfo).port}`;
  }

  close(): void {
    this.server.close();
    this.server.closeAllConnections();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname, searchParams } = new URL(request.url ?? '/', this.issuer);
    switch (pathname) {
      case '/.well-known/oauth-authorization-server':
        return json(response, 200, this.#metadata());
      case '/register':
        return json(response, 201, { ...(JSON.parse(await text(request)) as object), client_id: 'registered' });
      case '/authorize':
        return this.#authorize(searchParams, response);
      case '/token':
        return this.#token(new URLSearchParams(await text(request)), response);
      default:
        return void response.writeHead(404).end();
    }
  }

  #metadata(): object {
    const { issuer } = this;
    return {
      issuer,
      ...(this.options.signsIn !== false && {
        authorization_endpoint: `${issuer}/authorize`,
        token_endpoint: `${issuer}/token`,
      }),
      ...(this.options.registers !== false && { registration_endpoint: `${issuer}/register` }),
      response_types_supported: ['code'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      authorization_response_iss_parameter_supported: true,
    };
  }

  #authorize(asked: URLSearchParams, response: ServerResponse): void {
    const scope = asked.get('scope') ?? '';
    this.asked.push(scope);
    const redirectUri = asked.get('redirect_uri') ?? '';
    const back = new URL(redirectUri);
    back.searchParams.set('state', asked.get('state') ?? '');
    back.searchParams.set('iss', this.issuer);
    if (this.options.refuses !== undefined) back.searchParams.set('error', this.options.refuses);
    else {
      const code = randomUUID();
      const grant = { clientId: asked.get('client_id') ?? '', scopes: scope.split(' ').filter((each) => each !== '') };
      this.#codes.set(code, { ...grant, challenge: asked.get('code_challenge') ?? '', redirectUri });
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  #token(asked: URLSearchParams, response: ServerResponse): void {
    const code = this.#codes.get(asked.get('code') ?? '');
    const proof = createHash('sha256')
      .update(asked.get('code_verifier') ?? '')
      .digest('base64url');
    const fits = code?.challenge === proof && code.redirectUri === asked.get('redirect_uri');
    if (!code || !fits) return json(response, 400, { error: 'invalid_grant' });
    const { clientId, scopes } = code;
    const token = `token-${randomUUID()}`;
    this.granted.set(token, { clientId, scopes });
    json(response, 200, { access_token: token, token_type: 'Bearer', expires_in: 300, scope: scopes.join(' ') });
  }
}

function json(response: ServerResponse, status: number, body: object): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));
}
