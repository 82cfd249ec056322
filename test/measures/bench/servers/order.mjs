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

/**
 * @param {(message: unknown) => void} onMessage called for each, or with undefined for what is no JSON
 * @param {() => void} [onRead] called when a chunk has been read
 */
export function readLines(onMessage, onRead = () => undefined) {
  let begun;
  process.stdin.on('data', (chunk) => {
    const bytes = begun === undefined ? chunk : Buffer.concat([begun, chunk]);
    let start = 0;
    for (let end = bytes.indexOf(10); end >= 0; end = bytes.indexOf(10, start)) {
      onMessage(parse(bytes.toString('utf8', start, end)));
      start = end + 1;
    }
    begun = start < bytes.length ? bytes.subarray(start) : undefined;
    onRead();
  });
  process.stdin.on('end', () => process.exit(0));
}

function parse(text) {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
