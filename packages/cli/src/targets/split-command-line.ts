/** Splits a command line into words as a POSIX shell does, without expansions; Windows paths stay whole. */
import { wrongUsage } from '../failure';

/** A word of a command line: adjacent bare characters, escapes and quoted parts. */
const WORD = /(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/y;
const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/g;
/** The first character of a part of a path after a backslash; these characters need no escape. */
const NAME = /[\p{L}\p{N}._@-]/u;

/** The beginning of a Windows path: a drive, a share, `.` or `..`, with a backslash. */
const WINDOWS_PATH = /"?(?:[a-z]:\\|\\\\[^\\\s'"]|\.\.?\\)/iy;
const WINDOWS_WORD = /(?:[^\s'"]|'[^']*'|"[^"]*")+/y;
const WINDOWS_QUOTED = /'([^']*)'|"([^"]*)"/g;
/** A Windows program, up to its extension: its folders may have spaces without quotes. */
const WINDOWS_PROGRAM = /[a-z]:\\(?:[^\\'"]*\\)*?[^\\\s'"]+\.(?:exe|cmd|bat|com)(?=\s|$)/iy;

/**
 * Splits a command line into words. Quotes keep a word together, and a backslash escapes the next character. A backslash
 * between the parts of a path is kept: before a letter, a digit or one of `. _ @ -` (`src\main.js`), and everywhere in a
 * word that begins as a Windows path (`C:\`, `\\server`, `.\`, `..\`), where it escapes nothing. A program at the beginning
 * of the line needs no quotes for spaces in its folders, if its name ends with an extension of programs
 * (`C:\Program Files\nodejs\node.exe server.js`).
 * @param line such as `node "my server.js" --port 3000`
 * @throws CliFailure if a quote is not closed
 */
export function splitCommandLine(line: string): string[] {
  const text = line.trim();
  const program = matchAt(WINDOWS_PROGRAM, text, 0);
  const words = program === undefined ? [] : [program];
  for (let at = afterSpace(text, program?.length ?? 0); at < text.length;) {
    const isPath = matchAt(WINDOWS_PATH, text, at) !== undefined;
    const word = matchAt(isPath ? WINDOWS_WORD : WORD, text, at);
    if (word === undefined) throw wrongUsage('SIGIL_CLI_QUOTE', { line });
    words.push(isPath ? word.replace(WINDOWS_QUOTED, '$1$2') : unquote(word));
    at = afterSpace(text, at + word.length);
  }
  return words;
}

/** @param pattern a sticky pattern, which matches at a given position */
function matchAt(pattern: RegExp, text: string, at: number): string | undefined {
  return new RegExp(pattern).exec(text.slice(at))?.[0];
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at++;
  return at;
}

function unquote(word: string): string {
  return word.replace(PART, (...[, single, double, escaped, bare]: (string | undefined)[]) => {
    if (escaped !== undefined) return NAME.test(escaped) ? `\\${escaped}` : escaped;
    // Within double quotes a backslash is literal, unless one of these characters follows.
    return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? bare ?? '';
  });
}
