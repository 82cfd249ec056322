/** Text of strangers, made safe for a terminal: no colours, no cursor movements, no bells. */
import { stripVTControlCharacters } from 'node:util';

/** Control characters other than a tab and the end of a line. */
// eslint-disable-next-line no-control-regex -- they are what this is about
const CONTROLS = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u202a-\u202e\u2066-\u2069]/g;

/** The text without what a terminal would obey. */
export function plain(text: string): string {
  return stripVTControlCharacters(text.replace(/\r\n?/g, '\n')).replace(CONTROLS, '');
}
