/**
 * All output for users passes here: control characters that are not ours (see own-sequences.ts) are shown as text instead of being
 * executed, because they may come from a server. Only messages of the protocol do not pass here.
 */
import { withOwnSequences } from './own-sequences';
import { visible } from '@sigil-mcp/core/adapter';

/** A stream that accepts text. */
export interface TextStream {
  write(text: string): unknown;
}

/** Writes a text for users. */
export function show(stream: TextStream, text: string): void {
  stream.write(withOwnSequences(visible(text)));
}

/** Prints one or more lines for users: on stdout. */
export function print(text: string): void {
  show(process.stdout, line(text));
}

/** Prints one or more lines about the progress of the command: on stderr. */
export function report(text: string): void {
  show(process.stderr, line(text));
}

/** Prints output that a program may read: unchanged if stdout is a pipe or a file, and made visible at a terminal. */
export function printData(text: string): void {
  if (process.stdout.isTTY) print(text);
  else process.stdout.write(withOwnSequences(line(text)));
}

function line(text: string): string {
  return text.endsWith('\n') ? text : `${text}\n`;
}
