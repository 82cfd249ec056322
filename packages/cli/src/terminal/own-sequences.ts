/**
 * Distinguishes our own control sequences from those of others. Ours have an unguessable mark in place of ESC, and only the output
 * (outlet.ts) turns the mark into ESC.
 */
import { randomBytes } from 'node:crypto';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const ESCAPE = '\u001b';
const SHARED = 'sigil: mark of own sequences';
/** Different in each process; threads receive it from the main thread. */
const MARK = markOf(getEnvironmentData(SHARED));

function markOf(shared: unknown): string {
  return typeof shared === 'string' ? shared : `\u{f0000}${randomBytes(12).toString('hex')}`;
}

/** A text of ours, whose control sequences the terminal may execute. */
export function own(text: string): string {
  return text.replaceAll(ESCAPE, MARK);
}

/** The text with ESC in our sequences; only for the output, and for measuring. */
export function withOwnSequences(text: string): string {
  return text.replaceAll(MARK, ESCAPE);
}

/** Passes the mark to threads that are started from now on. */
export function tellThreads(): void {
  setEnvironmentData(SHARED, MARK);
}
