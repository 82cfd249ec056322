/** The imports that inserted code needs, added to existing import declarations or after them. */
import type * as TypeScript from 'typescript';
import { failure } from '../failure';
import type { Compiler } from '../project/load-typescript';
import { inStyle } from './code-style';
import type { Insertion, SourceFile } from './source-file';

/**
 * @param names that the code needs from a module; names that are already imported, also under an alias, are not imported again
 * @throws CliFailure if a name has another meaning in this file
 */
export function addImports(
  compiler: Compiler,
  file: SourceFile,
  module: string,
  names: readonly string[],
): readonly Insertion[] {
  const declarations = file.tree.statements.filter((each) => compiler.isImportDeclaration(each));
  const missing = names.filter((name) => importedName(compiler, file.tree, module, name) === undefined);
  if (missing.length === 0) return [];
  for (const name of missing) checkIsFree(file, name);
  const list = declarations
    .filter((each) => moduleOf(compiler, each) === module)
    .flatMap((each) => valueBindings(compiler, each) ?? [])
    .filter((each) => compiler.isNamedImports(each))
    .find(({ elements }) => elements.length > 0);
  if (!list) return [newImport(file, declarations, module, missing)];
  return missing.map((name) => extendImport(file, list, name));
}

/** @throws CliFailure if a file declares or imports the name already */
export function checkIsFree(file: SourceFile, name: string): void {
  // The tree holds every name that occurs in the file, but the compiler's declarations do not expose it.
  const { identifiers } = file.tree as unknown as { identifiers?: ReadonlyMap<string, string> };
  if (identifiers?.has(name) !== true) return;
  throw failure('SIGIL_ADD_NAME_TAKEN', { name, file: file.path });
}

/** Adds a name to an import list, which keeps its alphabetical order and its one name per line, if it had them. */
export function extendImport(file: SourceFile, list: TypeScript.NamedImports, name: string): Insertion {
  // The order is that of the exported names, as linters require.
  const exported = ({ propertyName, name: local }: TypeScript.ImportSpecifier): string => (propertyName ?? local).text;
  const names = list.elements.map(exported);
  const sorted = names.every((each, index) => index === 0 || before(names[index - 1] ?? '', each));
  const next = sorted ? list.elements.find((each) => before(name, exported(each))) : undefined;
  const neighbour = next ?? list.elements.at(-1) ?? list;
  const start = neighbour.getStart();
  const line = ownLine(file, start);
  const separator = line === undefined ? ', ' : `,${file.style.lineEnd}${line}`;
  return next ? { at: start, text: `${name}${separator}` } : { at: neighbour.getEnd(), text: `${separator}${name}` };
}

/** Behind the last element of a list, on a line of its own if that has one; undefined for an empty list. */
export function behind(file: SourceFile, list: readonly TypeScript.Node[], text: string): Insertion | undefined {
  const last = list.at(-1);
  if (!last) return undefined;
  const line = ownLine(file, last.getStart());
  const at = last.getEnd();
  if (line === undefined) return { at, text: `, ${text}` };
  // A comment at the end of its line stays there.
  const [comment = ''] = /^,[ \t]*\/\/[^\r\n]*/.exec(file.text.slice(at)) ?? [];
  if (comment !== '') return { at: at + comment.length, text: `${file.style.lineEnd}${line}${text},` };
  return { at, text: `,${file.style.lineEnd}${line}${text}` };
}

/** What indents the line of a position, if nothing else is before the position. */
export function ownLine({ text }: SourceFile, position: number): string | undefined {
  const line = text.slice(text.lastIndexOf('\n', position - 1) + 1, position);
  return line.trim() === '' ? line : undefined;
}

function before(a: string, b: string): boolean {
  return a.localeCompare(b, 'en') < 0;
}

function newImport(
  file: SourceFile,
  declarations: readonly TypeScript.ImportDeclaration[],
  module: string,
  names: readonly string[],
): Insertion {
  const line = inStyle(`import { ${names.join(', ')} } from '${module}';`, file.style);
  const last = declarations.at(-1);
  if (last) return { at: last.getEnd(), text: `${file.style.lineEnd}${line}` };
  return { at: file.tree.getFullStart(), text: `${line}${file.style.lineEnd}` };
}

/**
 * @param name that the module exports
 * @returns how this file refers to it: `Tool`, `T` after `{ Tool as T }`, `sigil.Tool` after `* as sigil`; undefined if
 *   it is not imported, or only as a type
 */
export function importedName(
  compiler: Compiler,
  tree: TypeScript.SourceFile,
  module: string,
  name: string,
): string | undefined {
  const bindings = tree.statements
    .filter((each) => compiler.isImportDeclaration(each))
    .filter((each) => moduleOf(compiler, each) === module)
    .flatMap((each) => valueBindings(compiler, each) ?? []);
  for (const binding of bindings.filter((each) => compiler.isNamedImports(each))) {
    const element = binding.elements.find((each) => !each.isTypeOnly && (each.propertyName ?? each.name).text === name);
    if (element) return element.name.text;
  }
  const namespace = bindings.find((each) => compiler.isNamespaceImport(each));
  return namespace && `${namespace.name.text}.${name}`;
}

/** @returns the bindings of an import, unless it imports only types or nothing */
export function valueBindings(
  compiler: Compiler,
  { importClause }: TypeScript.ImportDeclaration,
): TypeScript.NamedImportBindings | undefined {
  return importClause?.phaseModifier === compiler.SyntaxKind.TypeKeyword ? undefined : importClause?.namedBindings;
}

/** @returns the module of an import */
export function moduleOf(compiler: Compiler, { moduleSpecifier }: TypeScript.ImportDeclaration): string | undefined {
  return compiler.isStringLiteral(moduleSpecifier) ? moduleSpecifier.text : undefined;
}
