/**
 * A regular expression -> the graph of its characters: which may stand after which, and in how many ways. It is the automaton
 * of Glushkov, because that keeps the ways apart in which one text can be matched.
 * @see https://en.wikipedia.org/wiki/Glushkov%27s_construction_algorithm
 */
import type { CharSet, JS } from 'refa';

/** So many repetitions are taken for any number: a text of thirty letters has room for them, in more ways than can be tried. */
const FEW = 5;
/** More characters in a pattern than these are not looked at. */
const MOST_POSITIONS = 500;
/** Copies that stand for a fixed number of repetitions: enough to see what may follow what. */
const COPIES = 3;

/** Where the ways of a part begin or end, and how many there are. */
type Ways = ReadonlyMap<number, number>;

interface Part {
  readonly first: Ways;
  readonly last: Ways;
  /** Whether it matches the empty text. */
  readonly isNullable: boolean;
}

const EMPTY: Part = { first: new Map(), last: new Map(), isNullable: true };

type Concatenation = JS.ParseResult['expression']['alternatives'][number];
type Element = Concatenation['elements'][number];
type Repeated = Extract<Element, { type: 'Quantifier' }>;

/** The characters of an expression as numbered positions. */
export class PositionGraph {
  /** The characters that each position accepts. */
  readonly characters: CharSet[] = [];
  /** The positions that may follow each, and in how many ways. */
  readonly followers: Map<number, number>[] = [];
  /** Whether it is too large to be looked at, and so was not finished. */
  isCut = false;

  constructor({ alternatives }: { readonly alternatives: readonly Concatenation[] }) {
    this.#choice(alternatives);
  }

  #choice(alternatives: readonly Concatenation[]): Part {
    const parts = alternatives.map(({ elements }) =>
      elements.map((element) => this.#element(element)).reduce((left, right) => this.#join(left, right), EMPTY),
    );
    return {
      first: sum(parts.map(({ first }) => first)),
      last: sum(parts.map(({ last }) => last)),
      isNullable: parts.some(({ isNullable }) => isNullable),
    };
  }

  #element(element: Element): Part {
    switch (element.type) {
      case 'CharacterClass':
        return this.#position(element.characters);
      case 'Alternation':
        return this.#choice(element.alternatives);
      case 'Quantifier':
        return this.#repeat(element);
      // Matches no character itself; what it asks of its surroundings only makes fewer ways.
      default:
        return EMPTY;
    }
  }

  #position(characters: CharSet): Part {
    if (this.characters.length >= MOST_POSITIONS) {
      this.isCut = true;
      return EMPTY;
    }
    const position = this.characters.push(characters) - 1;
    this.followers.push(new Map());
    const only = new Map([[position, 1]]);
    return { first: only, last: only, isNullable: false };
  }

  #repeat({ min, max, alternatives }: Repeated): Part {
    if (max === 0) return EMPTY;
    const copy = (): Part => this.#choice(alternatives);
    // How often a single character stands there can be read in one way, if the number is fixed.
    if (max >= FEW && (min !== max || !isCharacter(alternatives))) {
      const part = copy();
      this.#link(part.last, part.first);
      return min === 0 ? optional(part) : part;
    }
    // x{1,3} is x(x(x)?)?: that two of three are there can be read in one way only.
    let rest = EMPTY;
    for (let count = min === max ? Math.min(max, COPIES) : max; count > 0; count -= 1) {
      rest = this.#join(copy(), rest);
      if (count > min) rest = optional(rest);
    }
    return rest;
  }

  #join(left: Part, right: Part): Part {
    this.#link(left.last, right.first);
    return {
      first: left.isNullable ? sum([left.first, right.first]) : left.first,
      last: right.isNullable ? sum([left.last, right.last]) : right.last,
      isNullable: left.isNullable && right.isNullable,
    };
  }

  #link(from: Ways, to: Ways): void {
    for (const [position, before] of from) {
      const followers = this.followers[position];
      for (const [next, after] of to) followers?.set(next, (followers.get(next) ?? 0) + before * after);
    }
  }
}

function optional(part: Part): Part {
  return part.isNullable ? part : { ...part, isNullable: true };
}

function sum(all: readonly Ways[]): Ways {
  const total = new Map<number, number>();
  for (const ways of all) for (const [position, count] of ways) total.set(position, (total.get(position) ?? 0) + count);
  return total;
}

function isCharacter(alternatives: Repeated['alternatives']): boolean {
  const [first] = alternatives;
  return alternatives.length === 1 && first?.elements.length === 1 && first.elements[0]?.type === 'CharacterClass';
}
