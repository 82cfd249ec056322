/** `sigil add openapi`: from a document to files in a project. The way of a run, from its first step to its last. */
import { relative, sep, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { sources, isSecretName, loadTokenizer, type ReadProject, type Shell } from '@sigil-mcp/cli/kit';
import { failure, wrongUsage } from './errors';
import { chooseOperations, uselessChoices, type PickOperations, type TypedChoice } from './choice/choose-operations';
import { documentUrl, readDocument } from './document/read-document';
import { CodeReader } from './merge/code-units';
import { compareLock, type Differences } from './merge/compare-lock';
import type { Lock, LockedChoice } from './merge/lock';
import type { ApiOperation, LeftOperation, Note, Remark } from './operations/operation';
import { readOperations } from './operations/read-operations';
import { apiNames } from './print/api-names';
import { changesOf, type ApiRun } from './plan-changes';
import { differenceWords } from './describe-differences';
import { describeRun, showChanges } from './report-run';
import { deletedOperations, findLocks, findPlace, importEnding } from './written-project';
import { uselessPatterns, NO_RULES, readRules, type Rules } from './plan/rules';
import { fetchText } from './document/fetch-text';
import { parseDocument } from './document/parse-document';

/** What was typed. */
export interface OpenApiOrder extends TypedChoice {
  /** A path or a URL; that of the lock if left out. */
  readonly document: string | undefined;
  readonly name: string | undefined;
  readonly rules: string | undefined;
  /** The address of the API. */
  readonly server: string | undefined;
  readonly isDryRun: boolean;
  readonly isCheck: boolean;
  /** Whether every remark is shown. */
  readonly allRemarks: boolean;
}

/** How a run talks and ends. */
export interface OpenApiRunOptions {
  readonly shell: Shell;
  readonly signal: AbortSignal;
  /** Undefined without a terminal. */
  readonly pick: PickOperations | undefined;
}

/** Adds an API to a project, or merges a newer document. @throws CliFailure before a file is changed */
export async function addOpenApi(project: ReadProject, order: OpenApiOrder, options: OpenApiRunOptions): Promise<void> {
  checkOrder(order);
  try {
    await runOrder(project, order, options);
  } catch (error) {
    // Nobody nests so deeply by hand, so that no walk of a document counts its levels.
    if (!(error instanceof RangeError) || !/call stack/i.test(error.message)) throw error;
    throw failure('SIGIL_OPENAPI_UNREADABLE', {
      document: order.document ?? 'The document',
      reason: 'it is nested too deeply',
    });
  }
}

async function runOrder(project: ReadProject, order: OpenApiOrder, options: OpenApiRunOptions): Promise<void> {
  const remarks: Remark[] = [];
  const { shell } = options;
  const note = (operation: string | undefined, text: string): void => void remarks.push({ operation, text });
  const { run, all, left } = await readRun(project, order, { ...options, note });
  const differences = compareLock(run, { all, left });
  if (order.isCheck) return check(shell, differences);
  const written = await changesOf(run, note);
  const changes = written.changes.filter(({ text, before }) => text !== before);
  if (order.isDryRun) return showChanges(shell, project, changes);
  sources.write(changes, project.folder);
  const keys = new Set(run.operations.map(({ key }) => key));
  const shown = remarks.filter(({ operation }) => operation === undefined || keys.has(operation));
  const countTokens = loadTokenizer(project.folder);
  const { allRemarks } = order;
  shell.print(describeRun({ run, written, all, left, differences, changes, remarks: shown, allRemarks, countTokens }));
}

interface ReadRun {
  readonly run: ApiRun;
  readonly all: readonly ApiOperation[];
  /** Chosen operations that cannot be tools. */
  readonly left: readonly LeftOperation[];
}

/** The document, the project and the choice. */
async function readRun(
  project: ReadProject,
  order: OpenApiOrder,
  { shell, signal, pick, note }: OpenApiRunOptions & { readonly note: Note },
): Promise<ReadRun> {
  const target = findTarget(project, order, shell.cwd);
  const url = documentUrl(target.document, target.isLocked ? project.folder : shell.cwd);
  const server = order.server ?? target.lock?.server;
  const document = await readDocument(url, server, signal);
  const names = apiNames(order.name ?? target.slug, document.title, importEnding(project));
  const code = new CodeReader(project.compiler);
  const { place, renamed } = findPlace(project, names, code);
  const { operations: all, left } = readOperations(document, note);
  const locked = place.lock?.choice;
  const path = rulesOf(project, order, { lock: place.lock, cwd: shell.cwd });
  const rules = await readRulesFile(path, project.folder, signal);
  const known = [...all, ...left.map(({ operation }) => operation)];
  for (const pattern of uselessPatterns(rules, known)) note(undefined, `no operation fits ${pattern} of the rules`);
  for (const each of uselessChoices(locked, known))
    note(undefined, `no operation fits ${each}, which was chosen before`);
  const usedPick = order.isCheck ? undefined : pick;
  const chosen = await chooseOperations({ operations: all, left }, { typed: order, rules, locked, pick: usedPick });
  const deleted = deletedOperations(project, place, code);
  const operations = chosen.operations.filter(({ key }) => !deleted.has(key));
  const choice: LockedChoice = { ...chosen.choice, rules: path };
  const source = sourceOf(project, url);
  return {
    run: { project, document, names, place, all, operations, rules, choice, deleted, source, server, code, renamed },
    all,
    left: chosen.left,
  };
}

function checkOrder({ name, server }: OpenApiOrder): void {
  if (name !== undefined && !/^[a-z][a-z0-9]*(?:-[a-z0-9]+)*$/.test(name))
    throw wrongUsage('SIGIL_OPENAPI_NAME', { name });
  if (server !== undefined && !/^https?:\/\/[^/?#\s]+/i.test(server))
    throw wrongUsage('SIGIL_OPENAPI_SERVER', { url: server });
}

interface DocumentTarget {
  readonly document: string;
  readonly slug: string | undefined;
  readonly lock: Lock | undefined;
  /** Whether the document is that of the lock, as a path below the project. */
  readonly isLocked: boolean;
}

/** The document that was typed, or that of the lock; the folder of a document that was added before. */
function findTarget(project: ReadProject, { document, name }: OpenApiOrder, cwd: string): DocumentTarget {
  const locks = findLocks(project).filter(({ slug }) => name === undefined || slug === name);
  if (document !== undefined) {
    const source = sourceOf(project, documentUrl(document, cwd));
    const same = locks.find(({ lock }) => lock.document.source === source);
    return { document, slug: same?.slug, lock: same?.lock, isLocked: false };
  }
  const [only, another] = locks;
  if (!only || another) throw wrongUsage('SIGIL_OPENAPI_NO_DOCUMENT');
  return { document: only.lock.document.source, slug: only.slug, lock: only.lock, isLocked: true };
}

/** Characters of the longest value in a query that is written down. */
const LONGEST_PLAIN = 24;

/** A URL without credentials, or a path from the project. What may be a key of the query is left empty: signed links are credentials, too. */
function sourceOf({ folder }: ReadProject, url: URL): string {
  if (url.protocol !== 'file:') {
    const plain = new URL(url);
    plain.username = '';
    plain.password = '';
    for (const [name, value] of [...plain.searchParams])
      if (isSecretName(name) || value.length > LONGEST_PLAIN) plain.searchParams.set(name, '');
    return plain.href;
  }
  return relative(folder, fileURLToPath(url)).replaceAll(sep, '/');
}

function rulesOf(
  { folder }: ReadProject,
  { rules }: OpenApiOrder,
  { lock, cwd }: { readonly lock: Lock | undefined; readonly cwd: string },
): string | undefined {
  if (rules === undefined) return lock?.choice.rules;
  return relative(folder, fileURLToPath(documentUrl(rules, cwd))).replaceAll(sep, '/');
}

function check(shell: Shell, differences: Differences): void {
  const words = differenceWords(differences);
  if (words.length === 0) return shell.print('The tools are those of the document.');
  for (const each of words) shell.print(`  ${each}`);
  throw failure('SIGIL_OPENAPI_CHANGED', {
    count: words.length === 1 ? 'one operation' : `${words.length} operations`,
  });
}

/** @param path below the folder; without one there are no rules */
async function readRulesFile(path: string | undefined, folder: string, signal: AbortSignal): Promise<Rules> {
  if (path === undefined) return NO_RULES;
  const text = await fetchText(pathToFileURL(resolve(folder, path)), signal);
  return readRules(text.trim() === '' ? {} : parseDocument(text, path), path);
}
