/** Results on stdout, which holds nothing else. */
import { stylesFor } from '../terminal/styles';
import type { Destination } from './show-content';

/** The destination of what a command prints: stdout. @param folder for files */
export function stdoutDestination(folder: string): Destination {
  return { folder, styles: stylesFor(process.stdout), isTerminal: process.stdout.isTTY };
}

/** Prints text, and ends the line. */
export function print(text: string): void {
  process.stdout.write(text.endsWith('\n') ? text : `${text}\n`);
}

/** Prints a value as JSON. */
export function printJson(value: unknown): void {
  print(JSON.stringify(value, undefined, 2));
}
