/** Suggestions for a name that was mistyped. */

/** The number of suggestions. */
const SUGGESTED = 3;

/** The names nearest to a word, best first; names that are too different are left out. */
export function nearestNames(word: string, names: Iterable<string>): string[] {
  const wanted = word.toLowerCase();
  const farthest = Math.max(2, Math.floor(word.length / 3));
  return [...names]
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase()) }))
    .filter(({ distance }) => distance <= farthest)
    .sort((a, b) => a.distance - b.distance)
    .slice(0, SUGGESTED)
    .map(({ name }) => name);
}

/** The edit distance between two words; a name that contains the whole word is near. */
function distanceTo(wanted: string, name: string): number {
  if (wanted.length > 2 && name.includes(wanted)) return 1;
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
