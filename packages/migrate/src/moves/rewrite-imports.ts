/** The imports of a moved file: those of the old package are replaced in place, others are extended. */
import type * as TypeScript from 'typescript';
import { sources } from '@sigil-mcp/cli/kit';
import { keeps } from './move-names';
import type { MovedFile } from '../files/moved-file';
import { CORE, NEST } from '../sources/packages';

/** Names that only the old package needed: they go with their last use. */
const RELEASED: Readonly<Record<string, readonly string[]>> = {
  '@nestjs/microservices': ['Payload', 'Ctx', 'RpcException', 'MicroserviceOptions'],
  '@modelcontextprotocol/sdk/types.js': ['Progress', 'McpError', 'ErrorCode'],
  '@modelcontextprotocol/sdk/types': ['Progress', 'McpError', 'ErrorCode'],
  '@nestjs/common': ['Controller', 'UseGuards'],
};

/**
 * Writes the imports.
 * @param released names of the program itself that may have had their last use
 */
export function rewriteImports(file: MovedFile, released: ReadonlySet<string>): void {
  const kept = keeps(file);
  const lines = [
    ...(kept.length > 0 ? [importLine(kept, file.from.package)] : []),
    ...[NEST, CORE].flatMap((module) => newLines(file, module)),
  ];
  const [first, ...others] = file.old.declarations;
  if (first && kept.length > 0)
    file.note(first, `${kept.join(', ')} stay: the authorization server belongs to the old package.`, 'authorization');
  const text = sources.inStyle(lines.join('\n'), file.source.style);
  if (first && text !== '') file.replace(first, text);
  else if (first) removeStatement(file, first);
  else if (text !== '') addAfterImports(file, text);
  for (const each of others) removeStatement(file, each);
  for (const [module, names] of file.wanted)
    if (module !== NEST && module !== CORE) for (const [name, local] of names) addTo(file, module, { name, local });
  releaseNames(file, released);
}

interface ImportedName {
  readonly name: string;
  readonly local: string;
}

function importLine(names: readonly string[], module: string): string {
  return `import { ${names.join(', ')} } from '${module}';`;
}

/** A line of imports; none if the file imports the module already, and can be extended. */
function newLines(file: MovedFile, module: string): string[] {
  const names = [...(file.wanted.get(module) ?? [])];
  if (names.length === 0) return [];
  const list = listOf(file, module);
  if (list) {
    for (const [name, local] of names) addTo(file, module, { name, local });
    return [];
  }
  const sorted = names.sort(([a], [b]) => a.localeCompare(b, 'en'));
  return [
    importLine(
      sorted.map(([name, local]) => (name === local ? name : `${name} as ${local}`)),
      module,
    ),
  ];
}

function listOf({ compiler, tree }: MovedFile, module: string): TypeScript.NamedImports | undefined {
  return tree.statements
    .filter((each) => compiler.isImportDeclaration(each))
    .filter((each) => sources.moduleOf(compiler, each) === module)
    .flatMap((each) => sources.valueBindings(compiler, each) ?? [])
    .filter((each) => compiler.isNamedImports(each))
    .find(({ elements }) => elements.length > 0);
}

function addTo(file: MovedFile, module: string, { name, local }: ImportedName): void {
  const text = name === local ? name : `${name} as ${local}`;
  const list = listOf(file, module);
  if (!list) return addAfterImports(file, sources.inStyle(importLine([text], module), file.source.style));
  const insertion = sources.extendImport(file.source, list, text);
  file.edits.insert(insertion.at, insertion.text);
}

function addAfterImports(file: MovedFile, text: string): void {
  const { compiler, tree } = file;
  const last = tree.statements.filter((each) => compiler.isImportDeclaration(each)).at(-1);
  const { lineEnd } = file.source.style;
  if (last) file.edits.insert(last.getEnd(), `${lineEnd}${text}`);
  else file.edits.insert(tree.getFullStart(), `${text}${lineEnd}`);
}

function removeStatement(file: MovedFile, node: TypeScript.Node): void {
  const end = node.getEnd();
  const rest = /^[ \t]*\r?\n/.exec(file.text.slice(end))?.[0].length ?? 0;
  file.edits.replace(node.getStart(), end + rest, '');
}

/** Takes names out that nothing uses any more. */
function releaseNames(file: MovedFile, own: ReadonlySet<string>): void {
  const { compiler, tree } = file;
  for (const declaration of tree.statements.filter((each) => compiler.isImportDeclaration(each))) {
    const module = sources.moduleOf(compiler, declaration) ?? '';
    const bindings = declaration.importClause?.namedBindings;
    if (file.wanted.has(module) || !bindings || !compiler.isNamedImports(bindings)) continue;
    const free = bindings.elements.filter(
      ({ name, propertyName }) =>
        (RELEASED[module]?.includes((propertyName ?? name).text) || (module.startsWith('.') && own.has(name.text))) &&
        !isUsedAfter(file, name.text, declaration),
    );
    if (free.length === 0) continue;
    if (free.length === bindings.elements.length) removeStatement(file, declaration);
    else {
      const left = bindings.elements.filter((each) => !free.includes(each)).map((each) => each.getText());
      file.replace(bindings, `{ ${left.join(', ')} }`);
    }
  }
}

/** Whether a name is still in the file when it was moved. */
function isUsedAfter(file: MovedFile, name: string, declaration: TypeScript.Node): boolean {
  const before = file.edits.apply(file.text, 0, declaration.getStart());
  const after = file.edits.apply(file.text, declaration.getEnd());
  return new RegExp(`\\b${name}\\b`).test(before + after);
}
