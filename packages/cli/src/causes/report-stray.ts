/** Loaded before a program that sigil starts as a server: reports the code that first writes text to stdout in place of messages. */
import { writeSync } from 'node:fs';
import { STRAY_MARK, type StrayText } from './stray-text';

/** console.log has some calls of its own above that of the author. */
const FRAMES = 40;
const LONGEST = 200;

const { stdout } = process;
const write = stdout.write.bind(stdout) as (...args: unknown[]) => boolean;

// The guard of stdout finds this function in place of the original, and calls it for messages alone.
stdout.write = (...args: unknown[]): boolean => {
  const text = textOf(args[0]);
  if (text.trim() !== '' && !/^\s*[{[]/.test(text)) {
    stdout.write = write;
    report({ text: text.slice(0, LONGEST), stack: stackHere() });
  }
  return write(...args);
};

function textOf(chunk: unknown): string {
  if (typeof chunk === 'string') return chunk;
  return chunk instanceof Uint8Array ? Buffer.from(chunk).toString('utf8') : '';
}

function stackHere(): string {
  const { stackTraceLimit } = Error;
  Error.stackTraceLimit = FRAMES;
  const holder: { stack?: string } = {};
  Error.captureStackTrace(holder, stackHere);
  const { stack = '' } = holder;
  Error.stackTraceLimit = stackTraceLimit;
  return stack;
}

function report(stray: StrayText): void {
  try {
    writeSync(process.stderr.fd, `\n${STRAY_MARK}${JSON.stringify(stray)}\n`);
  } catch {
    // The warning has no position then.
  }
}
