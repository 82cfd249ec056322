/** The account of held memory, as extensions charge to it: what they keep for clients is a part of the same sum. */

/** The limit of `createServer({ limits })` that leaves no room. */
export type HeldLimit = 'held' | 'heldPerClient';

/** What is held of one kind for one client. */
export interface Holding {
  /** Bytes that are held now. */
  readonly bytes: number;
  /**
   * Holds more bytes, or fewer, if negative, which is never refused. What can be dropped is dropped for them.
   * @returns the limit that leaves no room for them, and then nothing has changed; undefined if they are held
   */
  grow(bytes: number): HeldLimit | undefined;
  /** Holds more bytes, or fewer, if negative, without a look at the limits: they are there already. */
  add(bytes: number): void;
  /** Holds nothing any more. */
  release(): void;
}

/** Who keeps something that can be dropped. */
export interface Keeper {
  /** Who has the lowest number drops first: a number of `DROPPED`, or one between or after them. */
  readonly order: number;
  /** Bytes that it could drop now, of one client; of all, if left out. */
  droppable(client: string | undefined): number;
  /** Drops what is oldest, at least so many bytes, and takes them off the account. Of one client; of all, if left out. */
  drop(bytes: number, client: string | undefined): void;
}

/** The order in which is dropped what nobody works with. */
export const DROPPED = {
  /** Results of tasks that have ended. */
  results: 1,
  /** The rests of results that were cut. */
  rests: 2,
  /** Events for clients that reconnect. */
  events: 3,
} as const;

/** The account of one server. A client is named by `call.client`. */
export interface HeldAccount {
  /** Opens what is held of a kind for a client. @param kind a word for operators, such as `tasks` */
  hold(client: string, kind: string): Holding;
  /**
   * Adds what keeps to a limit of its own, and is not refused here: it is asked for its bytes whenever the sum is needed.
   * @returns what ends it
   */
  meter(kind: string, read: () => number): () => void;
  /** Registers who can drop something. @returns what ends it */
  keep(keeper: Keeper): () => void;
  /** A sentence about a limit, for a refusal. */
  sentenceOf(limit: HeldLimit): string;
}

/** Makes a function whose second call does nothing: for what is given back, which must not be given back twice. */
export function once(work: () => void): () => void {
  let isDone = false;
  return () => {
    if (isDone) return;
    isDone = true;
    work();
  };
}
