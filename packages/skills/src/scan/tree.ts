/** A folder on disk: its files and folders, without their contents. Symbolic links are followed only within the folder. */
import { lstatSync, readdirSync, realpathSync, statSync, type Stats } from 'node:fs';
import { basename, join, relative, sep } from 'node:path';
import type { ReportProblem } from '@sigil-mcp/core';
import { skillProblem } from '../errors';
import { SKILL_FILE_NAME } from '../names';
import { reasonOf, shownPath } from './shown-path';

/** A file of a folder. */
export interface TreeFile {
  readonly name: string;
  readonly path: string;
  /** In bytes, before it was read. */
  readonly size: number;
}

/** A folder, everything in it in the order of the names. */
export interface Tree {
  readonly name: string;
  readonly path: string;
  readonly files: readonly TreeFile[];
  readonly folders: readonly Tree[];
}

/** Where a walk is. */
interface SkillWalk {
  /** The real path of the folder that links may not leave. */
  readonly root: string;
  /** Real paths of the folders around this one: a link to one of them never ends. */
  readonly around: readonly string[];
  /** What was found so far, everywhere. */
  readonly seen: { count: number };
  readonly report: ReportProblem;
}

/** Files and folders under one root: more are a mistake, such as the folder of a whole project, or links that repeat folders. */
const MOST_FOUND = 50_000;

/** Reads a folder; reports what cannot be part of a skill. Names that begin with a dot are left out. */
export function readTree(path: string, report: ReportProblem): Tree {
  const seen = { count: 0 };
  const tree = walk(path, { root: realpathSync.native(path), around: [], seen, report });
  if (seen.count <= MOST_FOUND) return tree;
  report(skillProblem('SIGIL_SKILL_TREE', shownPath(path), { limit: MOST_FOUND }));
  return { ...tree, files: [], folders: [] };
}

/** The file that makes a folder a skill. */
export function skillFileOf({ files }: Tree): TreeFile | undefined {
  return files.find(({ name }) => name === SKILL_FILE_NAME);
}

function walk(path: string, { root, around, seen, report }: SkillWalk): Tree {
  const files: TreeFile[] = [];
  const folders: Tree[] = [];
  const inside = { root, around: [...around, realpathSync.native(path)], seen, report };
  for (const name of namesIn(path, report)) {
    seen.count += 1;
    if (seen.count > MOST_FOUND) break;
    const child = join(path, name);
    const what = checkName(name, child, report) ? find(child, inside) : undefined;
    if (what?.isDirectory()) folders.push(walk(child, inside));
    else if (what) files.push({ name, path: child, size: what.size });
  }
  checkCase(files, report);
  return { name: basename(path), path, files, folders };
}

function namesIn(path: string, report: ReportProblem): string[] {
  try {
    // By their code units, as the entries of skills are sorted on every system.
    return readdirSync(path)
      .filter((name) => !name.startsWith('.'))
      .sort((one, other) => (one < other ? -1 : 1));
  } catch (error) {
    report(skillProblem('SIGIL_SKILL_READ', shownPath(path), { reason: reasonOf(error) }));
    return [];
  }
}

/** What is at a path; undefined for what was reported. */
function find(path: string, walked: SkillWalk): Stats | undefined {
  try {
    const isLink = lstatSync(path).isSymbolicLink();
    if (isLink && !checkLink(path, walked)) return undefined;
    const found = statSync(path);
    if (found.isFile() || found.isDirectory()) return found;
    walked.report(skillProblem('SIGIL_SKILL_SPECIAL', shownPath(path)));
  } catch (error) {
    walked.report(skillProblem('SIGIL_SKILL_READ', shownPath(path), { reason: reasonOf(error) }));
  }
  return undefined;
}

function checkLink(path: string, { root, around, report }: SkillWalk): boolean {
  const real = realpathSync.native(path);
  const way = relative(root, real);
  const isOutside = way.split(sep)[0] === '..' || way === real;
  const isHidden = !isOutside && way.split(sep).some(isOfTool);
  if (!isOutside && !isHidden && !around.includes(real)) return true;
  const found = isOutside ? 'that leaves its folder' : isHidden ? 'to a hidden file' : 'to a folder around it';
  report(skillProblem('SIGIL_SKILL_LINK', shownPath(path), { problem: found }));
  return false;
}

/** Hidden, such as `.git`, unlike `..data`, to which Kubernetes links the files that it mounts. */
function isOfTool(name: string): boolean {
  return name.startsWith('.') && !name.startsWith('..');
}

/** What hosts cannot store, or what Node could not decode. */
const UNUSABLE = /[\p{Cc}\\\uFFFD]/u;

function checkName(name: string, path: string, report: ReportProblem): boolean {
  if (!UNUSABLE.test(name)) return true;
  const what = 'has a control character, a backslash or bytes that are not UTF-8';
  report(skillProblem('SIGIL_SKILL_FILE_NAME', shownPath(path), { what }));
  return false;
}

function checkCase(files: readonly TreeFile[], report: ReportProblem): void {
  if (files.some(({ name }) => name === SKILL_FILE_NAME)) return;
  for (const { name, path } of files)
    if (name.toUpperCase() === SKILL_FILE_NAME.toUpperCase())
      report(skillProblem('SIGIL_SKILL_CASE', shownPath(path), { name }));
}
