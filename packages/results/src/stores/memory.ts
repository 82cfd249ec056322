/** Rests in the memory of this process: the oldest make room for new ones. */
import type { Clock } from '@sigil-mcp/core';
import { shareOf, systemClock } from '@sigil-mcp/core/adapter';
import { resultsError } from '../errors';
import type { RestStore, StoredRest } from './rest-store';

/** What a store of rests may hold. */
export interface RestLimits {
  /** Characters of all rests; 64 MiB if left out. */
  readonly characters?: number;
  /** Characters of the rests of one caller; an eighth of `characters` (8 MiB) if left out. Callers without an identity are one caller. */
  readonly charactersPerCaller?: number;
}

/** Characters of the limit for all callers, if it is left out. */
const ALL_CHARACTERS = 64 * 1024 * 1024;
/** The shares of one caller in the limit of all. */
const SHARES = 8;

interface Kept extends Pick<StoredRest, 'owner' | 'text'> {
  /** On the clock's `elapsed`. */
  readonly until: number;
}

/** The rests of one caller. */
interface Owned {
  length: number;
  /** The oldest first. */
  readonly ids: Set<string>;
}

/** Keeps rests in memory. They end with the process, and other instances do not find them. */
export class MemoryRestStore implements RestStore {
  readonly isShared = false;
  /** The oldest first. */
  readonly #kept = new Map<string, Kept>();
  readonly #owners = new Map<string, Owned>();
  #length = 0;
  readonly #all: number;
  readonly #own: number;

  /**
   * @param clock tells the time; the system clock if left out
   * @throws SigilError for a limit of one caller that is larger than that of all
   */
  constructor(
    { characters = ALL_CHARACTERS, charactersPerCaller = shareOf(characters, SHARES) }: RestLimits = {},
    private readonly clock: Clock = systemClock,
  ) {
    if (charactersPerCaller > characters && charactersPerCaller !== Infinity)
      throw resultsError('SIGIL_RESULTS_SHARE', { value: String(charactersPerCaller), most: String(characters) });
    this.#all = characters;
    this.#own = Math.min(characters, charactersPerCaller);
  }

  keep({ id, owner, text, ttl }: StoredRest): boolean {
    const { length } = text;
    if (length > this.#own) return false;
    const now = this.clock.elapsed();
    this.#makeRoom(this.#kept.keys(), (kept) => this.#length + length > this.#all || kept.until <= now);
    const owned = this.#owners.get(owner);
    if (owned) this.#makeRoom(owned.ids, () => owned.length + length > this.#own);
    this.#kept.set(id, { owner, text, until: now + ttl });
    this.#add(id, owner, length);
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
    this.#kept.clear();
    this.#owners.clear();
    this.#length = 0;
  }

  /** Removes the first of some rests, as long as one is to go. */
  #makeRoom(ids: Iterable<string>, isToGo: (kept: Kept) => boolean): void {
    for (const id of ids) {
      const kept = this.#kept.get(id);
      if (!kept || !isToGo(kept)) return;
      this.#remove(id, kept);
    }
  }

  #add(id: string, owner: string, length: number): void {
    const owned = this.#owners.get(owner) ?? { length: 0, ids: new Set() };
    this.#owners.set(owner, owned);
    owned.ids.add(id);
    owned.length += length;
    this.#length += length;
  }

  #remove(id: string, { owner, text: { length } }: Kept): void {
    this.#kept.delete(id);
    this.#length -= length;
    const owned = this.#owners.get(owner);
    if (!owned) return;
    owned.ids.delete(id);
    owned.length -= length;
    if (owned.ids.size === 0) this.#owners.delete(owner);
  }
}
