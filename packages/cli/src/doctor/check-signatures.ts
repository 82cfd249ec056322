/**
 * The classes in decorated signatures, which the compiler emits: a type import has none, and of files that import each other, one is
 * loaded first, before the declarations of the other exist.
 */
import type * as TypeScript from 'typescript';
import { shownPath } from '../project/find-project';
import type { ProjectCheck, ReadSetup } from './read-setup';

/** An emitted type, with the member that it belongs to. */
interface EmittedType {
  readonly type: TypeScript.TypeReferenceNode;
  readonly member: TypeScript.ClassElement;
  /** Whether it is the return type of a method, which is emitted but never read. */
  readonly isReturned: boolean;
}

type ModuleFile = TypeScript.SourceFile;
/** A file -> the files that it loads, in order. */
type Loads = ReadonlyMap<ModuleFile, readonly ModuleFile[]>;

/** Checks that each class of a decorated signature exists when its metadata is written. */
export const circularImports: ProjectCheck = {
  title: 'Classes in decorated signatures are loaded before them',
  *find(setup) {
    const { files, folder } = setup;
    const loads = new Map(files.map((file) => [file, loadedBy(setup, file)]));
    const order = new Map(loadingOrder(files, loads).map((file, index) => [file, index]));
    for (const { type } of setup.classes().flatMap((node) => emittedTypes(setup, node))) {
      const other = classOf(setup, type)?.getSourceFile();
      const place = order.get(type.getSourceFile()) ?? 0;
      if (!other || !loads.has(other) || (order.get(other) ?? -1) <= place) continue;
      const name = type.typeName.getText();
      yield {
        problem: `${setup.positionOf(type)} needs the class ${name} of ${shownPath(folder, other.fileName)}, which is loaded later: the two files import each other.`,
        fix: `Move ${name}, or the code that imports it, to a separate file.`,
      };
    }
  },
};

/** Checks that classes in decorated signatures are imported as values. */
export const typeImports: ProjectCheck = {
  title: 'Classes in decorated signatures are imported as values',
  *find(setup) {
    const { compiler, checker } = setup;
    for (const emitted of setup.classes().flatMap((node) => emittedTypes(setup, node))) {
      const { type } = emitted;
      if (!isRead(setup, emitted) || !classOf(setup, type)) continue;
      const symbol = checker.getSymbolAtLocation(leftmost(compiler, type.typeName));
      const declared = symbol?.declarations?.find((each) => isTypeOnly(compiler, each));
      if (declared)
        yield {
          problem: `${setup.positionOf(type)} needs the class ${type.typeName.getText()}, which is imported as a type only.`,
          fix: `Import it without the word type, in ${setup.positionOf(declared)}.`,
        };
    }
  },
};

/** Whether Sigil reads a type: it does not read return types, nor parameters whose class is in the options. */
function isRead(setup: ReadSetup, { member, isReturned }: EmittedType): boolean {
  if (!setup.compiler.isMethodDeclaration(member)) return true;
  const texts = setup.decorators(member).map((each) => each.getText());
  return !isReturned && !texts.some((text) => /[{,]\s*input\s*[:,}]/.test(text));
}

function isTypeOnly(compiler: ReadSetup['compiler'], node: TypeScript.Declaration): boolean {
  if (compiler.isImportClause(node)) return node.phaseModifier === compiler.SyntaxKind.TypeKeyword;
  if (compiler.isNamespaceImport(node)) return isTypeOnly(compiler, node.parent);
  return compiler.isImportSpecifier(node) && (node.isTypeOnly || isTypeOnly(compiler, node.parent.parent));
}

/** The files that the compiled file loads: type imports are removed. */
function loadedBy({ compiler, program, settings }: ReadSetup, file: ModuleFile): ModuleFile[] {
  const compilerOptions = { ...settings, module: compiler.ModuleKind.ESNext, sourceMap: false };
  const { outputText } = compiler.transpileModule(file.text, { fileName: file.fileName, compilerOptions });
  const compiled = compiler.createSourceFile('compiled.js', outputText, compiler.ScriptTarget.Latest);
  return compiled.statements.flatMap((each) => {
    const specifier =
      compiler.isImportDeclaration(each) || compiler.isExportDeclaration(each) ? each.moduleSpecifier : undefined;
    if (!specifier || !compiler.isStringLiteral(specifier)) return [];
    const found = compiler.resolveModuleName(specifier.text, file.fileName, settings ?? {}, compiler.sys);
    return program.getSourceFile(found.resolvedModule?.resolvedFileName ?? '') ?? [];
  });
}

/** The order in which files run, beginning with those that no file imports: a file runs after the files that it loads. */
function loadingOrder(files: readonly ModuleFile[], loads: Loads): ModuleFile[] {
  const begun = new Set<ModuleFile>();
  const order: ModuleFile[] = [];
  const load = (file: ModuleFile): void => {
    if (begun.has(file)) return;
    begun.add(file);
    loads.get(file)?.forEach(load);
    order.push(file);
  };
  const imported = new Set([...loads.values()].flat());
  files.filter((file) => !imported.has(file)).forEach(load);
  files.forEach(load);
  return order;
}

/** The types of parameters of decorated members and constructors, of decorated properties, and the return types of decorated methods. */
function emittedTypes(setup: ReadSetup, node: TypeScript.ClassDeclaration): EmittedType[] {
  const { compiler } = setup;
  const isDecorated = (each: TypeScript.Node): boolean => setup.decorators(each).length > 0;
  const written = (member: TypeScript.ClassElement, type: TypeScript.TypeNode | undefined, isReturned = false) => {
    const alone = type && withoutNothing(compiler, type);
    return alone && compiler.isTypeReferenceNode(alone) ? [{ type: alone, member, isReturned }] : [];
  };
  return node.members.flatMap((member): EmittedType[] => {
    if (!isDecorated(compiler.isConstructorDeclaration(member) ? node : member)) return [];
    if (compiler.isPropertyDeclaration(member)) return written(member, member.type);
    const isMethod = compiler.isMethodDeclaration(member);
    if (!isMethod && !compiler.isConstructorDeclaration(member)) return [];
    const taken = member.parameters.flatMap(({ type }) => written(member, type));
    return isMethod ? [...taken, ...written(member, member.type, true)] : taken;
  });
}

/** `Note | undefined` is emitted as `Note`, and any other union as no class. */
function withoutNothing(compiler: ReadSetup['compiler'], type: TypeScript.TypeNode): TypeScript.TypeNode | undefined {
  if (compiler.isParenthesizedTypeNode(type)) return withoutNothing(compiler, type.type);
  if (!compiler.isUnionTypeNode(type)) return type;
  const [first, second] = type.types.filter((each) => !/^(undefined|null|never)$/.test(each.getText()));
  return first && !second ? withoutNothing(compiler, first) : undefined;
}

/** The class that a type names, if it names one. */
function classOf(
  { compiler, checker }: ReadSetup,
  { typeName }: TypeScript.TypeReferenceNode,
): TypeScript.ClassDeclaration | undefined {
  const symbol = checker.getSymbolAtLocation(typeName);
  if (!symbol) return undefined;
  const target = (symbol.flags & compiler.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  return target.declarations?.find((each) => compiler.isClassDeclaration(each));
}

/** The first part of a dotted name: `N` of `N.Note`. */
export function leftmost(compiler: ReadSetup['compiler'], name: TypeScript.EntityName): TypeScript.Identifier {
  return compiler.isIdentifier(name) ? name : leftmost(compiler, name.left);
}
