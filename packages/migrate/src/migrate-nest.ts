/** A project on another package for MCP in Nest -> the same project on `@sigil-mcp/nest`: reads it, and says what to write. */
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join, sep } from 'node:path';
import { markMicroserviceWords, guardsAround, moveAccess, moveGuardClass } from './moves/move-guards';
import { moveManifest } from './moves/move-manifest';
import { moveModules } from './moves/move-modules';
import { commentOnTheRest, moveTypes, moveValues } from './moves/move-names';
import { isHeadless, moveProgram } from './moves/move-program';
import { moveStrategies } from './moves/move-strategies';
import { MovedFile, type MoveKind } from './files/moved-file';
import { ProgramStrategies } from './moves/program-strategies';
import { projectFiles, type FoundSource } from './files/project-files';
import type { Source, PageName } from './sources/source';
import { rewriteImports } from './moves/rewrite-imports';
import { keepComments, linesOfNotices, writeComments } from './files/write-comments';
import type * as TypeScript from 'typescript';
import { sources, findProject, loadTypeScript, shownPath, type Compiler, type FileChange } from '@sigil-mcp/cli/kit';
import { failure } from './errors';
import { importsFrom } from './files/imported-names';
import { nodesIn, decoratorsOf, valueOf } from './files/syntax';
import { isEndpointController } from './moves/endpoint-controllers';
import { moveEntries } from './moves/move-entries';
import { CORE } from './sources/packages';

const COMMON = '@nestjs/common';

const ENTRY_DECORATORS = ['Tool', 'Resource', 'ResourceTemplate', 'Prompt'];

/** What the classes of a project are. */
interface ProjectClasses {
  /** Those that version 2 had among the controllers of modules. */
  readonly controllers: Set<string>;
  /** Those that owned the route of the endpoint. */
  readonly endpoints: Set<string>;
  /** Guards around entries. */
  readonly guards: Set<string>;
}

const REASON = 'REQUEST is the request of HTTP, as on routes: its member mcp is the McpContext of the call.';

const MISSING = 'REQUEST has no getContext: it is the request itself, and its member mcp is the McpContext.';

/** Something to do by hand, or to know, at its place in the moved file. */
export interface PlacedNotice {
  readonly kind: 'todo' | 'note';
  /** As `src/app.module.ts:12`. */
  readonly place: string;
  readonly reason: string;
  readonly page: PageName;
}

/** One file before and after. */
export interface MovedText extends FileChange {
  readonly shown: string;
  readonly before: string;
}

/** A project, moved; nothing is written yet. */
export interface Migration {
  readonly folder: string;
  readonly files: readonly MovedText[];
  readonly counts: ReadonlyMap<MoveKind, number>;
  readonly notices: readonly PlacedNotice[];
}

/** What is changed in addition. */
export interface MigrationOptions {
  /** The version of the new packages. */
  readonly version: string;
  /** The package that is left. */
  readonly from: Source;
}

/**
 * Moves a project in memory.
 * @throws CliFailure if it does not use that package, has no compiler, or a file does not parse, before or after
 */
export function migrateNest(place: string, { version, from }: MigrationOptions): Migration {
  const { folder } = findProject(place);
  const all = existsSync(folder) ? projectFiles(folder) : [];
  if (!all.some(({ text }) => uses(text, from)))
    throw failure('SIGIL_MIGRATE_NOTHING', { folder, package: from.package, name: from.name });
  const compiler = loadTypeScript(folder);
  const moved = moveFiles(compiler, folder, { all, from });
  const texts = new Map(moved.map((file) => [file.source.path, resultOf(compiler, file)]));
  const files = moved
    .map((file) => ({ file, text: texts.get(file.source.path) ?? file.text }))
    .filter(({ file, text }) => text !== file.text)
    .map(({ file, text }): MovedText => ({ path: file.source.path, shown: file.shown, before: file.text, text }));
  const now = all.map(({ path, text }) => ({ path, text: texts.get(path) ?? text }));
  const manifests = manifestsOf(folder, moved, from).flatMap((path) => {
    const sources = now.filter((each) => isWithin(dirname(path), each.path)).map(({ text }) => text);
    return movedManifest(folder, path, { sources, version, from });
  });
  return {
    folder,
    files: [...files, ...manifests],
    counts: sum(moved),
    notices: moved.flatMap((file) => placed(file, texts.get(file.source.path) ?? '')),
  };
}

