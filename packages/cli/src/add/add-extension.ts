/** Adds an extension to a server: a call in `extensions` of `createServer`, and its package in package.json. */
import { isObject } from '@sigil-mcp/base';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type * as TypeScript from 'typescript';
import { addImports } from './add-imports';
import { inStyle } from './code-style';
import { importedName } from './imported-name';
import { listEntry } from './list-entry';
import { SIGIL, type Piece } from './pieces';
import type { ReadProject } from './read-project';
import type { Insertion } from './source-file';
import type { FileChange } from './write-changes';

/** An extension, by the function that makes it. */
type NamedExtension = NonNullable<Piece['extension']>;

/**
 * The insertions into the file with `createServer`; none if the server has the extension.
 * @param options what it is called with, as code
 * @throws CliFailure if `createServer` has no options to which it can be added
 */
export function addExtension(
  project: ReadProject,
  { module, name }: NamedExtension,
  options = '',
): readonly Insertion[] {
  const { compiler, server } = project;
  if (extensionCall(project, { module, name })) return [];
  const { file } = server;
  const local = importedName(compiler, file.tree, module, name);
  const entry = listEntry(project, 'extensions', `${local ?? name}(${inStyle(options, file.style)})`);
  return [...addImports(compiler, file, module, [name]), entry];
}

/** The call among the extensions of the server that makes an extension; undefined if the server does not have it. */
export function extensionCall(
  { compiler, server }: ReadProject,
  { module, name }: NamedExtension,
): TypeScript.CallExpression | undefined {
  const made = importedName(compiler, server.file.tree, module, name);
  const list = server.node.arguments.flatMap((options) =>
    compiler.isObjectLiteralExpression(options) ? options.properties : [],
  );
  const property = list.find((each) => each.name?.getText() === 'extensions');
  if (!property || !compiler.isPropertyAssignment(property)) return undefined;
  if (!compiler.isArrayLiteralExpression(property.initializer)) return undefined;
  const calls = property.initializer.elements.filter((each) => compiler.isCallExpression(each));
  return calls.find(({ expression }) => expression.getText() === made);
}

/** The change of package.json; none if it names the package, or names none of ours, as in a workspace. */
export function addPackage({ folder }: ReadProject, { module }: NamedExtension): readonly FileChange[] {
  const path = join(folder, 'package.json');
  const text = readFileSync(path, 'utf8');
  const manifest: unknown = JSON.parse(text);
  if (!isObject(manifest)) return [];
  const { dependencies } = manifest;
  const range: unknown = isObject(dependencies) ? dependencies[SIGIL] : undefined;
  if (!isObject(dependencies) || typeof range !== 'string' || dependencies[module] !== undefined) return [];
  // A path names the folder of one package.
  const known = Object.entries({ ...dependencies, [module]: range.replaceAll('core', module.split('/').at(-1) ?? '') });
  const sorted = Object.fromEntries(known.sort(([one], [other]) => (one < other ? -1 : 1)));
  const indentation = /^[ \t]+/m.exec(text)?.[0] ?? '  ';
  const changed = JSON.stringify({ ...manifest, dependencies: sorted }, undefined, indentation);
  return [{ path, text: `${changed}\n` }];
}
