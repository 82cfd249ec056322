/** The chosen operations -> the files that change: planned, printed, formatted, and merged with what is there. */
import { isObject } from '@sigil-mcp/base';
import { existsSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import type { Rules } from './plan/rules';
import type { ApiDocument } from './document/read-document';
import { leftFeatures, leftFiles, type LeftFeature } from './left-files';
import { writeLock, type Lock, type LockedChoice, type LockedOperation } from './merge/lock';
import type { CodeReader } from './merge/code-units';
import { mergeFiles, type FreshFile, type MergedAt } from './merge/merge-files';
import type { RenamedMethod } from './merge/renamed-methods';
import { digestOperation } from './operations/operation-digest';
import type { Note, ApiOperation } from './operations/operation';
import { planFeatures, type ApiPlan } from './plan/plan-features';
import type { ApiNames } from './print/api-names';
import { printClient } from './print/print-client';
import { planCredentials, type CredentialPlan } from './print/plan-credentials';
import { printCredentials, type PrintedCredentials } from './print/print-credentials';
import { printFeatures, printModule, type PrintedFile } from './print/print-files';
import { printSpec } from './print/print-spec';
import type { ApiPlace } from './written-project';
import { createRequire } from 'node:module';
import { pathToFileURL } from 'node:url';
import { sources, ProjectEdits, shownPath, type FileChange, type ReadProject } from '@sigil-mcp/cli/kit';

/** A file with its text before; undefined if it is new. */
export interface ApiChange extends FileChange {
  readonly before: string | undefined;
}

/** Formats the text of a file with this path. */
type FormatCode = (path: string, text: string) => Promise<string>;

interface Prettier {
  readonly format: (text: string, options: object) => Promise<string>;
  readonly resolveConfig: (path: string) => Promise<object | null>;
}

/** Everything that a run has read. */
export interface ApiRun {
  readonly project: ReadProject;
  readonly document: ApiDocument;
  readonly names: ApiNames;
  readonly place: ApiPlace;
  /** Every operation of the document that can be a tool. */
  readonly all: readonly ApiOperation[];
  /** Those that become tools. */
  readonly operations: readonly ApiOperation[];
  readonly rules: Rules;
  readonly choice: LockedChoice;
  /** Operations whose methods a person has deleted. */
  readonly deleted: ReadonlySet<string>;
  /** The document, as the lock names it. */
  readonly source: string;
  readonly server: string | undefined;
  readonly code: CodeReader;
  readonly renamed: readonly RenamedMethod[];
}

/** What a run writes. */
export interface WrittenApi {
  readonly plan: ApiPlan;
  readonly changes: readonly ApiChange[];
  readonly merged: readonly MergedAt[];
  /** Features of the last run without an operation. */
  readonly left: readonly LeftFeature[];
  readonly credentials: PrintedCredentials;
  /** Whether the code is formatted as the project's is. */
  readonly isFormatted: boolean;
}

/** Plans the changes. Nothing is written. @param note takes what tools cannot say as the document does */
export async function changesOf(run: ApiRun, note: Note): Promise<WrittenApi> {
  const { project, document, names, place, operations, rules } = run;
  const { lock } = place;
  const plan = planFeatures(
    {
      ...{ operations, pointers: document.pointers, rules, tagTexts: tagTexts(document) },
      known: { tools: namesOf(lock, 'tool'), features: namesOf(lock, 'feature'), classes: lock?.classes ?? {} },
      reserved: [`${names.pascal}Client`, `${names.pascal}Settings`, `${names.pascal}Request`],
      member: names.member,
    },
    note,
  );
  const planned = planCredentials({ document, variable: names.variable, all: run.all }, note);
  const credentials = printCredentials(planned, names, document.server);
  const left = leftFeatures(run, plan.features);
  const format = await findFormatter(project.folder);
  const fresh = await Promise.all(
    printed(run, plan, { credentials, planned, left, note }).map(async ({ path, text }): Promise<FreshFile> => {
      const formatted = format ? await format(path, text) : text;
      return { path, shown: shownPath(project.folder, path), text: formatted };
    }),
  );
  const merged = mergeFiles(run.code, [...fresh, ...leftFiles(run, fresh)], lock?.code ?? {});
  const changes = merged.map(({ path, text, existing }) => ({ path, text, before: existing }));
  const others = [serverChange(run), withVariables(project.folder, credentials.variables)].filter(
    (each) => each !== undefined,
  );
  const lockFile = lockChange(run, plan, merged);
  const lockText = format ? await format(lockFile.path, lockFile.text) : lockFile.text;
  return {
    plan,
    changes: [...changes, ...others, { ...lockFile, text: lockText }],
    merged,
    left,
    credentials,
    isFormatted: format !== undefined,
  };
}

interface Printing {
  readonly credentials: PrintedCredentials;
  readonly planned: CredentialPlan;
  readonly left: readonly LeftFeature[];
  readonly note: Note;
}

/** Every file with its whole path. */
function printed(
  { names, place }: ApiRun,
  plan: ApiPlan,
  { credentials, planned, left, note }: Printing,
): PrintedFile[] {
  const { folder, tests, way, ending } = place;
  const client = printClient(names, credentials, { way, ending });
  const specs = plan.features.map((feature) => {
    const { text, untested } = printSpec(feature, names, way);
    for (const { operation, name } of untested)
      note(operation.key, `the spec does not call ${name}: no sample fits its arguments or its answer`);
    return { path: `${names.slug}-${feature.slug}.${ending}.ts`, text };
  });
  const source = [
    ...client.source,
    ...printFeatures(plan, { names, neededBy: planned.neededBy }),
    {
      path: `${names.slug}.module.ts`,
      text: printModule([...plan.features, ...left.filter(({ isEdited }) => isEdited)], names),
    },
  ];
  const below = (root: string) => (file: PrintedFile) => ({ ...file, path: join(root, file.path) });
  return [...source.map(below(folder)), ...[...client.tests, ...specs].map(below(tests))];
}

function namesOf(lock: Lock | undefined, kind: 'tool' | 'feature'): Record<string, string> {
  return Object.fromEntries(Object.entries(lock?.operations ?? {}).map(([key, locked]) => [key, locked[kind]]));
}

/** The module in `createServer`; undefined if it is there already. */
function serverChange({ project, names, place }: ApiRun): ApiChange | undefined {
  const { file } = project.server;
  const name = `${names.api}Module`;
  if (new RegExp(`\\b${name}\\b`).test(file.text)) return undefined;
  const way = sources.wayTo(dirname(file.path), join(place.folder, `${names.slug}.module.ts`), names.js !== '');
  const edits = new ProjectEdits(project);
  edits.enter('modules', `${edits.import(file, way, name)}()`);
  const [change] = edits.changes();
  return change && { ...change, before: file.text };
}

function lockChange(run: ApiRun, plan: ApiPlan, merged: readonly MergedAt[]): ApiChange {
  const { document, operations, choice, deleted, source, place, server } = run;
  const features = new Map(
    plan.features.flatMap(({ slug, tools }) => tools.map((tool) => [tool.operation.key, { slug, tool }] as const)),
  );
  const written = operations.map((operation): [string, LockedOperation] => {
    const at = features.get(operation.key);
    return [
      operation.key,
      { tool: at?.tool.name ?? '', feature: at?.slug ?? '', ...digestOperation(operation, document.pointers) },
    ];
  });
  const before = Object.entries(place.lock?.operations ?? {}).filter(([key]) => deleted.has(key));
  const text = writeLock({
    document: { source, title: document.title, version: document.version, digest: document.digest },
    server,
    choice,
    operations: Object.fromEntries([...before, ...written]),
    classes: plan.classNames,
    code: Object.fromEntries(merged.map(({ shown, digests }) => [shown, { ...keptDigests(run, shown), ...digests }])),
  });
  const { lockPath } = place;
  return { path: lockPath, text, before: existsSync(lockPath) ? readFileSync(lockPath, 'utf8') : undefined };
}

/** Of methods that a person has deleted: they are not written again. */
function keptDigests({ deleted, place: { lock } }: ApiRun, shown: string): Record<string, string> {
  const tools = [...deleted].map((key) => lock?.operations[key]?.tool);
  const known = Object.entries(lock?.code[shown] ?? {});
  return Object.fromEntries(known.filter(([name]) => tools.includes(name.split('.')[1])));
}

function tagTexts({ root }: ApiDocument): ReadonlyMap<string, string> {
  const { tags } = root;
  const list: readonly unknown[] = Array.isArray(tags) ? tags : [];
  return new Map(
    list
      .filter(isObject)
      .flatMap(({ name, description }) =>
        typeof name === 'string' && typeof description === 'string' ? [[name, description] as const] : [],
      ),
  );
}

/** Adds those that are missing, commented out; undefined if none is. */
function withVariables(
  folder: string,
  variables: readonly (readonly [name: string, purpose: string])[],
): ApiChange | undefined {
  const path = join(folder, '.env.example');
  const before = existsSync(path) ? readFileSync(path, 'utf8') : undefined;
  const missing = variables.filter(([name]) => !new RegExp(`^#?\\s*${name}=`, 'm').test(before ?? ''));
  if (missing.length === 0) return undefined;
  const lines = missing.map(
    ([name, purpose]) => `# ${purpose.charAt(0).toUpperCase()}${purpose.slice(1)}.\n#${name}=\n`,
  );
  const start = before === undefined || before === '' ? '' : `${before.trimEnd()}\n\n`;
  return { path, text: `${start}${lines.join('')}`, before };
}

/** Finds the formatter of a project; undefined without one. */
async function findFormatter(folder: string): Promise<FormatCode | undefined> {
  const prettier = await loadPrettier(folder);
  if (!prettier) return undefined;
  return async (path, text) => prettier.format(text, { ...(await prettier.resolveConfig(path)), filepath: path });
}

async function loadPrettier(folder: string): Promise<Prettier | undefined> {
  try {
    const path = createRequire(join(folder, 'package.json')).resolve('prettier');
    const loaded: unknown = await import(pathToFileURL(path).href);
    const module = isObject(loaded) && isObject(loaded['default']) ? { ...loaded['default'], ...loaded } : loaded;
    return isPrettier(module) ? module : undefined;
  } catch {
    return undefined;
  }
}

function isPrettier(module: unknown): module is Prettier {
  return isObject(module) && typeof module['format'] === 'function' && typeof module['resolveConfig'] === 'function';
}
