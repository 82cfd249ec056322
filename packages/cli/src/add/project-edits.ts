/** The changes of a project by one command: insertions into its files, and new files. All of them are made, or none. */
import { isObject } from '@sigil-mcp/base';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as TypeScript from 'typescript';
import { failure, type CliFailure } from '../failure';
import { shownPath } from '../project/find-project';
import { addImports, behind, importedName } from './add-imports';
import { inStyle } from './code-style';
import { SIGIL, type Piece } from './pieces';
import type { ReadProject } from './read-project';
import { checkParses, insertInto, type FileChange, type Insertion, type SourceFile } from './source-file';

/** An extension, by the function that makes it. */
export type NamedExtension = NonNullable<Piece['extension']>;

/** What is added to a file. */
interface FileEdits {
  /** Names by module. */
  readonly imports: Map<string, string[]>;
  readonly insertions: Insertion[];
}

/** Collects changes, in the order in which they are reported. */
export class ProjectEdits {
  readonly #files = new Map<SourceFile, FileEdits>();
  readonly #changes: (() => FileChange)[] = [];

  constructor(readonly project: ReadProject) {}

  /** Adds a file. @throws CliFailure if it exists */
  create(path: string, text: string): void {
    if (existsSync(path)) throw failure('SIGIL_ADD_FILE_TAKEN', { file: this.#shown(path) });
    this.add({ path, text });
  }

  /** Adds a change that is known whole. */
  add(change: FileChange): void {
    this.#changes.push(() => change);
  }

  /** Inserts a text into a file; several at one position keep their order. */
  insert(file: SourceFile, ...insertions: readonly Insertion[]): void {
    this.#editsOf(file).insertions.push(...insertions);
  }

  /** Imports a name where a file does not have it yet. @returns what the file calls it */
  import(file: SourceFile, module: string, name: string): string {
    const local = importedName(this.project.compiler, file.tree, module, name);
    const { imports } = this.#editsOf(file);
    if (local === undefined) imports.set(module, [...(imports.get(module) ?? []), name]);
    return local ?? name;
  }

  /**
   * Adds an entry to a list among the options of `createServer`, such as `extensions` or `modules`.
   * @param withoutList the failure if there is no such list; if left out, it is added
   * @throws CliFailure if `createServer` has no options to which it can be added
   */
  enter(list: string, call: string, withoutList?: CliFailure): void {
    const { compiler, server } = this.project;
    const { file, node } = server;
    const refused = withoutList ?? failure('SIGIL_ADD_NO_OPTIONS', { file: this.#shown(file.path), list, call });
    const [options] = node.arguments;
    if (!options || !compiler.isObjectLiteralExpression(options)) throw refused;
    const property = options.properties.find((each) => each.name?.getText() === list);
    if (!property) {
      if (withoutList) throw withoutList;
      return this.#append(file, options, options.properties, `${list}: [${call}]`);
    }
    if (!compiler.isPropertyAssignment(property) || !compiler.isArrayLiteralExpression(property.initializer))
      throw refused;
    this.#append(file, property.initializer, property.initializer.elements, call);
  }

  /**
   * Adds an extension to the server, unless it is there.
   * @param options what it is called with, as code
   * @throws CliFailure if `createServer` has no options to which it can be added
   */
  extend(extension: NamedExtension, options = ''): void {
    if (extensionCall(this.project, extension)) return;
    const { file } = this.project.server;
    const local = this.import(file, extension.module, extension.name);
    this.enter('extensions', `${local}(${inStyle(options, file.style)})`);
  }

  /** Adds a package to package.json; not if that names it, or names none of ours, as in a workspace. */
  depend({ module }: NamedExtension): void {
    const path = join(this.project.folder, 'package.json');
    const text = readFileSync(path, 'utf8');
    const manifest: unknown = JSON.parse(text);
    const dependencies = isObject(manifest) ? manifest['dependencies'] : undefined;
    if (!isObject(manifest) || !isObject(dependencies)) return;
    const range = dependencies[SIGIL];
    if (typeof range !== 'string' || dependencies[module] !== undefined) return;
    // A path names the folder of one package.
    const own = range.replaceAll('core', module.split('/').at(-1) ?? '');
    const known = Object.entries({ ...dependencies, [module]: own });
    const sorted = Object.fromEntries(known.sort(([one], [other]) => (one < other ? -1 : 1)));
    const indentation = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
    this.add({ path, text: `${JSON.stringify({ ...manifest, dependencies: sorted }, undefined, indentation)}\n` });
  }

  /** The changed files and the new ones. @throws CliFailure if a name has another meaning in a file, or a file would not parse */
  changes(): readonly FileChange[] {
    return this.#changes.map((change) => change());
  }

  #editsOf(file: SourceFile): FileEdits {
    const known = this.#files.get(file);
    if (known) return known;
    const edits: FileEdits = { imports: new Map(), insertions: [] };
    this.#files.set(file, edits);
    this.#changes.push(() => this.#changed(file, edits));
    return edits;
  }

  #changed(file: SourceFile, { imports, insertions }: FileEdits): FileChange {
    const { compiler } = this.project;
    const imported = [...imports].flatMap(([module, names]) => addImports(compiler, file, module, names));
    const text = insertInto(file.text, [...imported, ...insertions]);
    checkParses(compiler, text, this.#shown(file.path));
    return { path: file.path, text };
  }

  #append(file: SourceFile, holder: TypeScript.Node, members: readonly TypeScript.Node[], text: string): void {
    this.insert(file, behind(file, members, text) ?? { at: holder.getStart() + 1, text });
  }

  #shown(path: string): string {
    return shownPath(this.project.folder, path);
  }
}

/** The call among the extensions of the server that makes an extension; undefined if the server does not have it. */
export function extensionCall(
  { compiler, server }: ReadProject,
  { module, name }: NamedExtension,
): TypeScript.CallExpression | undefined {
  const made = importedName(compiler, server.file.tree, module, name);
  const [options] = server.node.arguments;
  const list = options && compiler.isObjectLiteralExpression(options) ? options.properties : [];
  const property = list.find((each) => each.name?.getText() === 'extensions');
  if (!property || !compiler.isPropertyAssignment(property)) return undefined;
  if (!compiler.isArrayLiteralExpression(property.initializer)) return undefined;
  const calls = property.initializer.elements.filter((each) => compiler.isCallExpression(each));
  return calls.find(({ expression }) => expression.getText() === made);
}
