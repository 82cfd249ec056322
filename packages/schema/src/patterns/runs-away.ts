/**
 * Whether a regular expression can take exponential time: where a text can be matched in two ways inside of a repetition, each
 * repetition doubles what has to be tried before it is known that the text does not match.
 * @see https://owasp.org/www-community/attacks/Regular_expression_Denial_of_Service_-_ReDoS
 */
import { Characters, overlap } from './characters';
import {
  parsePattern,
  type CharacterNode,
  type ParsedPattern,
  type PatternNode,
  type RepeatNode,
} from './parse-pattern';

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

// A regular expression -> the graph of its characters: which may follow which, and in how many ways. It is Glushkov's automaton,
// because that distinguishes the ways in which one text can be matched.
// @see https://en.wikipedia.org/wiki/Glushkov%27s_construction_algorithm

/** So many repetitions are taken for any number: a text of thirty letters has room for them, in more ways than can be tried. */
const FEW = 5;
/** More characters in a pattern than these are not looked at. */
const MOST_POSITIONS = 500;
/** Copies that stand for a fixed number of repetitions: enough to see what may follow what. */
const COPIES = 3;

/** Where the ways of a part begin or end, and how many there are. */
type Ways = ReadonlyMap<number, number>;

interface GraphPart {
  readonly first: Ways;
  readonly last: Ways;
  /** Whether it matches the empty text. */
  readonly isNullable: boolean;
  /** Those of its last after which nothing of it is asked any more. */
  readonly free: ReadonlySet<number>;
  /** Whether it may be passed without being asked anything. */
  readonly isFree: boolean;
}

const EMPTY: GraphPart = { first: new Map(), last: new Map(), isNullable: true, free: new Set(), isFree: true };
/** Matches no character itself; what it asks of its surroundings only makes fewer ways, and may fail. */
const CHECK: GraphPart = { ...EMPTY, isFree: false };

/** The characters of an expression as numbered positions. */
class PositionGraph {
  /** The characters that each position accepts. */
  readonly characters: ReadonlySet<string>[] = [];
  /** The positions that may follow each, and in how many ways. */
  readonly followers: Map<number, number>[] = [];
  /** Whether it is too large to be looked at, and so was not finished. */
  isCut = false;

  /** @param known the characters of the whole expression */
  constructor(
    { node, isBackwards }: ParsedPattern,
    private readonly known: Characters,
  ) {
    const { free } = this.#part(node);
    // What may end here is never tried in another way: the text has matched.
    if (!isBackwards) for (const position of free) this.followers[position]?.clear();
  }

  #part(node: PatternNode): GraphPart {
    switch (node.kind) {
      case 'character':
        return this.#position(node);
      case 'sequence':
        return node.parts.map((part) => this.#part(part)).reduce((left, right) => this.#join(left, right), EMPTY);
      case 'choice':
        return choice(node.options.map((option) => this.#part(option)));
      case 'repeat':
        return this.#repeat(node);
      case 'check':
        return CHECK;
    }
  }

  #position(node: CharacterNode): GraphPart {
    if (this.characters.length >= MOST_POSITIONS) {
      this.isCut = true;
      return EMPTY;
    }
    const position = this.characters.push(this.known.acceptedBy(node)) - 1;
    this.followers.push(new Map());
    const only = new Map([[position, 1]]);
    return { first: only, last: only, isNullable: false, free: new Set([position]), isFree: false };
  }

  #repeat({ min, max, body }: RepeatNode): GraphPart {
    if (max === 0) return EMPTY;
    const copy = (): GraphPart => this.#part(body);
    // How often a single character stands there can be read in one way, if the number is fixed.
    if (max >= FEW && (min !== max || !isCharacter(body))) {
      const part = copy();
      this.#link(part.last, part.first);
      // One of several may not be the last.
      return min === 0 ? optional(part) : min === 1 ? part : { ...part, free: EMPTY.free };
    }
    // x{1,3} is x(x(x)?)?: that two of three are there can be read in one way only.
    let rest = EMPTY;
    for (let count = min === max ? Math.min(max, COPIES) : max; count > 0; count -= 1) {
      rest = this.#join(copy(), rest);
      if (count > min) rest = optional(rest);
    }
    return rest;
  }

  #join(left: GraphPart, right: GraphPart): GraphPart {
    this.#link(left.last, right.first);
    return {
      first: left.isNullable ? sum([left.first, right.first]) : left.first,
      last: right.isNullable ? sum([left.last, right.last]) : right.last,
      isNullable: left.isNullable && right.isNullable,
      free: right.isFree ? new Set([...left.free, ...right.free]) : right.free,
      isFree: left.isFree && right.isFree,
    };
  }

  #link(from: Ways, to: Ways): void {
    for (const [position, before] of from) {
      const followers = this.followers[position];
      for (const [next, after] of to) followers?.set(next, (followers.get(next) ?? 0) + before * after);
    }
  }
}

function optional(part: GraphPart): GraphPart {
  return part.isNullable && part.isFree ? part : { ...part, isNullable: true, isFree: true };
}

function sum(all: readonly Ways[]): Ways {
  const total = new Map<number, number>();
  for (const ways of all) for (const [position, count] of ways) total.set(position, (total.get(position) ?? 0) + count);
  return total;
}

function choice(parts: readonly GraphPart[]): GraphPart {
  return {
    first: sum(parts.map(({ first }) => first)),
    last: sum(parts.map(({ last }) => last)),
    isNullable: parts.some(({ isNullable }) => isNullable),
    free: new Set(parts.flatMap(({ free }) => [...free])),
    isFree: parts.some(({ isFree }) => isFree),
  };
}

function isCharacter(body: PatternNode): boolean {
  if (body.kind !== 'sequence') return body.kind === 'character';
  const [first, ...others] = body.parts;
  return first?.kind === 'character' && others.length === 0;
}
