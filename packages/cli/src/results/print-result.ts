/** Results on stdout, which holds nothing else. */
import { printData } from '../terminal/outlet';
import { stylesFor } from '../terminal/styles';
import { SavedFiles } from './saved-files';
import type { Destination } from './show-content';

/** The destination of what a command prints: stdout. @param folder for files */
export function stdoutDestination(folder: string): Destination {
  return { files: new SavedFiles(folder), styles: stylesFor(process.stdout), isTerminal: process.stdout.isTTY };
}

/** Prints a value as JSON. */
export function printJson(value: unknown): void {
  printData(JSON.stringify(value, undefined, 2));
}
