/** City names as people type them: without accents, in any case, with typing errors. */

/** The form in which names are compared: "Bogotá " and "bogota" are the same. */
export function foldName(name: string): string {
  return name.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase().replace(/\s+/g, ' ').trim();
}

/** The names nearest to a wrong one, nearest first; names that are too different are left out. */
export function nearestNames(wrong: string, names: readonly string[], limit: number): string[] {
  const typed = foldName(wrong);
  return names
    .map((name) => ({ name, distance: distanceTo(typed, foldName(name)) }))
    .filter(({ name, distance }) => distance <= Math.max(2, Math.floor(foldName(name).length / 3)))
    .sort((a, b) => a.distance - b.distance)
    .slice(0, limit)
    .map(({ name }) => name);
}

/** A part of the name counts as near as one typing error. */
function distanceTo(typed: string, name: string): number {
  if (typed.length >= 3 && name.includes(typed)) return 1;
  return editDistance(typed, name);
}

/** The Levenshtein distance: the number of letters to insert, drop or replace. */
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
