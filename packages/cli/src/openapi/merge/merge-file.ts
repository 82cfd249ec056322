/** A written file and its newer version: what nobody has touched becomes new, what a person has changed stays. */
import type * as TypeScript from 'typescript';
import { moduleOf } from '../../add/imported-name';
import { insertInto, type Insertion } from '../../add/source-file';
import type { Compiler } from '../../project/load-typescript';
import { digestOfCode, unitsOf, type CodeUnit } from './code-units';

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
export function mergeFile(compiler: Compiler, source: MergedSource): MergedFile {
  const { existing, fresh, known, isUsed } = source;
  const freshUnits = unitsOf(compiler, fresh);
  const digests = Object.fromEntries([
    [WHOLE, digestOfCode(compiler, fresh)],
    ...freshUnits.map(({ name, digest }) => [name, digest] as const),
  ]);
  const done = { digests, conflicts: [], edited: [] };
  if (existing === undefined) return { ...done, text: fresh };
  const oldUnits = unitsOf(compiler, existing);
  const names = new Set(freshUnits.map(({ name }) => name));
  const isNeeded = ({ name }: CodeUnit): boolean => !names.has(name) && isUsed(name);
  if (digestOfCode(compiler, existing) === known[WHOLE] && !oldUnits.some(isNeeded))
    return { ...done, text: digests[WHOLE] === known[WHOLE] ? existing : fresh };
  const edited = oldUnits.filter(({ name, digest }) => known[name] !== digest).map(({ name }) => name);
  const conflicts = edited.filter(
    (name) => known[name] !== undefined && names.has(name) && digests[name] !== known[name],
  );
  const text = withUnits(compiler, { ...source, existing }, { oldUnits, freshUnits });
  return {
    text: withImports(compiler, text, fresh),
    digests,
    conflicts,
    edited: edited.filter((name) => known[name] !== undefined),
  };
}

interface BothUnits {
  readonly oldUnits: readonly CodeUnit[];
  readonly freshUnits: readonly CodeUnit[];
}

function withUnits(
  compiler: Compiler,
  { existing, known, isUsed }: MergedSource & { readonly existing: string },
  { oldUnits, freshUnits }: BothUnits,
): string {
  const fresh = new Map(freshUnits.map((each) => [each.name, each]));
  const old = new Set(oldUnits.map(({ name }) => name));
  const added = freshUnits.filter(({ name }) => !old.has(name) && (known[name] === undefined || isUsed(name)));
  let text = existing;
  // From the end, so that positions before stay right.
  for (const each of [...oldUnits].reverse()) {
    const newer = fresh.get(each.name);
    const isUntouched = known[each.name] === each.digest;
    if (newer && isUntouched && newer.digest !== each.digest)
      text = text.slice(0, each.start) + newer.text + text.slice(each.end);
    if (!newer && isUntouched && !isUsed(each.name))
      text =
        text.slice(0, each.start).replace(/[ \t]*$/, '') + text.slice(each.end).replace(/^(?:[ \t]*\r?\n){1,2}/, '');
  }
  for (const each of added) text = insertUnit(compiler, text, { unit: each, order: freshUnits });
  return text;
}

/** After the unit that stands before it in the newer version; else before the first unit. */
function insertUnit(
  compiler: Compiler,
  text: string,
  { unit, order }: { readonly unit: CodeUnit; readonly order: readonly CodeUnit[] },
): string {
  const there = unitsOf(compiler, text);
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

/** The imports that the text needs: those of the newer version that are missing, without those that nothing uses any more. */
function withImports(compiler: Compiler, text: string, fresh: string): string {
  const wanted = importsOf(compiler, fresh);
  const tree = compiler.createSourceFile('file.ts', text, compiler.ScriptTarget.Latest, true);
  const used = identifiersIn(compiler, tree);
  const own = importsOf(compiler, text);
  const known = new Set([...own.values()].flatMap(({ names }) => names.map(localName)));
  const insertions: Insertion[] = [];
  let result = text;
  const edits: { start: number; end: number; text: string }[] = [];
  for (const [module, { names, start, end }] of own) {
    const missing = (wanted.get(module)?.names ?? []).filter(
      (name) => used.has(localName(name)) && !known.has(localName(name)),
    );
    const rest =
      wanted.has(module) || module.startsWith('.') ? names.filter((name) => used.has(localName(name))) : names;
    if (missing.length === 0 && rest.length === names.length) continue;
    const all = [...rest, ...missing].sort((a, b) => (localName(a) < localName(b) ? -1 : 1));
    edits.push({ start, end, text: all.length === 0 ? '' : `import { ${all.join(', ')} } from '${module}';` });
  }
  for (const edit of edits.sort((a, b) => b.start - a.start)) {
    const after = edit.text === '' ? result.slice(edit.end).replace(/^\r?\n/, '') : result.slice(edit.end);
    result = result.slice(0, edit.start) + edit.text + after;
  }
  const newModules = [...wanted].filter(([module]) => !own.has(module));
  const at = lastImportEnd(compiler, result);
  for (const [module, { names }] of newModules) {
    const needed = names.filter((name) => used.has(localName(name)) && !known.has(localName(name)));
    if (needed.length > 0) insertions.push({ at, text: `\nimport { ${needed.join(', ')} } from '${module}';` });
  }
  return insertInto(result, insertions);
}

interface NamedImport {
  /** As they stand in the braces: `Tool`, `type Ref`. */
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The named imports of a file by their module. */
function importsOf(compiler: Compiler, text: string): Map<string, NamedImport> {
  const tree = compiler.createSourceFile('file.ts', text, compiler.ScriptTarget.Latest, true);
  return new Map(
    tree.statements.flatMap((node) => {
      if (!compiler.isImportDeclaration(node)) return [];
      const bindings = node.importClause?.namedBindings;
      const module = moduleOf(compiler, node);
      if (module === undefined || !bindings || !compiler.isNamedImports(bindings) || node.importClause?.name) return [];
      const names = bindings.elements.map((each) => each.getText(tree));
      return [[module, { names, start: node.getStart(tree), end: node.getEnd() }] as const];
    }),
  );
}

function localName(specifier: string): string {
  return (
    specifier
      .replace(/^type /, '')
      .split(/ as /)
      .at(-1) ?? specifier
  );
}

function identifiersIn(compiler: Compiler, tree: TypeScript.SourceFile): Set<string> {
  const found = new Set<string>();
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isImportDeclaration(node)) return;
    if (compiler.isIdentifier(node)) found.add(node.text);
    compiler.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function lastImportEnd(compiler: Compiler, text: string): number {
  const tree = compiler.createSourceFile('file.ts', text, compiler.ScriptTarget.Latest, true);
  return (
    tree.statements
      .filter((node) => compiler.isImportDeclaration(node))
      .at(-1)
      ?.getEnd() ?? 0
  );
}
