/** Sessions in memory. */
import { systemClock, type Clock } from '@sigil-mcp/base';
import type { Replacement, SessionStore } from './session-store';

interface MemorySession {
  record: string;
  /** When it ends, in milliseconds of the clock. */
  until: number;
  /** When it was moved to the end of the order. */
  moved: number;
}

/** How exact the order is, in milliseconds: moving a session takes as long as finding it, and one in use is used often. */
const ORDER = 1000;

/** Keeps sessions in use; expired ones are removed when another session is opened. */
export class MemorySessions implements SessionStore {
  /** In the order of their last use, to a second. */
  readonly #sessions = new Map<string, MemorySession>();

  /** @param ended called with each session that has ended */
  constructor(
    private readonly clock: Clock = systemClock,
    private readonly ended: (id: string) => void = () => undefined,
  ) {}

  /** The number of sessions. */
  get size(): number {
    return this.#sessions.size;
  }

  open(id: string, record: string, idleTime: number): void {
    this.#removeExpired();
    const now = this.clock.elapsed();
    this.#sessions.set(id, { record, until: now + idleTime, moved: now });
  }

  use(id: string, idleTime: number): string | undefined {
    const session = this.#sessions.get(id);
    const now = this.clock.elapsed();
    if (!session || session.until <= now) return undefined;
    session.until = now + idleTime;
    if (now - session.moved >= ORDER) this.#moveToEnd(id, session, now);
    return session.record;
  }

  replace(id: string, read: string, record: string): Replacement {
    const session = this.#find(id);
    if (!session) return 'over';
    if (session.record !== read) return 'changed';
    session.record = record;
    return 'replaced';
  }

  end(id: string): boolean {
    const wasOpen = this.#find(id) !== undefined;
    this.#sessions.delete(id);
    this.ended(id);
    return wasOpen;
  }

  #find(id: string): MemorySession | undefined {
    const session = this.#sessions.get(id);
    return session && session.until > this.clock.elapsed() ? session : undefined;
  }

  #moveToEnd(id: string, session: MemorySession, now: number): void {
    session.moved = now;
    this.#sessions.delete(id);
    this.#sessions.set(id, session);
  }

  /** The idle times of one server are mostly the same, so the sessions that were not used for longest expire first. */
  #removeExpired(): void {
    const now = this.clock.elapsed();
    for (const [id, { until }] of this.#sessions) {
      if (until > now) return;
      this.end(id);
    }
  }
}

/** Sessions of one process, which no other one can read. */
export class ProcessSessions extends MemorySessions implements SessionStore {
  release(id: string): void {
    this.end(id);
  }
}
