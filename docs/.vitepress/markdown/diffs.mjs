/**
 * Shows the diff of a named file in the colours of its language, with marked lines instead of signs. The copy button copies the lines
 * of the file after the change.
 */
import { extname } from 'node:path';

const LANGUAGES = { '.ts': 'ts', '.mjs': 'js', '.js': 'js', '.json': 'json', '.yml': 'yaml', '.yaml': 'yaml' };

/** The kinds of lines, each with the letter that marks it between the two halves below, and its classes. */
const KINDS = {
  '+': { letter: 'a', classes: ['diff', 'add'] },
  '-': { letter: 'r', classes: ['diff', 'remove'] },
  '@': { letter: 'h', classes: ['hunk', 'vp-copy-ignore'] },
  ' ': { letter: 'c', classes: [] },
};

/** The first half: a plugin of markdown-it, which runs after the plugin that finds file names. */
export function diffs(md) {
  md.core.ruler.after('file-names', 'diffs', ({ tokens }) => {
    for (const token of tokens) {
      const language = LANGUAGES[extname(token.meta?.file ?? '')];
      if (token.type !== 'fence' || token.info.trim() !== 'diff' || language === undefined) continue;
      const lines = token.content.replace(/\n$/, '').split('\n');
      token.info = `${language} diff:${lines.map((line) => kindOf(line).letter).join('')}`;
      token.content = `${lines.map((line) => (line.startsWith('@@') ? '⋯' : line.slice(1))).join('\n')}\n`;
    }
  });
}

/** The second half: a transformer of shiki, which gives each line the classes of its kind. */
export const diffLines = {
  name: 'diff-lines',
  line(node, number) {
    const kind = kindAt(this.options, number);
    for (const name of kind?.classes ?? []) this.addClassToHast(node, name);
  },
  pre(node) {
    if (lettersOf(this.options) !== undefined) this.addClassToHast(node, 'has-diff');
  },
  /** A line that is not copied loses its line end, too. */
  code(node) {
    for (const [index, line] of [...node.children.entries()].reverse()) {
      const end = node.children[index + 1];
      const isLeftOut = /remove|vp-copy-ignore/.test(String(line.properties?.class));
      if (isLeftOut && end?.type === 'text') line.children.push(...node.children.splice(index + 1, 1));
    }
  },
};

function kindOf(line) {
  return KINDS[line[0] ?? ' '] ?? KINDS[' '];
}

function lettersOf({ meta }) {
  return /diff:([carh]+)/.exec(meta?.__raw ?? '')?.[1];
}

function kindAt(options, number) {
  const letter = lettersOf(options)?.[number - 1];
  return Object.values(KINDS).find((kind) => kind.letter === letter);
}
