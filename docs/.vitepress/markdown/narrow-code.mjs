/**
 * Code of this repository has lines of up to 120 characters, which do not fit into a column of a page. This plugin of Vite reformats the
 * blocks of a page with prettier before it is rendered.
 */
import { format } from 'prettier';

/** The number of characters that fit into the column between the two sidebars on a screen of 1440 pixels. */
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

/** @param markdown a page; blocks that already fit, and code that is not a whole statement, are not changed */
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

/** Code to wrap around a block: a file, a class, a function. If prettier can parse the result, it formats the block in it. */
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

/** The lines between the first and the last one, without their indentation. */
function inner(whole) {
  const lines = whole.trimEnd().split('\n').slice(1, -1);
  return `${lines.map((line) => line.replace(/^ {2}/, '')).join('\n')}\n`;
}

/** Wraps long comments, which prettier does not: a long comment behind code moves above it, and comments wrap between words. */
function rewrapComments(code) {
  return code
    .split('\n')
    .flatMap((line) => {
      if (line.length <= COLUMNS) return [line];
      const [, start, docstring] = /^(\s*)\/\*\* (.+) \*\/$/.exec(line) ?? [];
      if (docstring !== undefined) return [`${start}/**`, ...wrap(docstring, `${start} `, '* '), `${start} */`];
      const [, indent, statement, comment] = /^(\s*)(.*?)\/\/ (.+)$/.exec(line) ?? [];
      // Two slashes within a string are not a comment.
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
