/**
 * Code of this repository has lines of up to 120 characters, which no column of a page holds. A plugin of Vite writes the blocks of a page
 * narrower before it is rendered, as prettier would have it.
 */
import { format } from 'prettier';

/** Characters of a line that fit into the column beside the two sidebars on a screen of 1440 pixels. */
export const COLUMNS = 98;

const BLOCK = /^(```(?:ts|js|json)\b[^\n]*\n)([\s\S]*?)(^```$)/gm;
const PARSERS = { ts: 'typescript', js: 'babel', json: 'json' };

/** The plugin. */
export const narrowCode = {
  name: 'narrow-code',
  enforce: 'pre',
  async transform(text, id) {
    return id.endsWith('.md') ? await narrow(text) : undefined;
  },
};

/** @param markdown a page; blocks that fit already are left as they are, and so is code that is no whole statement */
export async function narrow(markdown) {
  const blocks = [...markdown.matchAll(BLOCK)].filter(([, , code]) =>
    code.split('\n').some((line) => line.length > COLUMNS),
  );
  const written = await Promise.all(blocks.map(([, head, code]) => reformat(code, /^```(\w+)/.exec(head)[1])));
  return blocks.reduceRight(
    (page, { index, 0: block, 1: head, 3: end }, number) =>
      page.slice(0, index) + head + written[number] + end + page.slice(index + block.length),
    markdown,
  );
}

/** What a block may be a part of: a file, a class, a function. What prettier can read is written anew, and taken out of it again. */
const WHOLES = [
  ['', ''],
  ['class Part {\n', '}\n'],
  ['async function* part() {\n', '}\n'],
];

async function reformat(code, language) {
  for (const [head, end] of WHOLES) {
    const whole = await formatted(
      `${head}${rewrapComments(code)}${end}`,
      PARSERS[language],
      COLUMNS + (head === '' ? 0 : 2),
    );
    if (whole !== undefined) return head === '' ? whole : inner(whole);
  }
  return rewrapComments(code);
}

async function formatted(code, parser, printWidth) {
  try {
    return await format(code, { parser, printWidth, singleQuote: true });
  } catch {
    return undefined;
  }
}

/** What stands between the first and the last line, without their indentation. */
function inner(whole) {
  const lines = whole.trimEnd().split('\n').slice(1, -1);
  return `${lines.map((line) => line.replace(/^ {2}/, '')).join('\n')}\n`;
}

/** What prettier leaves as it is: a comment behind code that is too long stands above it, and comments are broken between words. */
function rewrapComments(code) {
  return code
    .split('\n')
    .flatMap((line) => {
      if (line.length <= COLUMNS) return [line];
      const [, start, docstring] = /^(\s*)\/\*\* (.+) \*\/$/.exec(line) ?? [];
      if (docstring !== undefined) return [`${start}/**`, ...wrap(docstring, `${start} `, '* '), `${start} */`];
      const [, indent, statement, comment] = /^(\s*)(.*?)\/\/ (.+)$/.exec(line) ?? [];
      // Two slashes within a string are no comment.
      if (comment === undefined || /(['"`]).*\/\/.*\1/.test(line)) return [line];
      return [...wrap(comment, indent), ...(statement === '' ? [] : [`${indent}${statement.trimEnd()}`])];
    })
    .join('\n');
}

function wrap(text, indent, sign = '// ') {
  const width = COLUMNS - indent.length - sign.length;
  const words = text.split(' ');
  const lines = words.reduce(
    ([last, ...others], word) =>
      `${last} ${word}`.length <= width ? [`${last} ${word}`, ...others] : [word, last, ...others],
    [words.shift()],
  );
  return lines.reverse().map((line) => `${indent}${sign}${line}`);
}
