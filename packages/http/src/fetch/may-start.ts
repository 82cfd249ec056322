/** Whether the platform lets a server start now: some allow neither timers nor random values before the first request. */

/** Tries what such platforms refuse. It takes a microsecond. */
export function mayStart(): boolean {
  try {
    return crypto.getRandomValues(new Uint8Array(1)).length === 1;
  } catch {
    return false;
  }
}
