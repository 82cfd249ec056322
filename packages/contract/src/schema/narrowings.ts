/**
 * What keeps a schema from accepting everything that another accepts. Nothing found means that it does: each value that is valid for the one
 * is valid for the other. Something found means that it may not: schemas are compared by their parts, and what parts do not show is not
 * taken for granted.
 */
import { accepts, isMultiple, branchesOf } from './accepts';
import {
  lengthOfFirst,
  schemasOfItem,
  schemasOfOthers,
  schemasOfProperty,
  type Branch,
  type JsonType,
  type Range,
} from './branch';
import { JsonDocument, type Node, type Schema } from './json-document';

/** What a value has to fulfil that it did not have to. */
export type NarrowingRule =
  | 'type'
  | 'values'
  | 'required'
  | 'property'
  | 'minimum'
  | 'maximum'
  | 'step'
  | 'minSize'
  | 'maxSize'
  | 'pattern'
  | 'format'
  | 'unique'
  | 'other';

/** One way in which a schema accepts less than another. */
export interface Narrowing {
  readonly rule: NarrowingRule;
  /** The property, such as `authors[].name`; empty for the value itself. */
  readonly path: string;
  /** What was accepted, as the schema says it: a type, a limit, a list of values; undefined for anything. */
  readonly from: unknown;
  /** What is accepted instead. */
  readonly to: unknown;
}

/**
 * What values of one schema another may refuse.
 * @returns none if every value that is valid for `from` is valid for `to`
 */
export function narrowings(from: Schema, to: Schema): readonly Narrowing[] {
  const comparison = new Comparison();
  return comparison.nodes(new JsonDocument(from).node, new JsonDocument(to).node, '');
}

class Comparison {
  /**
   * Pair -> what was found. A pair that is being compared counts as found to be fine: a schema that refers to itself is as wide as the other,
   * unless something else shows that it is not.
   */
  readonly #found = new Map<string, readonly Narrowing[]>();

  /** What one accepts and the other does not; paths begin at `path`. */
  nodes(from: Node, to: Node, path: string): readonly Narrowing[] {
    const pair = `${from.document.nameOf(from.schemas)} | ${to.document.nameOf(to.schemas)}`;
    const known = this.#found.get(pair) ?? this.#compare(from, to, pair);
    return known.map((each) => ({ ...each, path: joined(path, each.path) }));
  }

  #compare(from: Node, to: Node, pair: string): readonly Narrowing[] {
    const before = new Map(this.#found);
    this.#found.set(pair, []);
    const wider = branchesOf(to);
    const found = distinct(
      branchesOf(from).flatMap((branch) => (this.#isEmpty(branch) ? [] : this.#branch(branch, wider, ''))),
    );
    // What was found to be fine meanwhile may have counted on this pair.
    if (found.length > 0)
      for (const [name, each] of this.#found) if (each.length === 0 && !before.has(name)) this.#found.delete(name);
    this.#found.set(pair, found);
    return found;
  }

  /** Whether no value fits, because a required property may have no value. */
  #isEmpty(branch: Branch): boolean {
    const { required, document } = branch;
    return [...required].some(
      (name) => branchesOf({ schemas: schemasOfProperty(branch, name), document }).length === 0,
    );
  }

  #branch(from: Branch, to: readonly Branch[], path: string): readonly Narrowing[] {
    if (from.values) {
      const values = from.values.filter((value) => accepts([from], value, 'perhaps'));
      return lostValues(from, values, to, path);
    }
    const alike = to.filter(({ type }) => type === from.type);
    if (alike.length === 0) return [{ rule: 'type', path, from: from.type, to: typesOf(to) }];
    let fewest: readonly Narrowing[] | undefined;
    for (const branch of alike) {
      const found = this.#alike(from, branch, path);
      if (found.length === 0) return [];
      if (!fewest || found.length < fewest.length) fewest = found;
    }
    return fewest ?? [];
  }

  /** Two branches of the same type. */
  #alike(from: Branch, to: Branch, path: string): readonly Narrowing[] {
    if (to.values) return [{ rule: 'values', path, from: undefined, to: to.values }];
    return [...ownNarrowings(from, to, path), ...this.#parts(from, to, path), ...opaque(from, to, path)];
  }

  #parts(from: Branch, to: Branch, path: string): readonly Narrowing[] {
    if (from.type === 'object') return this.#properties(from, to, path);
    return from.type === 'array' ? this.#items(from, to, path) : [];
  }

