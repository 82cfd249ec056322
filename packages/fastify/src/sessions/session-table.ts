/** The sessions of one endpoint: found by id, closed when they are idle or when there are too many. */
import { randomBytes } from 'node:crypto';
import { endedCall, type Conversation, type RunningCalls } from '@sigil-mcp/core/adapter';
import type { SessionOptions } from '../options/endpoint-options';
import { Session } from './session';

/** Who opens a session, and for what. */
export interface NewSession {
  readonly conversation: Conversation;
  readonly running: RunningCalls;
  /** Id of the user who opens it; undefined where nobody was authenticated. */
  readonly principal: string | undefined;
}

/** Owns its sessions: whatever leaves the table is closed. */
export class SessionTable {
  /** In the order of their last use, the longest unused first. */
  readonly #sessions = new Map<string, Session>();
  readonly #sweeper: NodeJS.Timeout;

  constructor(
    private readonly limits: Required<SessionOptions>,
    private readonly retryInterval: number,
  ) {
    this.#sweeper = setInterval(() => this.#sweep(), Math.max(10, Math.min(limits.idleTime / 2, 30_000))).unref();
  }

  get size(): number {
    return this.#sessions.size;
  }

  /** Opens a session under an id that cannot be guessed; the longest idle one makes room where there are too many. */
  open(session: NewSession): Session {
    if (this.#sessions.size >= this.limits.maximum) this.#evict();
    const opened = new Session({
      ...session,
      id: randomBytes(24).toString('base64url'),
      retryInterval: this.retryInterval,
    });
    this.#sessions.set(opened.id, opened);
    return opened;
  }

  /** Finds a session; undefined for an id that is unknown, over, or another principal's: they look the same from outside. */
  find(id: string, principal: string | undefined): Session | undefined {
    const session = this.#sessions.get(id);
    if (!session || session.principal !== principal) return undefined;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
    session.touch();
    return session;
  }

  /** Forgets a session and closes it; one that is not in the table any more was closed before. */
  close(session: Session, reason: Error): void {
    if (this.#sessions.delete(session.id)) session.close(reason);
  }

  /** Closes all sessions, and the table. */
  closeAll(reason: Error): void {
    clearInterval(this.#sweeper);
    for (const session of [...this.#sessions.values()]) this.close(session, reason);
  }

  #sweep(): void {
    const now = Date.now();
    for (const session of [...this.#sessions.values()]) {
      if (session.idleSince(now) >= this.limits.idleTime) this.close(session, endedCall('SIGIL_SESSION_IDLE'));
    }
  }

  #evict(): void {
    const now = Date.now();
    const sessions = [...this.#sessions.values()];
    const victim = sessions.find((session) => session.idleSince(now) > 0) ?? sessions[0];
    if (victim) this.close(victim, endedCall('SIGIL_SESSION_EVICTED'));
  }
}
