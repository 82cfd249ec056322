/** The names of arguments: those of the API where every client accepts them, and others where they collide. */
import { camel, wordsOf } from './words';

/** What clients accept as the name of an argument. */
const ACCEPTED = /^[A-Za-z_][A-Za-z0-9_]{0,63}$/;
/** Members of every object, which a class cannot declare as its own. */
const OF_OBJECTS = new Set(['constructor', 'prototype', '__proto__', 'hasOwnProperty', 'toString', 'valueOf']);

/** Whether a property of a class can have this name. */
export function canBeProperty(name: string): boolean {
  return name !== '' && !OF_OBJECTS.has(name) && name.length <= 200;
}

/** A name for an argument. @param taken names of other arguments; the new one is added */
export function argumentName(name: string, place: string, taken: Set<string>): string {
  const words = wordsOf(name);
  const plain = ACCEPTED.test(name) && canBeProperty(name) ? name : camel(words).slice(0, 60) || 'value';
  const proposals = [plain, `${plain}_${place}`];
  let chosen = proposals.find((proposal) => !taken.has(proposal) && canBeProperty(proposal));
  for (let number = 2; chosen === undefined; number += 1) {
    const numbered = `${plain}_${number}`;
    if (!taken.has(numbered)) chosen = numbered;
  }
  taken.add(chosen);
  return chosen;
}
