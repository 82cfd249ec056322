/** String lengths as defined by JSON Schema: in code points, with a lone surrogate as one. */

/** Whether the number of code points lies within the limits, both included. */
export function hasLength(text: string, least: number, most: number): boolean {
  // Between half its code units and all of them: most strings are decided without counting.
  if (text.length < least || text.length / 2 > most) return false;
  if (text.length / 2 >= least && text.length <= most) return true;
  const length = countCodePoints(text);
  return length >= least && length <= most;
}

function countCodePoints(text: string): number {
  let count = text.length;
  for (let index = 1; index < text.length; index += 1) {
    if (isBetween(text.charCodeAt(index), 0xdc00, 0xdfff) && isBetween(text.charCodeAt(index - 1), 0xd800, 0xdbff))
      count -= 1;
  }
  return count;
}

function isBetween(unit: number, first: number, last: number): boolean {
  return unit >= first && unit <= last;
}

// How many characters or items a value must have, for a model or a person.

/**
 * The amount between two limits: `at least 1 item`, `2 to 5 characters`.
 * @param most `Infinity` for no upper limit
 */
export function amount(least: number, most: number, noun: 'character' | 'item'): string {
  if (most === Infinity) return `at least ${counted(least, noun)}`;
  if (least === most) return counted(most, noun);
  return least === 0 ? `at most ${counted(most, noun)}` : `${least} to ${counted(most, noun)}`;
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
