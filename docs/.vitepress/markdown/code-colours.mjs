/**
 * The colours of code as classes. shiki writes the light and the dark colour at every word, which made up a third of a page. The colours
 * are in theme/code-colours.css; a word with other colours keeps them.
 */
import { readFileSync } from 'node:fs';

const RULE = /\.(\w[\w-]*) \{\s*--shiki-light: (#\w+);\s*--shiki-dark: (#\w+);\s*\}/g;
const css = readFileSync(new URL('../theme/code-colours.css', import.meta.url), 'utf8');
const CLASSES = new Map([...css.matchAll(RULE)].map(([, name, light, dark]) => [styleOf(light, dark), name]));

/** The class of words without a colour class. */
const PLAIN = 'vp-code';

/** A transformer of shiki. */
export const codeColours = {
  name: 'code-colours',
  /** Without a limit: shiki gives up on a line after half a second, so a busy machine would write other pages. */
  preprocess(_code, options) {
    options.tokenizeTimeLimit = 0;
  },
  span(node) {
    const name = CLASSES.get(String(node.properties.style).toUpperCase().replace(/;$/, ''));
    if (name === undefined) return;
    delete node.properties.style;
    if (name !== PLAIN) this.addClassToHast(node, name);
  },
};

function styleOf(light, dark) {
  return `--shiki-light:${light};--shiki-dark:${dark}`.toUpperCase();
}
