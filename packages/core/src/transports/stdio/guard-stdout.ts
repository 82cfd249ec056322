/** stdout is reserved for the protocol: a client would take any stray line on it for a message. */

/** Writes to the real stdout; false if its buffer is full, until its `drain` event. */
export type RealWrite = (text: string, done?: (error?: Error | null) => void) => boolean;

/** Registered globally, so that two copies of this package in one process find the same real stdout. */
const REAL_WRITE = Symbol.for('sigil.stdout');
/** The symbol with which Node's `pipeline` marks a stream that it has destroyed. */
const DESTROYED = Symbol.for('nodejs.stream.destroyed');

/**
 * Redirects `console.*` and all other writes to `process.stdout` to stderr. Calling it again changes nothing. `StdioTransport`
 * calls it; call it earlier to redirect output while modules are loaded.
 * @returns the function that writes to the real stdout
 * @example guardStdout();
 * @see https://modelcontextprotocol.io/specification/2025-11-25/basic/transports#stdio
 */
export function guardStdout(
  stdout: NodeJS.WriteStream = process.stdout,
  stderr: NodeJS.WriteStream = process.stderr,
): RealWrite {
  // The property is private: no other code uses the symbol.
  const guarded = stdout as NodeJS.WriteStream & { [REAL_WRITE]?: RealWrite };
  const known = guarded[REAL_WRITE];
  if (known) return known;
  const realWrite = stdout.write.bind(stdout);
  const real: RealWrite = (text, done) => realWrite(text, 'utf8', done);
  Object.defineProperty(stdout, REAL_WRITE, { value: real });
  redirect(stdout, stderr);
  return real;
}

type Done = (error?: Error | null) => void;

/** Code that writes to, pipes into or ends the guarded stream gets the events that it would get from a real one. */
function redirect(stdout: NodeJS.WriteStream, stderr: NodeJS.WriteStream): void {
  const tellOfRoom = (): void => void stdout.emit('drain');
  const write = (chunk: string | Uint8Array, encoding?: BufferEncoding, done?: Done): boolean => {
    const hasRoom = stderr.write(chunk, encoding, done);
    if (!hasRoom && !stderr.listeners('drain').includes(tellOfRoom)) stderr.once('drain', tellOfRoom);
    return hasRoom;
  };
  stdout.write = (chunk: string | Uint8Array, encoding?: BufferEncoding | Done, done?: Done): boolean =>
    typeof encoding === 'function' ? write(chunk, undefined, encoding) : write(chunk, encoding, done);
  // A stray end would close the output of the protocol.
  stdout.end = (
    chunk?: string | Uint8Array | Done,
    encoding?: BufferEncoding | Done,
    done?: Done,
  ): NodeJS.WriteStream => {
    const finished = [chunk, encoding, done].find((argument) => typeof argument === 'function');
    const written = typeof encoding === 'string' ? encoding : undefined;
    const finish = (error?: Error | null): void => {
      finished?.(error);
      stdout.emit('finish');
    };
    if (chunk !== undefined && chunk !== null && typeof chunk !== 'function') write(chunk, written, finish);
    else process.nextTick(finish);
    return stdout;
  };
  // A corked stdout would hold back the protocol; redirected writes need no cork.
  while (stdout.writableCorked > 0) stdout.uncork();
  stdout.cork = stdout.uncork = () => undefined;
  const realDestroy = stdout.destroy.bind(stdout);
  // A pipeline whose source failed destroys its target, and waits until that is closed.
  stdout.destroy = (error?: Error): NodeJS.WriteStream => {
    // The stream's own failure to write: the client is gone.
    if (error && stdout.errored === error) return realDestroy(error);
    process.nextTick(() => stdout.emit('close'));
    return stdout;
  };
  // Node sets this mark although the stream was not destroyed. With it, the next pipeline would not try, and would wait forever.
  Object.defineProperty(stdout, DESTROYED, { get: () => false, set: () => undefined });
}
