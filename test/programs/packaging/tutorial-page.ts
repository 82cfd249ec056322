/** What a page tells its readers to type, to write and to look for: its blocks, each with the name of a file that stands above it, as readers see it. */

/** One thing that the page says. */
export type Step =
  | { readonly kind: 'commands'; readonly how: '' | 'stays' | 'by hand'; readonly text: string }
  | { readonly kind: 'file'; readonly path: string; readonly text: string }
  | { readonly kind: 'edit'; readonly path: string; readonly text: string }
  | { readonly kind: 'prints'; readonly text: string };

/** One line to be typed. */
export interface Command {
  readonly line: string;
  /** Says the page that it fails? */
  readonly fails: boolean;
}

const BLOCK = /(?:^`([\w./-]+)`\n\n)?^```(\w*)\n([\s\S]*?)\n```$/gm;

/**
 * @returns what the page says, in its order: a block below the name of a file is that file, or with signs in front of its lines an edit of it;
 * one of the shell is typed, and text is what is printed
 * @throws Error for a block that is none of them
 */
export function stepsOf(page: string): Step[] {
  return [...page.matchAll(BLOCK)].map(([, path, language, text = '']): Step => {
    if (path !== undefined) return { kind: language === 'diff' ? 'edit' : 'file', path, text: `${text}\n` };
    if (language === 'sh') return { kind: 'commands', how: howOf(text), text };
    if (language === 'text') return { kind: 'prints', text };
    throw new Error(`Nothing says what is to be done with:\n${text}`);
  });
}

function howOf(text: string): '' | 'stays' | 'by hand' {
  if (/\s# keeps running$/.test(text)) return 'stays';
  return /\s# needs Docker$/m.test(text) ? 'by hand' : '';
}

/** The lines of a block of commands; `# fails` behind one says what a reader is to see. */
export function commandsOf(text: string): Command[] {
  return text.split('\n').map((line) => ({ line: line.replace(/\s+# .*$/, ''), fails: /\s# fails$/.test(line) }));
}

/**
 * @param diff hunks, which `@@` parts: lines that are kept, `-` that go and `+` that come
 * @returns the text after the edit
 * @throws Error where a hunk does not stand in the text exactly once
 */
export function edited(text: string, diff: string): string {
  return diff.split(/^@@\n/m).reduce((before, hunk) => {
    const lines = hunk.replace(/\n$/, '').split('\n');
    const side = (other: string): string =>
      lines
        .filter((line) => !line.startsWith(other))
        .map((line) => `${line.slice(1)}\n`)
        .join('');
    const parts = before.split(side('+'));
    if (parts.length !== 2) throw new Error(`This stands there ${parts.length - 1} times, and not once:\n${side('+')}`);
    return parts.join(side('-'));
  }, text);
}

/**
 * What finds a block in an output: its lines, one after the other. `...` in a line is any text of it; on a line of its own it is any
 * lines.
 */
export function expressionOf(block: string): RegExp {
  const lines = block.split('\n').map((line) => {
    if (line === '...') return '(?:[^\\n]*\\n)*?';
    const words = line.split('...').map((part) => part.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&'));
    return `${words.join('.*')}[ \\t\\r]*\\n`;
  });
  return new RegExp(`^${lines.join('')}`, 'm');
}
