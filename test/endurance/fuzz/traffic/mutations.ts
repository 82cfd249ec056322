/** Ways to spoil a message. A mutation is data, so that a failing one can be made smaller and kept. */
import fc from 'fast-check';
import { Members, RawText, toTree, writeTree } from './json-text';
import { oddId, oddName, oddText } from './odd-values';

/** One change of a message; `at` chooses the place, counted around. */
export type Mutation =
  | { readonly kind: 'drop' | 'duplicate'; readonly at: number }
  | { readonly kind: 'retype' | 'follow'; readonly at: number; readonly text: string }
  | { readonly kind: 'rename'; readonly at: number; readonly name: string }
  | { readonly kind: 'insert'; readonly at: number; readonly name: string; readonly text: string }
  | { readonly kind: 'nest'; readonly at: number; readonly depth: number }
  | { readonly kind: 'swap'; readonly at: number; readonly with: number }
  | { readonly kind: 'identify'; readonly text: string };

const at = fc.nat({ max: 60 });

/** Any mutation. */
export const mutation: fc.Arbitrary<Mutation> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ kind: fc.constant('retype' as const), at, text: oddText }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constantFrom('drop' as const, 'duplicate' as const), at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('follow' as const), at, text: oddText }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('rename' as const), at, name: oddName }) },
  { weight: 3, arbitrary: fc.record({ kind: fc.constant('insert' as const), at, name: oddName, text: oddText }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('nest' as const), at, depth: fc.integer({ min: 1, max: 2000 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('swap' as const), at, with: at }) },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('identify' as const), text: oddId }) },
);

/** A member of an object somewhere in a tree. */
interface Place {
  readonly owner: Members;
  readonly index: number;
}

/** Writes a message with mutations, applied one after the other. */
export function mutate(message: object, mutations: readonly Mutation[]): string {
  return writeTree(mutations.reduce(apply, toTree(message)));
}

function apply(tree: unknown, change: Mutation): unknown {
  if (change.kind === 'identify') return identify(tree, change.text);
  const places = placesOf(tree);
  const place = places[change.at % places.length];
  if (!place) return tree;
  if (change.kind === 'swap') return swap(tree, place, places[change.with % places.length] ?? place);
  return replace(tree, place.owner, changedEntries(place, change));
}

function changedEntries(
  { owner: { entries }, index }: Place,
  change: Exclude<Mutation, { kind: 'identify' | 'swap' }>,
) {
  const [name, value] = entries[index] ?? ['', null];
  switch (change.kind) {
    case 'drop':
      return entries.filter((_, position) => position !== index);
    case 'duplicate':
      return [...entries, [name, value] as const];
    case 'retype':
      return entries.with(index, [name, new RawText(change.text)]);
    case 'follow':
      return [...entries, [name, new RawText(change.text)] as const];
    case 'rename':
      return entries.with(index, [change.name, value]);
    case 'insert':
      return [...entries, [change.name, new RawText(change.text)] as const];
    case 'nest':
      return entries.with(index, [
        name,
        new RawText('[{"a":'.repeat(change.depth) + writeTree(value) + '}]'.repeat(change.depth)),
      ]);
  }
}

/** Every member of every object, those further out first. */
function placesOf(tree: unknown): Place[] {
  if (Array.isArray(tree)) return tree.flatMap(placesOf);
  if (!(tree instanceof Members)) return [];
  const own = tree.entries.map((_, index) => ({ owner: tree, index }));
  return [...own, ...tree.entries.flatMap(([, value]) => placesOf(value))];
}

/** The tree with other members in one of its objects; the rest is shared. */
function replace(tree: unknown, owner: Members, entries: Members['entries']): unknown {
  if (tree === owner) return new Members(entries);
  if (Array.isArray(tree)) return tree.map((item) => replace(item, owner, entries));
  if (!(tree instanceof Members)) return tree;
  return new Members(tree.entries.map(([name, value]) => [name, replace(value, owner, entries)]));
}

function swap(tree: unknown, one: Place, other: Place): unknown {
  const valueOf = ({ owner, index }: Place): unknown => owner.entries[index]?.[1];
  const [first, second] = [valueOf(one), valueOf(other)];
  const put = (from: unknown, { owner, index }: Place, value: unknown): unknown => {
    const name = owner.entries[index]?.[0] ?? '';
    return replace(from, owner, owner.entries.with(index, [name, value]));
  };
  // Where one holds the other, only the outer one changes.
  return placesOf(first).some(({ owner }) => owner === other.owner)
    ? put(tree, one, second)
    : put(put(tree, other, first), one, second);
}

function identify(tree: unknown, text: string): unknown {
  if (!(tree instanceof Members)) return tree;
  const others = tree.entries.filter(([name]) => name !== 'id');
  return new Members([...others, ['id', new RawText(text)]]);
}
