/** How many characters or items a value must have, for a model or a person. */

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
