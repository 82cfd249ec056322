/**
 * The one way out, for all that a person reads on a terminal: control characters that are not ours (own-sequences.ts) are shown,
 * not obeyed: they may come from a server. Only messages of the protocol go another way.
 */
import { withOwnSequences } from './own-sequences';
import { visible } from './visible-text';

/** A stream that takes text. */
export interface TextStream {
  write(text: string): unknown;
}

/** Writes a text for people. */
export function show(stream: TextStream, text: string): void {
  stream.write(withOwnSequences(visible(text)));
}

/** Prints a line, or several, for people: on stdout. */
export function print(text: string): void {
  show(process.stdout, line(text));
}

/** Prints a line, or several, about what happens: on stderr. */
export function report(text: string): void {
  show(process.stderr, line(text));
}

/** Prints what may be meant for a program: as it is where stdout is a pipe or a file, and as for people at a terminal. */
export function printData(text: string): void {
  if (process.stdout.isTTY) print(text);
  else process.stdout.write(withOwnSequences(line(text)));
}

function line(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
