/** Whether a version is in a range: the ranges that Sigil's packages and their peers are written with. */

type Triple = readonly [number, number, number];

/**
 * @param range `^1.2.3`, `~1.2.3`, `>=1.2`, `1.2.3`, `*`, several with spaces (all) or `||` (one of them)
 * @returns true as well for what cannot be judged, a path or a tag
 */
export function isInRange(version: string, range: string): boolean {
  const triple = tripleOf(version);
  if (!triple) return true;
  return range.split('||').some((either) =>
    either
      .trim()
      .split(/\s+/)
      .every((comparator) => satisfies(triple, comparator)),
  );
}

function satisfies(version: Triple, comparator: string): boolean {
  const [, operator = '', rest = ''] = /^(\^|~|>=|<=|>|<|=)?v?(.*)$/.exec(comparator) ?? [];
  const bound = tripleOf(rest);
  if (!bound) return true;
  const order = compare(version, bound);
  switch (operator) {
    case '^':
      return order >= 0 && compare(version, nextBreaking(bound)) < 0;
    case '~':
      return order >= 0 && compare(version, [bound[0], bound[1] + 1, 0]) < 0;
    case '>=':
      return order >= 0;
    case '<=':
      return order <= 0;
    case '>':
      return order > 0;
    case '<':
      return order < 0;
    default:
      return order === 0;
  }
}

/** Where the leftmost number that is not zero grows. */
function nextBreaking([major, minor, patch]: Triple): Triple {
  if (major > 0) return [major + 1, 0, 0];
  return minor > 0 ? [0, minor + 1, 0] : [0, 0, patch + 1];
}

function compare(a: Triple, b: Triple): number {
  return a[0] - b[0] || a[1] - b[1] || a[2] - b[2];
}

function tripleOf(text: string): Triple | undefined {
  const match = /^(\d+)(?:\.(\d+))?(?:\.(\d+))?(?:[-+].*)?$/.exec(text);
  return match ? [Number(match[1]), Number(match[2] ?? 0), Number(match[3] ?? 0)] : undefined;
}