function uses(text: string, { package: name }: Source): boolean {
  return ["'", '"'].some((quote) => text.includes(`${quote}${name}${quote}`) || text.includes(`${quote}${name}/`));
}

interface Moving {
  readonly all: readonly FoundSource[];
  readonly from: Source;
}

/** The package as a project uses it: errors are masked in all files of version 2. */
function usedBy(all: readonly FoundSource[], from: Source): Source {
  const isVersion2 = all.some(({ text }) => uses(text, from) && /\bMcp(?:Controller|Strategy)\b/.test(text));
  return isVersion2 ? { ...from, tellsErrors: 'never' } : from;
}

function moveFiles(compiler: Compiler, folder: string, { all, from: given }: Moving): MovedFile[] {
  const from = usedBy(all, given);
  const files = new Map<string, MovedFile>();
  const open = ({ path }: FoundSource): MovedFile => {
    const shown = shownPath(folder, path);
    const file = files.get(path) ?? new MovedFile(compiler, sources.read(compiler, path, shown), shown, from);
    files.set(path, file);
    return file;
  };
  const own = all.filter(({ text }) => uses(text, from)).map(open);
  const classes: ProjectClasses = { controllers: new Set(), endpoints: new Set(), guards: new Set() };
  const strategies = new ProgramStrategies();
  for (const file of own) {
    readClasses(file, classes);
    strategies.read(file);
  }
  for (const source of all) if (/connectMicroservice/.test(source.text)) strategies.readConnected(open(source));
  const others = all
    .filter(({ text }) => !uses(text, from) && (concerns(text, classes) || concernsVersion2(text, strategies)))
    .map(open);
  const texts = all.map(({ text }) => text);
  const facts = { ...classes, isHeadless: texts.some(isHeadless) };
  const hasPrefix = texts.some((text) => text.includes('setGlobalPrefix'));
  for (const file of [...own, ...others]) {
    moveClasses(file, classes);
    moveTypes(file);
    moveValues(file);
    moveModules(file, facts);
    moveStrategies(file, { strategies, controllers: classes.controllers, hasPrefix });
    if (from.hasTransports) moveProgram(file, strategies.namesIn(file));
    if (strategies.isVersion2) for (const mark of [markRequestTokens, markMicroserviceWords]) mark(file);
    commentOnTheRest(file);
    rewriteImports(file, strategies.namesIn(file));
    keepComments(file);
    writeComments(file);
  }
  return [...own, ...others];
}

