/**
 * Our own control sequences, told from those of strangers: they are written with a mark in the place of ESC that nobody else
 * can know, and only the way out (outlet.ts) turns it into what a terminal obeys.
 */
import { randomBytes } from 'node:crypto';
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads';

const ESCAPE = '\u001b';
const SHARED = 'sigil: mark of own sequences';
/** Another one in each process; its threads are told. */
const MARK = markOf(getEnvironmentData(SHARED));

function markOf(shared: unknown): string {
  return typeof shared === 'string' ? shared : `\u{f0000}${randomBytes(12).toString('hex')}`;
}

/** A text of ours, whose control sequences are to be obeyed. */
export function own(text: string): string {
  return text.replaceAll(ESCAPE, MARK);
}

/** The text with our sequences as a terminal obeys them; to be asked for on the way out, and to measure. */
export function withOwnSequences(text: string): string {
  return text.replaceAll(MARK, ESCAPE);
}

/** Lets the threads that are started from now on write sequences of ours. */
export function tellThreads(): void {
  setEnvironmentData(SHARED, MARK);
}
