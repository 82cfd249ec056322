/** Lists the existing names, for a message about a name that does not exist. */
import { printValue } from './print-value';

/** How many names are listed: a longer list helps no reader. */
const MOST_NAMES = 20;

/** One or two sentences: the name that was probably meant, and the existing names. */
export function describeNames(wrong: string, names: readonly string[]): string {
  if (names.length === 0) return 'The list is empty.';
  const near = nearestName(wrong, names);
  const meant = near === undefined ? '' : `Did you mean ${printValue(near)}? `;
  const more = names.length > MOST_NAMES ? `, and ${names.length - MOST_NAMES} more` : '';
  return `${meant}There ${names.length === 1 ? 'is' : 'are'}: ${names.slice(0, MOST_NAMES).join(', ')}${more}.`;
}

function nearestName(wrong: string, names: readonly string[]): string | undefined {
  const distances = names.map((name) => ({ name, distance: editDistance(wrong.toLowerCase(), name.toLowerCase()) }));
  const [nearest] = distances.sort((one, other) => one.distance - other.distance);
  return nearest && nearest.distance <= Math.max(2, Math.floor(wrong.length / 3)) ? nearest.name : undefined;
}

/** Levenshtein's distance: how many letters have to be inserted, dropped or replaced. */
function editDistance(from: string, to: string): number {
  let previous = Array.from({ length: to.length + 1 }, (_, column) => column);
  for (const [row, letter] of [...from].entries()) {
    const current = [row + 1];
    for (const [column, other] of [...to].entries()) {
      const replaced = (previous[column] ?? 0) + (letter === other ? 0 : 1);
      current.push(Math.min(replaced, (previous[column + 1] ?? 0) + 1, (current[column] ?? 0) + 1));
    }
    previous = current;
  }
  return previous[to.length] ?? 0;
}
