/** The facts that `sigil add` needs about a project: its features, and the place where its server is created. */
import { existsSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type * as TypeScript from 'typescript';
import { failure, type CliFailure } from '../failure';
import { findProject, shownPath } from '../project/find-project';
import { loadTypeScript, type Compiler } from '../project/load-typescript';
import { nodesOf } from '../project/parsed-sources';
import { importedName } from './add-imports';
import { SIGIL } from './pieces';
import { readSource, type SourceFile } from './source-file';

/** A class with `@Feature()`. */
export interface FeatureClass {
  readonly name: string;
  readonly file: SourceFile;
  readonly node: TypeScript.ClassDeclaration;
}

/** The call of `createServer`. */
export interface ServerCall {
  readonly file: SourceFile;
  readonly node: TypeScript.CallExpression;
  /** The exported constant that holds the server. */
  readonly exportedAs: string | undefined;
}

/** A project, with the facts that `sigil add` needs. */
export interface ReadProject {
  readonly folder: string;
  readonly compiler: Compiler;
  /** Whether its files are ES modules, whose imports name compiled files. */
  readonly esm: boolean;
  readonly features: readonly FeatureClass[];
  readonly server: ServerCall;
}

/**
 * @param from a folder in the project
 * @throws CliFailure if a file does not parse, or if there is no server or more than one
 */
export function readProject(from: string): ReadProject {
  const { folder, esm } = findProject(from);
  const source = join(folder, 'src');
  if (!existsSync(join(folder, 'package.json')) || !existsSync(source)) throw withoutServer(folder);
  const compiler = loadTypeScript(folder);
  const files = sourcesUnder(source).map((path) => readSource(compiler, path, shownPath(folder, path)));
  const servers = files.flatMap((file) => serversIn(compiler, file));
  const candidates = servers.some(({ exportedAs }) => exportedAs) ? servers.filter((each) => each.exportedAs) : servers;
  const [server, another] = candidates;
  if (!server) throw withoutServer(folder);
  if (another) {
    const shown = candidates.map(({ file }) => shownPath(folder, file.path));
    throw failure('SIGIL_ADD_SERVERS', { files: shown.join(', ') });
  }
  return { folder, compiler, esm, server, features: files.flatMap((file) => featuresIn(compiler, file)) };
}

function withoutServer(folder: string): CliFailure {
  return failure('SIGIL_ADD_SERVER', { folder: join(folder, 'src') });
}

function sourcesUnder(folder: string): string[] {
  return readdirSync(folder, { withFileTypes: true }).flatMap((entry) => {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) return entry.name === 'node_modules' ? [] : sourcesUnder(path);
    return /\.ts$/.test(entry.name) && !/\.(d|spec|test)\.ts$/.test(entry.name) ? [path] : [];
  });
}

function featuresIn(compiler: Compiler, file: SourceFile): FeatureClass[] {
  const feature = importedName(compiler, file.tree, SIGIL, 'Feature') ?? 'Feature';
  return file.tree.statements.flatMap((node) => {
    if (!compiler.isClassDeclaration(node) || !node.name) return [];
    const decorators = compiler.getDecorators(node) ?? [];
    const marked = decorators.some(
      ({ expression }) => compiler.isCallExpression(expression) && isCalled(expression, feature),
    );
    return marked ? [{ name: node.name.text, file, node }] : [];
  });
}

function serversIn(compiler: Compiler, file: SourceFile): ServerCall[] {
  const createServer = importedName(compiler, file.tree, SIGIL, 'createServer') ?? 'createServer';
  return nodesOf(compiler, file.tree)
    .filter((node) => compiler.isCallExpression(node))
    .filter((node) => isCalled(node, createServer))
    .map((node) => ({ file, node, exportedAs: exportedName(compiler, node) }));
}

function isCalled({ expression }: TypeScript.CallExpression, name: string): boolean {
  return expression.getText() === name;
}

function exportedName(compiler: Compiler, { parent }: TypeScript.Node): string | undefined {
  if (!compiler.isVariableDeclaration(parent) || !compiler.isIdentifier(parent.name)) return undefined;
  const statement = parent.parent.parent;
  if (!compiler.isVariableStatement(statement)) return undefined;
  const exported = statement.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword);
  return exported ? parent.name.text : undefined;
}
