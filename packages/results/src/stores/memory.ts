/** Rests in the memory of this process: the oldest make room for new ones. */
import type { Clock, HeldAccount, Holding } from '@sigil-mcp/core';
import { systemClock } from '@sigil-mcp/core/adapter';
import { DROPPED, shareOf } from '@sigil-mcp/core/internal';
import type { RestStore, StoredRest } from './rest-store';
import { resultsError } from '../errors';

/** The shares of one caller in the limit of all. */
export const SHARES_OF_CALLERS = 8;

/** What a store of rests may hold. */
export interface RestLimits {
  /** Characters of all rests; no limit but those of the server (`limits.held`) if left out. */
  readonly characters?: number;
  /** Characters of the rests of one caller; an eighth of `characters` if left out. A caller without an identity counts by its address. */
  readonly charactersPerCaller?: number;
}

interface MemoryResult extends Pick<StoredRest, 'owner' | 'countedFor' | 'text'> {
  /** On the clock's `elapsed`. */
  readonly until: number;
}

/** The rests of one caller. */
interface Owned {
  length: number;
  /** The oldest first. */
  readonly ids: Set<string>;
  /** What is charged to the account of the server. */
  readonly charged: Holding | undefined;
}

/** What a rest takes in memory in addition to its text. */
const OVERHEAD = 512;

/**
 * Keeps rests in memory, which the server that opens it counts among what clients make it hold. They end with the process, and other instances
 * do not find them.
 */
export class MemoryRestStore implements RestStore {
  readonly isShared = false;
  /** The oldest first. */
  readonly #kept = new Map<string, MemoryResult>();
  readonly #callers = new Map<string, Owned>();
  #length = 0;
  readonly #all: number;
  readonly #own: number;
  #account: HeldAccount | undefined;
  #leave: (() => void) | undefined;

  /**
   * @param clock tells the time; the system clock if left out
   * @throws SigilError for a limit of one caller that is larger than that of all
   */
  constructor(
    { characters = Infinity, charactersPerCaller = shareOf(characters, SHARES_OF_CALLERS) }: RestLimits = {},
    private readonly clock: Clock = systemClock,
  ) {
    checkShare(charactersPerCaller, characters, 'new MemoryRestStore');
    this.#all = characters;
    this.#own = Math.min(characters, charactersPerCaller);
  }

  open(_server: string, account?: HeldAccount): void {
    this.#account = account;
    this.#leave = account?.keep({
      order: DROPPED.rests,
      droppable: (caller) => this.#bytesOf(caller),
      drop: (bytes, caller) => {
        const enough = this.#bytesOf(caller) - bytes;
        this.#makeRoom(this.#idsOf(caller), () => this.#bytesOf(caller) > enough);
      },
    });
  }

  keep({ id, owner, countedFor, text, ttl }: StoredRest): boolean {
    const { length } = text;
    if (length > this.#own) return false;
    const now = this.clock.elapsed();
    this.#makeRoom(this.#kept.keys(), (kept) => this.#length + length > this.#all || kept.until <= now);
    const own = this.#callers.get(countedFor);
    if (own) this.#makeRoom(own.ids, () => own.length + length > this.#own);
    if (!this.#add(id, countedFor, length)) return false;
    this.#kept.set(id, { owner, countedFor, text, until: now + ttl });
    return true;
  }

  find(id: string, owner: string): string | undefined {
    const kept = this.#kept.get(id);
    if (kept?.owner !== owner) return undefined;
    if (kept.until > this.clock.elapsed()) return kept.text;
    this.#remove(id, kept);
    return undefined;
  }

  close(): void {
    this.#leave?.();
    for (const { charged } of this.#callers.values()) charged?.release();
    this.#kept.clear();
    this.#callers.clear();
    this.#length = 0;
  }

  /** Removes the first of some rests, as long as one is to go. */
  #makeRoom(ids: Iterable<string>, isToGo: (kept: MemoryResult) => boolean): void {
    for (const id of ids) {
      const kept = this.#kept.get(id);
      if (!kept || !isToGo(kept)) return;
      this.#remove(id, kept);
    }
  }

  #idsOf(caller: string | undefined): Iterable<string> {
    return caller === undefined ? this.#kept.keys() : (this.#callers.get(caller)?.ids ?? []);
  }

  #bytesOf(caller: string | undefined): number {
    if (caller === undefined) return 2 * this.#length + OVERHEAD * this.#kept.size;
    const { length = 0, ids } = this.#callers.get(caller) ?? {};
    return 2 * length + OVERHEAD * (ids?.size ?? 0);
  }

  /** @returns whether the server has the memory */
  #add(id: string, caller: string, length: number): boolean {
    const known = this.#callers.get(caller);
    const own = known ?? { length: 0, ids: new Set(), charged: this.#account?.hold(caller, 'rests') };
    if (own.charged?.grow(2 * length + OVERHEAD)) return false;
    // Room may have been made by dropping all rests of this caller.
    this.#callers.set(caller, own);
    own.ids.add(id);
    own.length += length;
    this.#length += length;
    return true;
  }

  #remove(id: string, { countedFor, text: { length } }: MemoryResult): void {
    this.#kept.delete(id);
    this.#length -= length;
    const own = this.#callers.get(countedFor);
    if (!own) return;
    own.ids.delete(id);
    own.length -= length;
    own.charged?.add(-2 * length - OVERHEAD);
    if (own.ids.size === 0) this.#callers.delete(countedFor);
  }
}

/** @throws SigilError for a share that is larger than the limit of all; `Infinity` is no limit, and fine */
export function checkShare(own: number, all: number, store: string): void {
  if (own > all && own !== Infinity)
    throw resultsError('SIGIL_RESULTS_SHARE', { store, value: String(own), most: String(all) });
}
