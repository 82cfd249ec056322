/** Files that import each other: one of them is loaded first, before the declarations of the other exist. */
import type * as TypeScript from 'typescript';
import { shownPath } from '../project/shown-path';
import type { ProjectCheck, Finding } from './check';
import { ownFiles, positionOf } from './own-sources';
import type { ReadSetup } from './read-setup';

/** An emitted type, with the member that it belongs to. */
export interface EmittedType {
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
  find: (setup) => {
    // The checker sets the parents of all nodes.
    setup.program.getTypeChecker();
    const files = ownFiles(setup);
    const loads = new Map(files.map((file) => [file, loadedBy(setup, file)]));
    const place = new Map(loadingOrder(files, loads).map((file, index) => [file, index]));
    const isLate = (file: ModuleFile, other: ModuleFile): boolean => (place.get(other) ?? -1) > (place.get(file) ?? 0);
    return files.flatMap((file) => lateClasses(setup, file, loads, isLate));
  },
};

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

function lateClasses(
  setup: ReadSetup,
  file: ModuleFile,
  loads: Loads,
  isLate: (file: ModuleFile, other: ModuleFile) => boolean,
): Finding[] {
  const { compiler, folder } = setup;
  const findings: Finding[] = [];
  const visit = (node: TypeScript.Node): void => {
    if (compiler.isClassDeclaration(node)) {
      for (const { type } of emittedTypes(setup, node)) {
        const other = classOf(setup, type)?.getSourceFile();
        if (!other || !loads.has(other) || !isLate(file, other)) continue;
        const name = type.typeName.getText();
        findings.push({
          problem: `${positionOf(setup, type)} needs the class ${name} of ${shownPath(folder, other.fileName)}, which is loaded later: the two files import each other.`,
          fix: `Move ${name}, or the code that imports it, to a separate file.`,
        });
      }
    }
    compiler.forEachChild(node, visit);
  };
  visit(file);
  return findings;
}

/** The types of parameters of decorated members and constructors, of decorated properties, and the return types of decorated methods. */
export function emittedTypes({ compiler }: ReadSetup, node: TypeScript.ClassDeclaration): EmittedType[] {
  const isDecorated = (each: TypeScript.Node): boolean =>
    compiler.canHaveDecorators(each) && (compiler.getDecorators(each) ?? []).length > 0;
  const written = (member: TypeScript.ClassElement, type: TypeScript.TypeNode | undefined, isReturned = false) => {
    const alone = type && withoutNothing(compiler, type);
    return alone && compiler.isTypeReferenceNode(alone) ? [{ type: alone, member, isReturned }] : [];
  };
  return node.members.flatMap((member): EmittedType[] => {
    if (compiler.isConstructorDeclaration(member) && isDecorated(node)) {
      return member.parameters.flatMap(({ type }) => written(member, type));
    }
    if (compiler.isMethodDeclaration(member) && isDecorated(member)) {
      return [...member.parameters.flatMap(({ type }) => written(member, type)), ...written(member, member.type, true)];
    }
    return compiler.isPropertyDeclaration(member) && isDecorated(member) ? written(member, member.type) : [];
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
export function classOf(
  { compiler, program }: ReadSetup,
  { typeName }: TypeScript.TypeReferenceNode,
): TypeScript.ClassDeclaration | undefined {
  const checker = program.getTypeChecker();
  const symbol = checker.getSymbolAtLocation(typeName);
  if (!symbol) return undefined;
  const target = (symbol.flags & compiler.SymbolFlags.Alias) === 0 ? symbol : checker.getAliasedSymbol(symbol);
  return target.declarations?.find((each) => compiler.isClassDeclaration(each));
}

/** The first part of a dotted name: `N` of `N.Note`. */
export function leftmost(compiler: ReadSetup['compiler'], name: TypeScript.EntityName): TypeScript.Identifier {
  return compiler.isIdentifier(name) ? name : leftmost(compiler, name.left);
}
