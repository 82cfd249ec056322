/** What a server under measurement is told to be, as JSON in its first argument. */

/**
 * @typedef {object} Order
 * @property {number} tools how many it has
 * @property {'session' | '2026-07-28'} [conversation] over HTTP
 * @property {boolean} [stream] whether it answers with an event stream
 */

/** @returns {Order} */
export function readOrder() {
  return JSON.parse(process.argv[2] ?? '{}');
}
