/** A command line in one text, cut into words as a POSIX shell cuts it, without expansions. */
import { wrongUsage } from '../failure';

/** A word of a command line: bare characters, escapes and quoted parts that touch. */
const WORD = /(?:[^\s'"\\]|\\[\s\S]|'[^']*'|"(?:[^"\\]|\\[\s\S])*")+/gy;
const PART = /'([^']*)'|"((?:[^"\\]|\\[\s\S])*)"|\\([\s\S])|([^\s'"\\]+)/g;

/**
 * Cuts a command line into words.
 * @param line such as `node "my server.js" --port 3000`
 * @throws CliFailure where a quote is not closed
 */
export function splitCommandLine(line: string): string[] {
  const words: string[] = [];
  const text = line.trim();
  for (let at = 0; at < text.length; at = afterSpace(text, WORD.lastIndex)) {
    WORD.lastIndex = at;
    const [word] = WORD.exec(text) ?? [];
    if (word === undefined) throw wrongUsage(`A quote is not closed in: ${line}`, 'Close it, or escape it with \\.');
    words.push(unquote(word));
  }
  return words;
}

function afterSpace(text: string, from: number): number {
  let at = from;
  while (/\s/.test(text.charAt(at))) at++;
  return at;
}

function unquote(word: string): string {
  return word.replace(PART, (...[, single, double, escaped, bare]: (string | undefined)[]) => {
    // Within double quotes a backslash stands for itself, unless one of these follows.
    return single ?? double?.replace(/\\(["\\$`])/g, '$1') ?? escaped ?? bare ?? '';
  });
}
