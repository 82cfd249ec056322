/** The imports of a written file: those that its code needs after a merge. */
import type * as TypeScript from 'typescript';
import { sources, type Insertion } from '@sigil-mcp/cli/kit';
import type { CodeReader } from './code-units';

/** The imports that the text needs: those of the newer version that are missing, without those that nothing uses any more. */
export function withImports(code: CodeReader, text: string, fresh: string): string {
  const wanted = importsOf(code, fresh);
  const used = identifiersIn(code, text);
  const own = importsOf(code, text);
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
  const at = lastImportEnd(code, result);
  for (const [module, { names }] of newModules) {
    const needed = names.filter((name) => used.has(localName(name)) && !known.has(localName(name)));
    if (needed.length > 0) insertions.push({ at, text: `\nimport { ${needed.join(', ')} } from '${module}';` });
  }
  return sources.insert(result, insertions);
}

/** One import. */
export interface NamedImport {
  /** As they stand in the braces: `Tool`, `type Ref`. */
  readonly names: readonly string[];
  readonly start: number;
  readonly end: number;
}

/** The named imports of a file by their module. */
export function importsOf(code: CodeReader, text: string): Map<string, NamedImport> {
  const { compiler } = code;
  const tree = code.treeOf(text);
  return new Map(
    tree.statements.flatMap((node) => {
      if (!compiler.isImportDeclaration(node)) return [];
      const bindings = node.importClause?.namedBindings;
      const module = sources.moduleOf(compiler, node);
      if (module === undefined || !bindings || !compiler.isNamedImports(bindings) || node.importClause?.name) return [];
      const names = bindings.elements.map((each) => each.getText(tree));
      return [[module, { names, start: node.getStart(tree), end: node.getEnd() }] as const];
    }),
  );
}

/** The name that an import has in its file. */
export function localName(specifier: string): string {
  return (
    specifier
      .replace(/^type /, '')
      .split(/ as /)
      .at(-1) ?? specifier
  );
}

/** Every identifier of a file, without its imports. */
export function identifiersIn(code: CodeReader, text: string): Set<string> {
  const { compiler } = code;
  const tree = code.treeOf(text);
  const found = new Set<string>();
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isImportDeclaration(node)) return;
    if (compiler.isIdentifier(node)) found.add(node.text);
    compiler.forEachChild(node, visit);
  };
  visit(tree);
  return found;
}

function lastImportEnd(code: CodeReader, text: string): number {
  const { compiler } = code;
  const tree = code.treeOf(text);
  return (
    tree.statements
      .filter((node) => compiler.isImportDeclaration(node))
      .at(-1)
      ?.getEnd() ?? 0
  );
}
