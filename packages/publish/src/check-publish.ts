/** `sigil publish --check`: everything that is published says the same, and what npm would pack starts in an empty folder. */
import { existsSync, readFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { applyEdits, modify } from 'jsonc-parser';
import { isObject } from '@sigil-mcp/base';
import {
  compileApart,
  findMain,
  hasEntry,
  readEnvExample,
  reasonOf,
  type ProgramTarget,
  type Shell,
} from '@sigil-mcp/cli/kit';
import { installPacked } from './unpacked-package';
import { readPackageFacts, type PackageFacts } from './package-facts';
import { valuesFor } from './pack-server';
import {
  findServerJsonProblems,
  packagesOf,
  proposeMcpName,
  writeServerJson,
  type PublishProblem,
  type ServerJson,
} from './server-json';
import { bareEnvironment, checkPacked, meet, type SeenServer } from './started-server';

/** What is checked. */
export interface PublishOrder {
  readonly shell: Shell;
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly during: <Result>(what: string, work: () => Promise<Result>) => Promise<Result>;
}

/** A file that has to change. */
export interface PublishedFile {
  readonly path: string;
  readonly before: string;
  readonly after: string;
}

/** The result. */
export interface PublishCheck {
  readonly problems: readonly PublishProblem[];
  /** package.json and server.json, if they have to change. */
  readonly files: readonly PublishedFile[];
  /** The server as its users start it; undefined if it was not started. */
  readonly seen: SeenServer | undefined;
  /** What npm would pack. */
  readonly packed: readonly string[];
  readonly mcpName: string | undefined;
}

/** Checks a project. @throws CliFailure if the server does not start, or is another one than its sources */
export async function checkPublish(order: PublishOrder): Promise<PublishCheck> {
  const { folder } = order;
  const facts = readPackageFacts(folder);
  const { before, text, problem } = readServerJson(folder);
  const isHosted = facts.isPrivate && Array.isArray(before['remotes']);
  const mcpName = facts.mcpName ?? proposeMcpName(facts);
  const problems = [...(problem ? [problem] : []), ...packageProblems(facts, { folder, isHosted, mcpName })];
  if (problems.length > 0) return { problems, files: [], seen: undefined, packed: [], mcpName };
  const started = isHosted ? undefined : await startInstalled(order, facts);
  const server = writeServerJson({
    ...{ facts, before, isHosted, mcpName: mcpName ?? '' },
    title: started?.seen.server?.title,
    variables: readEnvExample(folder),
  });
  const found = [
    ...findServerJsonProblems(server, 'server.json'),
    ...versionProblems(facts, server, started?.seen, folder),
  ];
  const files = [
    { path: facts.file, before: facts.text, after: withMcpName(facts, mcpName) },
    { path: join(folder, 'server.json'), before: text, after: textOf(server, text) },
  ].filter((file) => file.before !== file.after);
  return { problems: found, files, seen: started?.seen, packed: started?.packed ?? [], mcpName };
}

interface PackageChecks {
  readonly folder: string;
  readonly isHosted: boolean;
  readonly mcpName: string | undefined;
}

function packageProblems(facts: PackageFacts, { folder, isHosted, mcpName }: PackageChecks): PublishProblem[] {
  const { name, version, description, isPrivate } = facts;
  const found: PublishProblem[] = [];
  const check = (isRight: boolean, problem: string, fix: string): void => {
    if (!isRight) found.push({ file: 'package.json', problem, fix });
  };
  check(name !== undefined, 'it has no "name"', 'Add "name": "@you/notes", for example.');
  check(version !== undefined, 'it has no valid "version"', 'Add "version": "1.0.0", for example.');
  check(description !== undefined, 'it has no "description"', 'Write what the server can do, in up to 100 characters.');
  check(
    mcpName !== undefined,
    'it has no "mcpName", and no "repository" on GitHub that it could be made of',
    'Add "mcpName": "io.github.you/notes", or "com.example/notes" for your own domain.',
  );
  if (isHosted) return found;
  check(
    !isPrivate,
    'it is "private", so npm refuses to publish it',
    'Remove "private": true. A hosted server needs "remotes" in server.json.',
  );
  const program = programOf(facts);
  check(
    program !== undefined,
    'it has no "bin", so npx cannot start the server',
    'Add "bin": { "notes-mcp": "dist/main.js" }.',
  );
  const file = program === undefined ? undefined : resolve(folder, program);
  if (file !== undefined && existsSync(file))
    check(
      /^#!.*\bnode\b/.test(readFileSync(file, 'utf8')),
      `${program} does not begin with #!/usr/bin/env node`,
      'Make it the first line of the source.',
    );
  return found;
}

function programOf({ members }: PackageFacts): string | undefined {
  const { bin } = members;
  if (typeof bin === 'string') return bin;
  const [program] = isObject(bin) ? Object.values(bin) : [];
  return typeof program === 'string' ? program : undefined;
}

interface StartedPackage {
  readonly seen: SeenServer;
  readonly packed: readonly string[];
}

/** Starts the sources, and then what npm would pack, in an empty folder: a file that is not packed, or built before a change, is found. */
async function startInstalled(
  { shell, folder, signal, during }: PublishOrder,
  facts: PackageFacts,
): Promise<StartedPackage> {
  const env = bareEnvironment(shell.env, valuesFor(shell.env, readEnvExample(folder)));
  const program = programOf(facts) ?? '';
  const target = (file: string, label: string, cwd: string): ProgramTarget => ({
    ...{ kind: 'command', command: process.execPath, args: [file], label, cwd, env },
  });
  const installed = await during('Packing with npm', () => installPacked(folder, facts, { env: shell.env, signal }));
  try {
    const main = hasEntry(folder) ? findMain(folder) : join(folder, program);
    const compiled = /\.[cm]?ts$/.test(main)
      ? await during('Compiling', () => compileApart(shell, main, signal))
      : main;
    const original = await during('Starting the server', () => meet(shell, target(compiled, main, folder)));
    const label = `${program} of ${facts.name}`;
    const seen = await during('Starting it from an empty folder', () =>
      checkPacked(shell, target(join(installed.folder, program), label, installed.folder), { original, what: label }),
    );
    return { seen, packed: installed.files };
  } finally {
    installed.remove();
  }
}

function versionProblems(
  { version }: PackageFacts,
  server: ServerJson,
  seen: SeenServer | undefined,
  folder: string,
): PublishProblem[] {
  const others = packagesOf(server).flatMap((one, index): [string, unknown, string][] =>
    one['version'] === undefined ? [] : [['server.json', one['version'], `packages[${index}] has`]],
  );
  const said: [string, unknown, string][] = seen ? [['the server', seen.server?.version, 'it says']] : [];
  const manifest = join(folder, 'manifest.json');
  const written: [string, unknown, string][] = existsSync(manifest)
    ? [['manifest.json', readVersion(manifest), 'it has']]
    : [];
  return [...said, ...written, ...others].flatMap(([file, found, verb]) =>
    found === version
      ? []
      : [
          {
            file,
            problem: `${verb} the version ${String(found)}, but package.json has ${version}`,
            fix: file === 'the server' ? 'Read the version from package.json in the code.' : `Write ${version}.`,
          },
        ],
  );
}

function readVersion(file: string): unknown {
  try {
    const read: unknown = JSON.parse(readFileSync(file, 'utf8'));
    return isObject(read) ? read['version'] : undefined;
  } catch {
    return undefined;
  }
}

function readServerJson(folder: string): {
  readonly before: ServerJson;
  readonly text: string;
  readonly problem?: PublishProblem;
} {
  const file = join(folder, 'server.json');
  if (!existsSync(file)) return { before: {}, text: '' };
  const text = readFileSync(file, 'utf8');
  try {
    const before: unknown = JSON.parse(text);
    if (isObject(before)) return { before, text };
    return { before: {}, text, problem: brokenServerJson('it is not an object') };
  } catch (error) {
    return { before: {}, text, problem: brokenServerJson(reasonOf(error)) };
  }
}

function brokenServerJson(problem: string): PublishProblem {
  return { file: 'server.json', problem, fix: 'Fix it, or delete it: sigil publish --check writes it.' };
}

function withMcpName({ text, mcpName: before }: PackageFacts, mcpName: string | undefined): string {
  if (before !== undefined || mcpName === undefined) return text;
  const insertSpaces = !/^\t/m.test(text);
  const tabSize = /^( +)"/m.exec(text)?.[1]?.length ?? 2;
  const eol = text.includes('\r\n') ? '\r\n' : '\n';
  return applyEdits(text, modify(text, ['mcpName'], mcpName, { formattingOptions: { insertSpaces, tabSize, eol } }));
}

/** The text of the description; the one that is there if it means the same. */
function textOf(server: ServerJson, before: string): string {
  const isSame = before !== '' && JSON.stringify(JSON.parse(before)) === JSON.stringify(server);
  return isSame ? before : `${JSON.stringify(server, null, 2)}\n`;
}
