/**
 * A regular expression that the engine has accepted -> its parts, as far as they affect in how many ways a text can be matched. Which
 * characters a class accepts is left to the engine itself.
 * @see https://tc39.es/ecma262/#sec-patterns
 */

/** One character of a text: a class, an escape or a letter, as written in the expression. */
export interface CharacterNode {
  readonly kind: 'character';
  readonly source: string;
  readonly flags: string;
}

/** A repeated part. */
export interface RepeatNode {
  readonly kind: 'repeat';
  readonly min: number;
  readonly max: number;
  readonly body: PatternNode;
}

/** Parts one after another. */
export interface SequenceNode {
  readonly kind: 'sequence';
  readonly parts: readonly PatternNode[];
}

/** A part of an expression. `check` may refuse a match, but adds no way to match: an assertion, a backreference. */
export type PatternNode =
  | CharacterNode
  | RepeatNode
  | SequenceNode
  | { readonly kind: 'choice'; readonly options: readonly PatternNode[] }
  | { readonly kind: 'check' };

/** An expression that is matched on its own: the whole one, or the content of a lookaround. */
export interface ParsedPattern {
  readonly node: PatternNode;
  /** It is matched from its end to its beginning. */
  readonly isBackwards: boolean;
}

/** The whole expression, and the content of its lookarounds. */
export function parsePattern({ source, flags }: RegExp): readonly ParsedPattern[] {
  const parser = new PatternParser(source, flags);
  const node = parser.choice();
  return [{ node, isBackwards: false }, ...parser.lookarounds];
}

const CHECK: PatternNode = { kind: 'check' };
/** What may stand behind a part. */
const QUANTIFIER = /^(?:[*+?]|\{(\d+)(,(\d*))?\})\??/;
/** An escape that is one character. */
const ESCAPE =
  /^\\(?:[pP]\{[^}]*\}|u\{[0-9a-fA-F]+\}|u[dD][89abAB][0-9a-fA-F]{2}\\u[dD][c-fC-F][0-9a-fA-F]{2}|u[0-9a-fA-F]{4}|x[0-9a-fA-F]{2}|c[A-Za-z]|0[0-7]{0,2}|[\s\S])/u;
/** How a group begins that is no plain one: a lookaround, a name, modifiers. */
const GROUP = /^\(\?(?:(<?[=!])|<[^>]*>|([a-z]*)(?:-([a-z]*))?:)/;

class PatternParser {
  readonly lookarounds: ParsedPattern[] = [];
  readonly #groups: number;
  #at = 0;

  constructor(
    private readonly source: string,
    private flags: string,
  ) {
    this.#groups = countGroups(source);
  }

  /** Alternatives up to the end, or up to the end of a group. */
  choice(): PatternNode {
    const options = [this.#sequence()];
    while (this.source[this.#at] === '|') {
      this.#at += 1;
      options.push(this.#sequence());
    }
    const [only] = options;
    return options.length === 1 && only ? only : { kind: 'choice', options };
  }

  #sequence(): SequenceNode {
    const parts: PatternNode[] = [];
    while (this.#at < this.source.length && !'|)'.includes(this.source[this.#at] ?? '')) {
      parts.push(this.#repeated(this.#part()));
    }
    return { kind: 'sequence', parts };
  }

  #repeated(body: PatternNode): PatternNode {
    const found = QUANTIFIER.exec(this.source.slice(this.#at, this.#at + 40));
    if (!found) return body;
    this.#at += found[0].length;
    const [sign, least, range, most] = found;
    if (least === undefined) {
      const max = sign.startsWith('?') ? 1 : Infinity;
      return { kind: 'repeat', min: sign.startsWith('+') ? 1 : 0, max, body };
    }
    const min = Number(least);
    const max = range === undefined ? min : most === undefined || most === '' ? Infinity : Number(most);
    return { kind: 'repeat', min, max, body };
  }

  #part(): PatternNode {
    switch (this.source[this.#at]) {
      case '(':
        return this.#group();
      case '[':
        return this.#character(classAt(this.source, this.#at, this.flags.includes('v')));
      case '\\':
        return this.#escape();
      case '^':
      case '$':
        this.#at += 1;
        return CHECK;
      default:
        return this.#character(this.#letter());
    }
  }

  #group(): PatternNode {
    const [head = '(', lookaround, added = '', removed = ''] = GROUP.exec(this.source.slice(this.#at)) ?? [];
    const before = this.flags;
    this.#at += head.length;
    this.flags = [...before].filter((flag) => !removed.includes(flag)).join('') + added;
    const node = this.choice();
    this.flags = before;
    this.#at += 1; // its parenthesis
    if (lookaround === undefined) return node;
    this.lookarounds.push({ node, isBackwards: lookaround.startsWith('<') });
    return CHECK;
  }

  #escape(): PatternNode {
    const rest = this.source.slice(this.#at);
    const reference = /^\\(?:k<[^>]*>|[bB]|([1-9]\d*))/.exec(rest);
    // A number without such a group is a character, where the flags allow it at all.
    if (reference && (reference[1] === undefined || Number(reference[1]) <= this.#groups)) {
      this.#at += reference[0].length;
      return CHECK;
    }
    return this.#character(ESCAPE.exec(rest)?.[0] ?? '\\');
  }

  /** With `u` or `v` a letter is a code point, else a unit of UTF-16. */
  #letter(): string {
    const code = this.source.codePointAt(this.#at) ?? 0;
    return /[uv]/.test(this.flags) ? String.fromCodePoint(code) : (this.source[this.#at] ?? '');
  }

  #character(source: string): CharacterNode {
    this.#at += source.length;
    return { kind: 'character', source, flags: this.flags };
  }
}

/** The class that begins at a place; with `v` classes stand within classes. */
function classAt(source: string, from: number, nests: boolean): string {
  let depth = 0;
  for (let at = from; at < source.length; at += 1) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (character === '[' && (nests || depth === 0)) depth += 1;
    else if (character === ']' && (depth -= 1) === 0) return source.slice(from, at + 1);
  }
  return source.slice(from);
}

function countGroups(source: string): number {
  const bare = source.replace(/\\[\s\S]|\[(?:\\[\s\S]|[^\]\\])*\]?/g, '');
  return bare.match(/\((?!\?)|\(\?<(?![=!])/g)?.length ?? 0;
}
