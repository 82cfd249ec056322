/** The changes that a review made by hand: conditions that matter, each with the text that it replaces. */
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Mutant } from './judge-mutant';

/** A change, for people and for the judge. */
export interface NamedMutant extends Mutant {
  /** Where it is and what it is, in a line. */
  readonly name: string;
}

/** Of `named.json`, by what it does. */
interface Named {
  readonly file: string;
  readonly from: string;
  readonly to: string;
}

/** @throws if a text is not in its file, because the source has changed: then the list has to */
export function namedMutants(root: string): readonly NamedMutant[] {
  const all = JSON.parse(readFileSync(join(__dirname, 'named.json'), 'utf8')) as Readonly<Record<string, Named>>;
  return Object.entries(all).map(([what, { file, from, to }]) => {
    const path = join(root, file);
    const text = readFileSync(path, 'utf8');
    if (text.split(from).length !== 2) throw new Error(`named.json: ${file} does not have this once: ${from}`);
    return { name: `${file} ${what}`, path, text: text.replace(from, () => to) };
  });
}