/** Whether a file has a class, a module or a program that is moved although it does not name the old package. */
function concerns(text: string, { controllers, guards }: ProjectClasses): boolean {
  if ([...guards].some((name) => new RegExp(`class ${name}\\b`).test(text))) return true;
  return /@Module\(/.test(text) && [...controllers].some((name) => text.includes(name));
}

function concernsVersion2(text: string, strategies: ProgramStrategies): boolean {
  if (strategies.isVersion2 && /NestFactory/.test(text) && /strategy/.test(text)) return true;
  if (strategies.isVersion2 && /\bswitchToRpc\b|['"]rpc['"]/.test(text)) return true;
  return strategies.isNamedIn(text) || (strategies.isVersion2 && /@Inject\(\s*\w*REQUEST\s*\)/.test(text));
}

function resultOf(compiler: Compiler, file: MovedFile): string {
  if (file.edits.isEmpty) return file.text;
  const text = file.edits.apply(file.text);
  sources.check(compiler, text, `${file.shown} (as it would be written)`);
  return text;
}

/** The `package.json` of the project, and of packages within it that are moved: those that name the old package, if there are some. */
function manifestsOf(folder: string, moved: readonly MovedFile[], from: Source): string[] {
  const folders = new Set([folder]);
  for (const { source } of moved) {
    let place = dirname(source.path);
    while (isWithin(folder, place) && !existsSync(join(place, MANIFEST))) place = dirname(place);
    if (isWithin(folder, place)) folders.add(place);
  }
  const all = [...folders].map((each) => join(each, MANIFEST)).filter((path) => existsSync(path));
  const naming = all.filter((path) => readFileSync(path, 'utf8').includes(`"${from.package}"`));
  return naming.length > 0 ? naming : all.slice(0, 1);
}

const MANIFEST = 'package.json';

function isWithin(folder: string, path: string): boolean {
  return path.startsWith(folder + sep);
}

function movedManifest(folder: string, path: string, used: Parameters<typeof moveManifest>[1]): MovedText[] {
  const before = readFileSync(path, 'utf8');
  const text = moveManifest(before, used);
  return text === before ? [] : [{ path, shown: shownPath(folder, path), before, text }];
}

function sum(files: readonly MovedFile[]): Map<MoveKind, number> {
  const counts = new Map<MoveKind, number>();
  for (const file of files) for (const [what, count] of file.counts) counts.set(what, (counts.get(what) ?? 0) + count);
  return counts;
}

function placed(file: MovedFile, text: string): PlacedNotice[] {
  return linesOfNotices(file, text).map(({ notice: { kind, reason, page }, line }) => ({
    ...{ kind, reason, page },
    place: `${file.shown}:${line}`,
  }));
}

/** Marks where a class with entries, or one that asks for the context, has it injected; elsewhere that is only reported. */
function markRequestTokens(file: MovedFile): void {
  const { compiler, tree } = file;
  const core = importsFrom(compiler, tree, '@nestjs/core');
  for (const decorator of nodesIn(file, tree, compiler.isDecorator)) {
    const { expression, parent } = decorator;
    if (!compiler.isCallExpression(expression) || expression.expression.getText() !== 'Inject') continue;
    if (core.exportedOf(expression.arguments[0]) !== 'REQUEST') continue;
    if (!compiler.isParameter(parent) && !compiler.isPropertyDeclaration(parent)) continue;
    const owner = compiler.findAncestor(decorator, compiler.isClassDeclaration);
    if (!owner) continue;
    const asked = contextsOf(file, owner, parent.name.getText());
    for (const node of asked) file.todo(node, MISSING, 'requestScope');
    if (asked.length > 0 || hasEntries(file, owner)) file.todo(decorator, REASON, 'requestScope');
    else file.note(decorator, REASON, 'requestScope');
  }
}

/** The names `getContext` behind an injected request. */
function contextsOf(file: MovedFile, owner: TypeScript.ClassDeclaration, name: string): TypeScript.Node[] {
  const { compiler } = file;
  return nodesIn(file, owner, compiler.isPropertyAccessExpression)
    .filter((each) => each.name.text === 'getContext')
    .filter(({ expression }) => [name, `this.${name}`].includes(expression.getText()))
    .map((each) => each.name);
}

/** Adds what the classes of a file say of others. */
function readClasses(file: MovedFile, { controllers, endpoints, guards }: ProjectClasses): void {
  for (const node of nodesIn(file, file.tree, file.compiler.isClassDeclaration)) {
    if (decoratorsOf(file, node, 'McpController').length > 0 && node.name) controllers.add(node.name.text);
    if (node.name && isEndpointController(file, node)) endpoints.add(node.name.text);
    if (hasEntries(file, node)) for (const guard of guardsAround(file, node)) guards.add(guard);
  }
}

/** Moves the classes of a file. */
function moveClasses(file: MovedFile, { guards }: ProjectClasses): void {
  for (const node of nodesIn(file, file.tree, file.compiler.isClassDeclaration)) {
    moveController(file, node);
    moveAccess(file, node);
    moveEntries(file, node);
    if (node.name && guards.has(node.name.text)) moveGuardClass(file, node);
  }
}

/** Whether a class has tools, resources or prompts of the old package. */
function hasEntries(file: MovedFile, node: TypeScript.ClassDeclaration): boolean {
  const methods = node.members.filter((each) => file.compiler.isMethodDeclaration(each));
  return methods.some((method) => ENTRY_DECORATORS.some((name) => decoratorsOf(file, method, name).length > 0));
}

/** `@McpController()` is `@Feature()`; with a scope it is `@Injectable({ scope })`. */
function moveController(file: MovedFile, node: TypeScript.ClassDeclaration): void {
  const { compiler } = file;
  for (const { call } of decoratorsOf(file, node, 'McpController')) {
    file.handled.add(call.expression);
    const [options] = call.arguments;
    if (!options) {
      file.replace(call.expression, file.want(CORE, 'Feature'));
      continue;
    }
    const literal = compiler.isObjectLiteralExpression(options) ? options : undefined;
    const kept = ['scope', 'durable'].flatMap((name) => {
      const value = literal && valueOf(file, literal, name);
      return value ? [`${name}: ${value.getText()}`] : [];
    });
    // What else there may be is of a route, or the server, which names the class.
    const [now, given] = kept.length > 0 ? ['Injectable', `{ ${kept.join(', ')} }`] : ['Feature', ''];
    file.replace(call, `${file.want(kept.length > 0 ? COMMON : CORE, now)}(${given})`);
  }
}
