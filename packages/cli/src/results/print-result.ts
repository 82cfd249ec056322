/** Results on stdout, which contains nothing else. */
import { printData } from '../terminal/outlet';
import { stylesFor } from '../terminal/styles';
import { SavedFiles } from './saved-files';
import type { Destination } from './show-content';

/** Stdout as the destination of results. @param folder for files */
export function stdoutDestination(folder: string): Destination {
  return { files: new SavedFiles(folder), styles: stylesFor(process.stdout), isTerminal: process.stdout.isTTY };
}

/** Prints a value as JSON. */
export function printJson(value: unknown): void {
  printData(JSON.stringify(value, undefined, 2));
}
