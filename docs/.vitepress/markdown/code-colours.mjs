/**
 * The colours of code as classes. shiki writes both colours of every word, the light one and the dark one, at the word itself, which made up a
 * third of a page. theme/code-colours.css has the colours; a word whose colours are not there keeps them.
 */
import { readFileSync } from 'node:fs';

const RULE = /\.(\w[\w-]*) \{\s*--shiki-light: (#\w+);\s*--shiki-dark: (#\w+);\s*\}/g;
const css = readFileSync(new URL('../theme/code-colours.css', import.meta.url), 'utf8');
const CLASSES = new Map([...css.matchAll(RULE)].map(([, name, light, dark]) => [styleOf(light, dark), name]));

/** What a word has that is of no class. */
const PLAIN = 'vp-code';

/** A transformer of shiki. */
export const codeColours = {
  name: 'code-colours',
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
