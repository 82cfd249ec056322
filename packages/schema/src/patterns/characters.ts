/**
 * Which characters the parts of an expression accept. The engine itself is asked, for a few hundred representative characters, including
 * those of the expression.
 */
import type { CharacterNode } from './parse-pattern';

/** Letters, digits, marks and signs of many scripts; spaces, control characters, and characters with unusual capitals. */
const SAMPLE = [
  // Without a function for each of them, because every start does this.
  ...String.fromCharCode(...Array(0x180).keys()),
  ...'ſΑΩαωϑЖжאبक१あア中한ก̀\u0660\u2003\u2028\u2029\u200b\u200d\u20ac\u2160\u2190\u2200\u2c00\ue000\ufeff\uff21\uff41\uff10\ud800\udc00',
  ...['😀', '𝒜', '𐐀', '𝟘', '🇦', '\u{e0041}', '\u{20000}', '\u{10ffff}'],
];
/** How many characters are searched for if a class accepts none of the sample. */
const MOST_FOUND = 20;

/** The characters of one expression. */
export class Characters {
  readonly #sample: string[];
  readonly #known = new Map<string, ReadonlySet<string>>();

  constructor(source: string) {
    this.#sample = [...new Set([...SAMPLE, ...neighbours(source)])];
  }

  /** The characters of the sample that a part accepts. */
  acceptedBy({ source, flags }: CharacterNode): ReadonlySet<string> {
    const key = `${flags} ${source}`;
    const known = this.#known.get(key) ?? this.#find(source, flags);
    this.#known.set(key, known);
    return known;
  }

  #find(source: string, flags: string): ReadonlySet<string> {
    const isUnicode = /[uv]/.test(flags);
    const part = new RegExp(`^(?:${source})$`, flags.replace(/[^iusv]/g, ''));
    const accepted = new Set(this.#sample.filter((each) => (isUnicode || each.length === 1) && part.test(each)));
    if (accepted.size === 0) for (const each of search(part)) accepted.add(each);
    return accepted;
  }
}

/** Whether two parts accept the same character. */
export function overlap(one: ReadonlySet<string>, other: ReadonlySet<string>): boolean {
  if (one.size > other.size) return overlap(other, one);
  for (const each of one) if (other.has(each)) return true;
  return false;
}

/** The characters in an expression and their neighbours: the ends of its ranges, and the first characters outside of them. */
function neighbours(source: string): string[] {
  const named = source.match(/\\u\{[0-9a-fA-F]+\}|\\u[0-9a-fA-F]{4}|\\x[0-9a-fA-F]{2}|[^]/gu) ?? [];
  const codes = named.map((each) =>
    each.length > 2 && each.startsWith('\\')
      ? parseInt(each.replace(/[^0-9a-fA-F]/g, ''), 16)
      : (each.codePointAt(0) ?? 0),
  );
  return [...new Set(codes)].flatMap((code) =>
    [code - 1, code, code + 1]
      .filter((each) => each >= 0 && each <= 0x10ffff)
      .map((each) => String.fromCodePoint(each)),
  );
}

/** The first characters of all that a part accepts. */
function* search(part: RegExp): Generator<string> {
  let found = 0;
  for (let code = 0; code <= 0x1ffff && found < MOST_FOUND; code += 1) {
    const character = String.fromCodePoint(code);
    if (!part.test(character)) continue;
    found += 1;
    yield character;
  }
}
