/** The time limit of a call, as the call sees it. */

/** A time limit, which stands still while the client is waited for. */
export interface PausedTimeLimit {
  pause(): void;
  resume(): void;
}
