/** The changes that were chosen by hand: conditions that matter, each with the text that it replaces. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './judge-mutant';

/** A change, for people and for the judge. */
export interface NamedMutant extends Mutant {
  /** Where it is and what it is, in a line. */
  readonly name: string;
}

/** Those of a review, and second halves of conditions: bounds with `=`, what is absent, the second of two. */
const LISTS = ['named.json', 'second-halves.json'];

/** Of a list, by what it does. */
interface Named {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** @throws if a text is not in its file, because the source has changed: then the list has to */
export function namedMutants(root: string): readonly NamedMutant[] {
  return LISTS.flatMap((list) => {
    const all = JSON.parse(readFileSync(join(__dirname, list), 'utf8')) as Readonly<Record<string, Named>>;
    return Object.entries(all).map(([what, { file, from, to }]) => {
      const path = join(root, file);
      const text = readFileSync(path, 'utf8');
      if (text.split(from).length !== 2) throw new Error(`${list}: ${file} does not have this once: ${from}`);
      return { name: `${file} ${what}`, path, text: text.replace(from, () => to) };
    });
  });
}
