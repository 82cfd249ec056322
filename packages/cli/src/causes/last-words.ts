/** Reduces the stderr of an ended program to the reason: the message of a crash, without its surroundings. */
import { visibleLine } from '@sigil-mcp/base';

/** The number of lines that are shown; the message of a crash may be long, and is shown from its first line on. */
const LONGEST_CRASH = 60;
const LONGEST_TAIL = 25;

/** The line with carets that Node prints below the source line that threw. */
const CARET = /^\s*\^+$/;
/** The last line that Node prints after an uncaught error. */
const CRASHED = /^Node\.js v\d/;
/** A line of a stack trace. */
const FRAME = /^\s+at .*[\d)>](?: \{)?$|^\s+\.\.\. \d+ lines matching/;
/** A line of a stack trace outside of the program. */
const FOREIGN = /node:|[\\/]node_modules[\\/]|lines matching/;
const CAUSE = /^\s+\[cause\]: /;

/** The most informative lines. @param written the stored lines of stderr */
export function tellingLines(written: readonly string[]): string[] {
  const lines = written.map((line) => visibleLine(line).trimEnd()).filter((line) => line !== '');
  const end = lines.findLastIndex((line) => CRASHED.test(line));
  const caret = lines.slice(0, Math.max(end, 0)).findLastIndex((line) => CARET.test(line));
  if (caret === -1) return condense(lines).slice(-LONGEST_TAIL);
  const said = condense(lines.slice(caret + 1, end));
  const position = said.some((line) => FRAME.test(line)) ? [] : positionOf(lines[caret - 2]);
  return [...said, ...position].slice(0, LONGEST_CRASH);
}

/** The position of a syntax error, which has no stack trace: Node prints the file name above the line. */
function positionOf(line: string | undefined): string[] {
  return line === undefined || FOREIGN.test(line) || !/:\d+$/.test(line) ? [] : [`    at ${line}`];
}

/** Keeps the message of each error, its causes, and the first line of its stack trace inside the program. */
function condense(lines: readonly string[]): string[] {
  const kept: string[] = [];
  let positioned = false;
  let list: 'fields' | 'require stack' | undefined;
  for (const line of lines) {
    if (list === 'require stack' && !line.startsWith('- ')) list = undefined;
    if (line === 'Require stack:') list = 'require stack';
    if (list !== undefined) {
      if (CAUSE.test(line)) kept.push(line);
      if (list === 'fields' && line.startsWith('}')) list = undefined;
    } else if (!FRAME.test(line)) {
      kept.push(line);
      positioned = false;
    } else {
      if (line.endsWith(' {')) list = 'fields';
      if (positioned || FOREIGN.test(line)) continue;
      kept.push(line.replace(/ \{$/, ''));
      positioned = true;
    }
  }
  return kept;
}
