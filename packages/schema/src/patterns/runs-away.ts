/**
 * Whether a regular expression can take exponential time: where a text can be matched in two ways inside of a repetition, each
 * repetition doubles what has to be tried before it is known that the text does not match.
 * @see https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS
 */
import { Characters, overlap } from './characters';
import { parsePattern } from './parse-pattern';
import { PositionGraph } from './position-graph';

/** A repetition of a group: without one there is nothing to be doubled. */
const REPEATED_GROUP = /\)[*+{]/;
/** Pairs of positions that are compared before the search gives up. */
const MOST_PAIRS = 200_000;

/**
 * Whether it does; false for very large expressions, where it cannot be decided. The content of a lookaround is examined on its own; a
 * lookaround or a backreference is never assumed to prevent it.
 */
export function runsAway(expression: RegExp): boolean {
  const { source } = expression;
  if (!REPEATED_GROUP.test(source)) return false;
  const characters = new Characters(source);
  return parsePattern(expression).some((part) => {
    const graph = new PositionGraph(part, characters);
    return !graph.isCut && isAmbiguous(graph);
  });
}

/** Whether some loop of the graph can be walked in two ways along the same text. */
function isAmbiguous(graph: PositionGraph): boolean {
  const loops = loopsOf(graph);
  const isInside = (from: number, to: number): boolean => loops[from] !== undefined && loops[from] === loops[to];
  const twoWays = graph.followers.some((next, from) =>
    [...next].some(([to, count]) => count > 1 && isInside(from, to)),
  );
  return twoWays || hasForks(graph, isInside);
}

/** Whether two walkers in one loop can part, read the same characters, and meet again. */
function hasForks({ characters, followers }: PositionGraph, isInside: (from: number, to: number) => boolean): boolean {
  const size = characters.length;
  const before = new Map<number, number[]>();
  const waiting = characters.map((_, position) => position * size + position);
  const seen = new Set(waiting);
  for (let pair = waiting.pop(); pair !== undefined; pair = waiting.pop()) {
    const [left, right] = [Math.floor(pair / size), pair % size];
    for (const one of followers[left]?.keys() ?? []) {
      if (!isInside(left, one)) continue;
      for (const other of followers[right]?.keys() ?? []) {
        if (!isInside(right, other) || !meet(characters, one, other)) continue;
        const next = one * size + other;
        before.set(next, [...(before.get(next) ?? []), pair]);
        if (seen.has(next)) continue;
        if (seen.size > MOST_PAIRS) return false;
        seen.add(next);
        waiting.push(next);
      }
    }
  }
  const meetings = [...seen].filter((pair) => Math.floor(pair / size) === pair % size);
  return [...reachable(meetings, (pair) => before.get(pair) ?? [])].some(
    (pair) => Math.floor(pair / size) !== pair % size,
  );
}

function meet(characters: PositionGraph['characters'], one: number, other: number): boolean {
  const [left, right] = [characters[one], characters[other]];
  return left !== undefined && right !== undefined && (left === right ? left.size > 0 : overlap(left, right));
}

/** The loop that each position is part of, as the number of its first one; undefined for those that are in none. */
function loopsOf({ followers }: PositionGraph): (number | undefined)[] {
  const before = followers.map((): number[] => []);
  followers.forEach((next, from) => [...next.keys()].forEach((to) => before[to]?.push(from)));
  const loops: (number | undefined)[] = followers.map(() => undefined);
  followers.forEach((next, position) => {
    if (loops[position] !== undefined) return;
    const ahead = reachable(next.keys(), (each) => followers[each]?.keys() ?? []);
    if (!ahead.has(position)) return;
    for (const each of reachable([position], (one) => before[one] ?? [])) if (ahead.has(each)) loops[each] = position;
  });
  return loops;
}

function reachable(from: Iterable<number>, next: (position: number) => Iterable<number>): Set<number> {
  const seen = new Set(from);
  // A set goes on to what was added to it meanwhile.
  for (const position of seen) for (const each of next(position)) seen.add(each);
  return seen;
}
