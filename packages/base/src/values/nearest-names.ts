/** Suggestions for a name that was mistyped. */

/** The number of suggestions. */
const SUGGESTED = 3;

/** The names nearest to a word, best first; names that are too different are left out. */
export function nearestNames(word: string, names: Iterable<string>): string[] {
  const isPart = (wanted: string, name: string): boolean => wanted.length > 2 && name.includes(wanted);
  return namesWithin(Math.max(2, Math.floor(word.length / 3)), [...names], { word, isNear: isPart }).slice(
    0,
    SUGGESTED,
  );
}

/** The name that a word is a misspelling of: most letters are the same, or all of them in another order. */
export function findMisspelt(word: string, names: readonly string[]): string | undefined {
  const lettersOf = (text: string): string => [...text].sort().join('');
  const isSwapped = (wanted: string, name: string): boolean => lettersOf(wanted) === lettersOf(name);
  return namesWithin(Math.max(1, Math.floor(word.length / 3)), names, { word, isNear: isSwapped })[0];
}

/** The names within a distance, best first. */
function namesWithin(
  farthest: number,
  names: readonly string[],
  { word, isNear }: { readonly word: string; readonly isNear: (wanted: string, name: string) => boolean },
): string[] {
  const wanted = word.toLowerCase();
  const distanceOf = (name: string): number => (isNear(wanted, name) ? 1 : distanceTo(wanted, name));
  return names
    .map((name) => ({ name, distance: distanceOf(name.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .map(({ name }) => name);
}

/** The edit distance between two words. */
function distanceTo(wanted: string, name: string): number {
  let previous = Array.from({ length: name.length + 1 }, (_, index) => index);
  for (const [row, letter] of [...wanted].entries()) {
    const current = [row + 1];
    for (let column = 1; column <= name.length; column++) {
      const changed = (previous[column - 1] ?? 0) + (letter === name[column - 1] ? 0 : 1);
      current.push(Math.min(changed, (previous[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1));
    }
    previous = current;
  }
  return previous.at(-1) ?? 0;
}
