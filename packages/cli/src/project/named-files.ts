/**
 * The files and folders that a module names as `@Skill('./ordering.md')`, `@View(uri, { file: './chart.html' })` or
 * `skills({ folders: ['../skills'] })`, in TypeScript or as compilers write it.
 */

/** A path in the text of a module: a literal that begins with `./` or `../`. */
export interface NamedFile {
  readonly path: string;
  /** The place of the path in the text, without its quotes. */
  readonly from: number;
  readonly to: number;
}

/** What names files: decorators and functions, also as `(0, apps_1.view)(`. */
const CALL = /\b(Skill|View|view|skills)\)?\(/g;
const LITERAL = /(["'`])(\.\.?\/[^"'`\n$]*)\1/g;
/** Where the paths are within the arguments of each. */
const PLACES: Readonly<Record<string, RegExp>> = {
  Skill: /^\s*(["'`])\.\.?\/[^"'`\n$]*\1/,
  View: /\bfile:\s*(["'`])\.\.?\/[^"'`\n$]*\1/,
  view: /\bfile:\s*(["'`])\.\.?\/[^"'`\n$]*\1/,
  skills: /\bfolders:\s*\[[^\]]*\]/,
};
/** What has brackets of its own: texts and comments. */
const SKIPPED = /"(?:[^"\\\n]|\\.)*"|'(?:[^'\\\n]|\\.)*'|`(?:[^`\\]|\\.)*`|\/\/[^\n]*|\/\*[^]*?\*\//y;

/** Finds them, in the order of the text. */
export function findNamedFiles(text: string): NamedFile[] {
  return [...text.matchAll(CALL)].flatMap((call) => {
    const begin = call.index + call[0].length;
    const place = PLACES[call[1] ?? '']?.exec(text.slice(begin, endOfArguments(text, begin)));
    return place ? literalsIn(place[0], begin + place.index) : [];
  });
}

function literalsIn(part: string, offset: number): NamedFile[] {
  return [...part.matchAll(LITERAL)].map(({ index, 2: path = '' }) => {
    const from = offset + index + 1;
    return { path, from, to: from + path.length };
  });
}

/** The place of the bracket that closes the arguments of a call; the end of the text without one. */
function endOfArguments(text: string, begin: number): number {
  let depth = 1;
  for (let at = begin; at < text.length; at++) {
    SKIPPED.lastIndex = at;
    const skipped = SKIPPED.exec(text);
    if (skipped) {
      at += skipped[0].length - 1;
      continue;
    }
    if (text[at] === '(') depth += 1;
    if (text[at] === ')') depth -= 1;
    if (depth === 0) return at;
  }
  return text.length;
}
