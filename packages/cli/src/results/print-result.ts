/** Results on stdout, which holds nothing else. */
import { stylesFor } from '../terminal/styles';
import type { ContentPlace } from './show-content';

/** Where a command's content goes. @param folder for files */
export function placeOnStdout(folder: string): ContentPlace {
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
