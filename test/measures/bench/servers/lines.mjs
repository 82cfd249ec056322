/** Messages that end with a newline, out of the chunks of stdin: what servers do that nobody helps. */

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