  #properties(from: Branch, to: Branch, path: string): readonly Narrowing[] {
    const required = [...to.required].filter((name) => !from.required.has(name));
    const names = new Set([...from.properties, ...to.properties].flatMap(({ named }) => [...named.keys()]));
    return [
      ...required.map((name): Narrowing => ({ rule: 'required', path: joined(path, name), from: false, to: true })),
      ...[...names].flatMap((name) =>
        this.#property(
          nodeOf(from, schemasOfProperty(from, name)),
          nodeOf(to, schemasOfProperty(to, name)),
          joined(path, name),
        ),
      ),
      ...this.#property(nodeOf(from, schemasOfOthers(from)), nodeOf(to, schemasOfOthers(to)), joined(path, '*')),
    ];
  }

  #property(from: Node, to: Node, path: string): readonly Narrowing[] {
    if (branchesOf(from).length === 0) return [];
    if (branchesOf(to).length === 0) return [{ rule: 'property', path, from: true, to: false }];
    return this.nodes(from, to, path);
  }

  #items(from: Branch, to: Branch, path: string): readonly Narrowing[] {
    const last = Math.min(Math.max(lengthOfFirst(from), lengthOfFirst(to)), from.size.most - 1);
    const isTuple = last > 0;
    const indexes = Array.from({ length: Math.max(0, last + 1) }, (_, index) => index);
    return indexes.flatMap((index) =>
      this.#property(
        nodeOf(from, schemasOfItem(from, index)),
        nodeOf(to, schemasOfItem(to, index)),
        `${path}[${isTuple && index < last ? index : ''}]`,
      ),
    );
  }
}

/** The constraints of a value itself. */
function ownNarrowings(from: Branch, to: Branch, path: string): readonly Narrowing[] {
  const found: Narrowing[] = [];
  const note = (rule: NarrowingRule, before: unknown, after: unknown): void =>
    void found.push({ rule, path, from: before, to: after });
  if (from.type === 'number') {
    compareRanges(wholeRange(from), wholeRange(to), (side, before, after) =>
      note(side === 'least' ? 'minimum' : 'maximum', before, after),
    );
    for (const step of to.multiples)
      if (!from.multiples.some((own) => isMultiple(own, step))) note('step', from.multiples[0], step);
  } else
    compareRanges(from.size, to.size, (side, before, after) =>
      note(side === 'least' ? 'minSize' : 'maxSize', before, after),
    );
  for (const pattern of to.patterns) if (!from.patterns.has(pattern)) note('pattern', [...from.patterns][0], pattern);
  for (const format of to.formats) if (!from.formats.has(format)) note('format', [...from.formats][0], format);
  if (to.isUnique && !from.isUnique && from.size.most > 1) note('unique', false, true);
  return found;
}

function compareRanges(
  from: Range,
  to: Range,
  note: (side: 'least' | 'most', from: number | undefined, to: number) => void,
): void {
  const shown = (value: number): number | undefined => (Number.isFinite(value) ? value : undefined);
  const least = from.least === to.least ? to.isLeastOut && !from.isLeastOut : from.least < to.least;
  if (least) note('least', shown(from.least), to.least);
  const most = from.most === to.most ? to.isMostOut && !from.isMostOut : from.most > to.most;
  if (most) note('most', shown(from.most), to.most);
}

/** The range of a number; of integers, its ends belong to it. */
function wholeRange({ range, multiples }: Branch): Range {
  if (!multiples.some((step) => Number.isInteger(step))) return range;
  const { least, most, isLeastOut, isMostOut } = range;
  return {
    least: isLeastOut ? Math.floor(least) + 1 : Math.ceil(least),
    most: isMostOut ? Math.ceil(most) - 1 : Math.floor(most),
    isLeastOut: false,
    isMostOut: false,
  };
}

function opaque(from: Branch, to: Branch, path: string): readonly Narrowing[] {
  const missing = [...to.opaque].filter((text) => !from.opaque.has(text));
  return missing.map((text): Narrowing => ({ rule: 'other', path, from: undefined, to: text }));
}

/** The values that are no longer accepted, as one narrowing. */
function lostValues(
  from: Branch,
  values: readonly unknown[],
  to: readonly Branch[],
  path: string,
): readonly Narrowing[] {
  // What both leave in doubt is the same in both.
  const known = to.map((branch) => ({
    ...branch,
    formats: without(branch.formats, from.formats),
    opaque: without(branch.opaque, from.opaque),
  }));
  const lost = values.filter((value) => !accepts(known, value, 'surely'));
  if (lost.length === 0) return [];
  const alike = to.filter(({ type }) => type === from.type);
  if (alike.length === 0) return [{ rule: 'type', path, from: from.type, to: typesOf(to) }];
  return [{ rule: 'values', path, from: lost, to: undefined }];
}

function without(some: ReadonlySet<string>, others: ReadonlySet<string>): ReadonlySet<string> {
  return new Set([...some].filter((one) => !others.has(one)));
}

function typesOf(branches: readonly Branch[]): readonly JsonType[] {
  return [...new Set(branches.map(({ type }) => type))];
}

function nodeOf({ document }: Branch, schemas: readonly Schema[]): Node {
  return { schemas, document };
}

function joined(path: string, name: string): string {
  if (path === '' || name === '') return path + name;
  return name.startsWith('[') ? path + name : `${path}.${name}`;
}

/** Each finding once; those of several types in one place are one. */
function distinct(found: readonly Narrowing[]): readonly Narrowing[] {
  const merged = new Map<string, Narrowing>();
  for (const each of found) {
    const key = each.rule === 'type' ? `type ${each.path}` : JSON.stringify(each);
    const known = merged.get(key);
    const from = known ? [...new Set([known.from, each.from].flat())] : each.from;
    merged.set(key, known ? { ...known, from } : each);
  }
  return [...merged.values()];
}
