/** The authorization server of the tests, in a process of its own: it is ES modules only, and has nothing to do with ours. */
import { fork, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { join } from 'node:path';

/** What can be changed while it runs. */
export interface ServerChange {
  /** Signs with another key. */
  readonly rotate?: true;
  /** Seconds that access tokens live from now on. */
  readonly accessTokenTtl?: number;
  /** Signed tokens, or those that say nothing. */
  readonly format?: 'jwt' | 'opaque';
}

/** A running one. */
export class AuthorizationServer {
  private constructor(
    private readonly child: ChildProcess,
    /** Its URL, which is the `iss` of its tokens. */
    readonly issuer: string,
  ) {}

  static async start(): Promise<AuthorizationServer> {
    // It warns of runtimes that it was not made for, and of what tests may do.
    const child = fork(join(__dirname, 'provider.mjs'), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'], execArgv: [] });
    const [{ issuer }] = (await once(child, 'message')) as [{ issuer: string }];
    return new AuthorizationServer(child, issuer);
  }

  async change(change: ServerChange): Promise<void> {
    const done = once(this.child, 'message');
    this.child.send(change);
    await done;
  }

  async stop(): Promise<void> {
    if (this.child.exitCode !== null) return;
    const gone = once(this.child, 'exit');
    this.child.disconnect();
    await gone;
  }
}
