/** A written file and its newer version: what nobody has touched becomes new, what a person has changed stays. */
import type { CodeReader, CodeUnit } from './code-units';
import { importsOf, localName, withImports } from './merge-imports';

/** The name of the whole file among its units. */
export const WHOLE = '*';

/** One file in both versions. */
export interface MergedSource {
  /** Undefined if it is new. */
  readonly existing: string | undefined;
  readonly fresh: string;
  /** The digests of what was written last; empty for a new file. */
  readonly known: Readonly<Record<string, string>>;
  /** Whether code that stays refers to a name. */
  readonly isUsed: (name: string) => boolean;
  /** Whether a relative import leads to a file that is written here. */
  readonly isWritten: (module: string) => boolean;
}

/** What came of it. */
export interface MergedFile {
  readonly text: string;
  /** For the lock. */
  readonly digests: Readonly<Record<string, string>>;
  /** Units that a person has changed, and of which there is another version now. */
  readonly conflicts: readonly string[];
  /** Units that a person has changed. */
  readonly edited: readonly string[];
}

/** Merges a file unit by unit. */
export function mergeFile(code: CodeReader, source: MergedSource): MergedFile {
  const digests = Object.fromEntries([
    [WHOLE, code.digestOf(source.fresh)],
    ...code.unitsOf(source.fresh).map(({ name, digest }) => [name, digest] as const),
  ]);
  const done = { digests, conflicts: [], edited: [] };
  if (source.existing === undefined) return { ...done, text: source.fresh };
  const { existing, fresh, known, isUsed } = withOwnClass(code, { ...source, existing: source.existing });
  const oldUnits = code.unitsOf(existing);
  const freshUnits = code.unitsOf(fresh);
  const names = new Set(freshUnits.map(({ name }) => name));
  const isNeeded = ({ name }: CodeUnit): boolean => !names.has(name) && isUsed(name);
  if (code.digestOf(existing) === known[WHOLE] && !oldUnits.some(isNeeded))
    return { ...done, text: digests[WHOLE] === known[WHOLE] ? existing : fresh };
  const now = new Map(freshUnits.map(({ name, digest }) => [name, digest]));
  const isEdited = editedUnits(code, { ...source, existing, known });
  const edited = oldUnits.filter((each) => known[each.name] !== undefined && isEdited(each)).map(({ name }) => name);
  const text = withUnits(code, { existing, known, isUsed }, { oldUnits, freshUnits, isEdited });
  return {
    text: withImports(code, text, fresh),
    digests,
    conflicts: edited.filter((name) => now.has(name) && now.get(name) !== known[name]),
    edited,
  };
}

/** What a person has changed, or has made refer to a file of their own. */
function editedUnits(
  code: CodeReader,
  { existing, known, isWritten }: MergedSource & { readonly existing: string },
): (unit: CodeUnit) => boolean {
  const own = [...importsOf(code, existing)]
    .filter(([module]) => module.startsWith('.') && !isWritten(module))
    .flatMap(([, { names }]) => names.map(localName));
  return ({ name, digest, text }) =>
    known[name] !== digest ||
    own.some((each) => new RegExp(`(?<![\\w$])${each.replaceAll('$', '\\$')}(?![\\w$])`).test(text));
}

/** The newer version with the name that a person has given to the class of a feature. */
function withOwnClass<Source extends MergedSource & { readonly existing: string }>(
  code: CodeReader,
  source: Source,
): Source {
  const { existing, fresh, known } = source;
  const own = featureOf(code.unitsOf(existing));
  const written = featureOf(code.unitsOf(fresh));
  if (own === undefined || written === undefined || own === written) return source;
  const renamed = (name: string): string => (name.startsWith(`${written}.`) ? own + name.slice(written.length) : name);
  return {
    ...source,
    fresh: fresh.replace(new RegExp(`\\b${written}\\b`, 'g'), own),
    known: Object.fromEntries(Object.entries(known).map(([name, digest]) => [renamed(name), digest])),
  };
}

function featureOf(units: readonly CodeUnit[]): string | undefined {
  return units.find(({ name }) => name.includes('.'))?.name.split('.')[0];
}

interface BothUnits {
  readonly oldUnits: readonly CodeUnit[];
  readonly freshUnits: readonly CodeUnit[];
  readonly isEdited: (unit: CodeUnit) => boolean;
}

function withUnits(
  code: CodeReader,
  { existing, known, isUsed }: Pick<MergedSource, 'known' | 'isUsed'> & { readonly existing: string },
  { oldUnits, freshUnits, isEdited }: BothUnits,
): string {
  const fresh = new Map(freshUnits.map((each) => [each.name, each]));
  const old = new Set(oldUnits.map(({ name }) => name));
  const added = freshUnits.filter(({ name }) => !old.has(name) && (known[name] === undefined || isUsed(name)));
  let text = existing;
  // From the end, so that positions before stay right.
  for (const each of [...oldUnits].reverse()) {
    const newer = fresh.get(each.name);
    const isUntouched = !isEdited(each);
    if (newer && isUntouched && newer.digest !== each.digest)
      text = text.slice(0, each.start) + newer.text + text.slice(each.end);
    if (!newer && isUntouched && !isUsed(each.name))
      text =
        text.slice(0, each.start).replace(/(?<![ \t])[ \t]+$/, '') +
        text.slice(each.end).replace(/^(?:[ \t]*\r?\n){1,2}/, '');
  }
  for (const each of added) text = insertUnit(code, text, { unit: each, order: freshUnits });
  return text;
}

/** After the unit that stands before it in the newer version; else before the first unit. */
function insertUnit(
  code: CodeReader,
  text: string,
  { unit, order }: { readonly unit: CodeUnit; readonly order: readonly CodeUnit[] },
): string {
  const there = code.unitsOf(text);
  const isMethod = unit.name.includes('.');
  const alike = there.filter(({ name }) => name.includes('.') === isMethod);
  const before = order
    .slice(
      0,
      order.findIndex(({ name }) => name === unit.name),
    )
    .map(({ name }) => name);
  const previous = alike.filter(({ name }) => before.includes(name)).at(-1) ?? (isMethod ? alike.at(-1) : undefined);
  const indented = isMethod ? `  ${unit.text}` : unit.text;
  if (previous) return `${text.slice(0, previous.end)}\n\n${indented}${text.slice(previous.end)}`;
  const first = alike[0];
  if (first) return `${text.slice(0, first.start)}${unit.text}\n\n${isMethod ? '  ' : ''}${text.slice(first.start)}`;
  if (!isMethod) return `${text.trimEnd()}\n\n${unit.text}\n`;
  const end = text.lastIndexOf('}');
  return `${text.slice(0, end).trimEnd()}\n\n${indented}\n${text.slice(end)}`;
}
