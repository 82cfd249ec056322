/** The port of stores: where the rests of results are kept until they are read, or expire. */
import type { HeldAccount, MaybePromise } from '@sigil-mcp/core';

/** A text to keep. */
export interface StoredRest {
  /** Unique, and impossible to guess. */
  readonly id: string;
  /** Stands for the caller who may read it; several rests have the same. */
  readonly owner: string;
  /** Whose limits it counts against, as `ExtensionCall.countedFor` says. */
  readonly countedFor: string;
  readonly text: string;
  /** Milliseconds that it is kept. */
  readonly ttl: number;
}

/**
 * Keeps texts for a time. A store has a limit: it may refuse a text, or remove the oldest one of the same owner for it.
 * Every method may reject; then the result is cut as if there were no store.
 */
export interface RestStore {
  /** Whether other processes can read what it keeps. */
  readonly isShared: boolean;
  /**
   * Called before anything else, with the name of the server; the instances of one server share what they keep.
   * @param account where a store charges what it keeps in the memory of this process; nothing is charged if it is left out
   */
  open?(server: string, account?: HeldAccount): MaybePromise<void>;
  /** @returns whether it is kept; not if it is too large */
  keep(rest: StoredRest): MaybePromise<boolean>;
  /** The text; undefined if there is no such text, or if it has expired, or if it belongs to another owner. */
  find(id: string, owner: string): MaybePromise<string | undefined>;
  /** Called when the server has closed. */
  close?(): MaybePromise<void>;
}
