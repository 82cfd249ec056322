/** Folders and single files -> the skills in them. */
import { existsSync, statSync } from 'node:fs';
import { basename, dirname, extname } from 'node:path';
import type { ReportProblem } from '@sigil-mcp/core';
import { skillProblem } from '../errors';
import { SKILL_FILE_NAME } from '../names';
import type { ServedSkill } from '../skill';
import { readSkill, type SkillReading } from './read-skill';
import { shownPath } from './shown-path';
import { readTree, skillFileOf, type Tree } from './tree';

/**
 * The skills of a folder: each folder within that has a SKILL.md, at any depth, also within other skills. The folders around a skill
 * become part of its URI. A folder that is a skill itself has the URI of its own name.
 * @param where what named it
 */
export function skillsInFolder(path: string, where: string, reading: SkillReading): ServedSkill[] {
  if (!isFolder(path, where, reading.report)) return [];
  const tree = readTree(path, reading.report);
  return skillsIn(tree, skillFileOf(tree) ? [tree.name] : [], reading);
}

/** The skill next to a feature: a Markdown file, or a folder with a SKILL.md, in which there may be nested skills. */
export function skillsOfFeature(path: string, where: string, reading: SkillReading): ServedSkill[] {
  const { report } = reading;
  if (!checkExists(path, where, report)) return [];
  const found = statSync(path);
  const isFile = found.isFile() && extname(path) === '.md' && basename(path) !== SKILL_FILE_NAME;
  if (isFile) return asArray(readSkill(treeOfFile(path, found.size), [basename(path, '.md')], 'file', reading));
  const tree = found.isDirectory() ? readTree(path, report) : undefined;
  if (tree && skillFileOf(tree)) return skillsIn(tree, [tree.name], reading);
  report(skillProblem('SIGIL_SKILL_PATH', where, { path: shownPath(path) }));
  return [];
}

function skillsIn(tree: Tree, segments: readonly string[], reading: SkillReading): ServedSkill[] {
  const own = skillFileOf(tree) ? readSkill(tree, segments, 'folder', reading) : undefined;
  const within = tree.folders.flatMap((folder) => skillsIn(folder, [...segments, folder.name], reading));
  return [...asArray(own), ...within];
}

/** A skill that is one file: as if it were alone in a folder of its name. */
function treeOfFile(path: string, size: number): Tree {
  const files = [{ name: SKILL_FILE_NAME, path, size }];
  return { name: basename(path, '.md'), path: dirname(path), files, folders: [] };
}

function asArray(skill: ServedSkill | undefined): ServedSkill[] {
  return skill ? [skill] : [];
}

function checkExists(path: string, where: string, report: ReportProblem): boolean {
  if (existsSync(path)) return true;
  report(skillProblem('SIGIL_SKILL_MISSING', where, { path: shownPath(path) }));
  return false;
}

function isFolder(path: string, where: string, report: ReportProblem): boolean {
  if (!checkExists(path, where, report)) return false;
  if (statSync(path).isDirectory()) return true;
  report(skillProblem('SIGIL_SKILLS_FOLDER', where, { path: shownPath(path) }));
  return false;
}
