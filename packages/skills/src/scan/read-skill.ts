/** A folder with a SKILL.md, or a single Markdown file -> a skill: its files are read once, and checked. */
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Class, ReportProblem } from '@sigil-mcp/core';
import { skillProblem } from '../errors';
import { checkFields } from '../front-matter/check-fields';
import { readSkillText, type SkillText } from '../front-matter/read-front-matter';
import { LIMITS, SKILL_FILE_NAME } from '../names';
import type { FrontMatter, ServedSkill, SkillFile, SkillFolder, SkillReference } from '../skill';
import { isText, mimeTypeOf } from './mime-types';
import { reasonOf, shownPath } from './shown-path';
import { skillFileOf, type Tree, type TreeFile } from './tree';
import { readMarkdown } from '../text/markdown';

/** A text of a skill that is searched for what it names. */
interface SearchedText {
  /** Markdown, without front matter. */
  readonly body: string;
  /** The line of its file at which it begins. */
  readonly bodyLine: number;
  /** The URI of the folder that it is in. */
  readonly folder: string;
  /** Its file, in messages. */
  readonly where: string;
}

/** A name with parentheses behind it, and nothing else. */
const CALL = /^([A-Za-z_][\w.-]{0,127})\(.*\)$/;

const URI = /^[A-Za-z][A-Za-z\d+.-]*:\/\/[^\s]+$/;

/** What RFC 3986 allows in a segment of a path, and `encodeURIComponent` encodes. */
const ALLOWED = /%(?:24|26|2B|2C|3A|3B|3D|40)/g;

/** What several skills are read with. */
export interface SkillReading {
  readonly report: ReportProblem;
  /** Files that were read already, by their paths: a nested skill shares its files with the skill around it. */
  readonly known: Map<string, SkillFile>;
  /** The class that `@Skill` decorates; undefined for folders. */
  readonly feature: Class | undefined;
}

/**
 * Reads a skill. Its bytes stay in memory: what is served later is what its digests are about.
 * @param segments its path in URIs
 * @param place what its name has to be equal to
 * @returns undefined if its files or its front matter have problems, which were reported; what its texts name is looked up, too, if just
 * its name or its links are wrong
 */
export function readSkill(
  tree: Tree,
  segments: readonly string[],
  place: string,
  { report, known, feature }: SkillReading,
): ServedSkill | undefined {
  let hasProblems = false;
  const reportHere: ReportProblem = (found) => {
    hasProblems = true;
    report(found);
  };
  if (!checkLimits(tree, reportHere)) return undefined;
  const folder = readFolder(tree, segments, { report: reportHere, known });
  const manifest = folder.files.find(({ name }) => isManifest(name));
  const path = skillFileOf(tree)?.path ?? tree.path;
  const where = shownPath(path);
  const read = manifest && readManifest(manifest, where, reportHere);
  if (!manifest || !read || hasProblems) return undefined;
  checkName(read.frontMatter, { segments, place, where }, report);
  const files = filesIn(folder).sort((one, other) => (one.uri < other.uri ? -1 : 1));
  const texts = [{ ...read.text, folder: folder.uri, where }, ...otherTexts(tree, folder)];
  checkFileLinks(texts, folder, report);
  const references = texts.flatMap(findReferences);
  return { uri: manifest.uri, frontMatter: read.frontMatter, files, folder, references, feature, where };
}

/** Before the files are read: a skill that is too large should not fill the memory first. */
function checkLimits(tree: Tree, report: ReportProblem): boolean {
  const all = treeFilesIn(tree);
  const bytes = all.reduce((sum, { size }) => sum + size, 0);
  const where = shownPath(tree.path);
  const found = [
    ...(all.length > LIMITS.files ? [{ count: `${all.length} files`, limit: `${LIMITS.files} files` }] : []),
    ...(bytes > LIMITS.bytes ? [{ count: `${bytes} bytes`, limit: `${LIMITS.bytes} bytes (16 MiB)` }] : []),
  ];
  for (const values of found) report(skillProblem('SIGIL_SKILL_LIMIT', where, values));
  return found.length === 0;
}

function treeFilesIn({ files, folders }: Tree): TreeFile[] {
  return [...files, ...folders.flatMap(treeFilesIn)];
}

function filesIn({ files, folders }: SkillFolder): SkillFile[] {
  return [...files, ...folders.flatMap(filesIn)];
}

function readFolder(
  tree: Tree,
  segments: readonly string[],
  reading: Pick<SkillReading, 'report' | 'known'>,
): SkillFolder {
  const within = (name: string): string[] => [...segments, name];
  return {
    uri: skillUri(segments) ?? '',
    name: tree.name,
    files: tree.files.flatMap((file) => readFile(file, within(file.name), reading) ?? []),
    folders: tree.folders.map((folder) => readFolder(folder, within(folder.name), reading)),
  };
}

function readFile(
  { name, path }: TreeFile,
  segments: readonly string[],
  { report, known }: Pick<SkillReading, 'report' | 'known'>,
): SkillFile | undefined {
  const before = known.get(path);
  if (before) return before;
  const uri = skillUri(segments);
  if (uri === undefined) {
    const what = 'makes a URI that clients would change';
    report(skillProblem('SIGIL_SKILL_FILE_NAME', shownPath(path), { what }));
    return undefined;
  }
  try {
    const bytes = readFileSync(path);
    const digest = `sha256:${createHash('sha256').update(bytes).digest('hex')}`;
    const file = { uri, name, mimeType: mimeTypeOf(name, bytes), bytes, digest };
    known.set(path, file);
    return file;
  } catch (error) {
    report(skillProblem('SIGIL_SKILL_READ', shownPath(path), { reason: reasonOf(error) }));
    return undefined;
  }
}

interface SkillManifest {
  readonly text: SkillText;
  readonly frontMatter: FrontMatter;
}

function readManifest({ bytes }: SkillFile, where: string, report: ReportProblem): SkillManifest | undefined {
  if (!isText(bytes)) {
    const fix = 'Save it as UTF-8.';
    report(skillProblem('SIGIL_SKILL_FRONT_MATTER', where, { what: 'it is not UTF-8 text', fix }));
    return undefined;
  }
  const text = readSkillText(bytes.toString(), ({ line, column, what, fix }) =>
    report(skillProblem('SIGIL_SKILL_FRONT_MATTER', `${where}:${line}:${column}`, { what, fix })),
  );
  const frontMatter = text.frontMatter && checkFields(text.frontMatter, where, report);
  return frontMatter && { text, frontMatter };
}

function checkName(
  { name }: FrontMatter,
  { segments, place, where }: { readonly segments: readonly string[]; readonly place: string; readonly where: string },
  report: ReportProblem,
): void {
  const expected = segments.at(-1) ?? '';
  if (name !== expected) report(skillProblem('SIGIL_SKILL_NAME', where, { name, place, expected }));
}

/** The Markdown files besides the SKILL.md of the skill itself, those of nested skills included: hosts see them as files of this one, too. */
function otherTexts(tree: Tree, { uri, files, folders }: SkillFolder, isRoot = true): SearchedText[] {
  const texts = files
    .filter(
      ({ name, mimeType, bytes }) => mimeType === 'text/markdown' && isText(bytes) && !(isRoot && isManifest(name)),
    )
    .map((file) => ({ ...textOf(file), folder: uri, where: shownPath(join(tree.path, file.name)) }));
  const within = tree.folders.flatMap((folder) => {
    const read = folders.find(({ name }) => name === folder.name);
    return read ? otherTexts(folder, read, false) : [];
  });
  return [...texts, ...within];
}

function isManifest(name: string): boolean {
  return name === SKILL_FILE_NAME;
}

/** Problems of a nested SKILL.md are reported where it is read as a skill of its own. */
function textOf({ name, bytes }: SkillFile): Pick<SearchedText, 'body' | 'bodyLine'> {
  const text = bytes.toString();
  return isManifest(name) ? readSkillText(text, () => undefined) : { body: text, bodyLine: 1 };
}

/**
 * The URI of a path; undefined if clients would normalise it to another one.
 *
 * The URIs of skills and their files: `skill://<path of the skill>/<path of the file>`.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx (Resource Mapping)
 */
function skillUri(segments: readonly string[]): string | undefined {
  const [authority = '', ...path] = segments;
  const uri = `skill://${[encodeURIComponent(authority), ...path.map(encodeSegment)].join('/')}`;
  return isCanonical(uri) ? uri : undefined;
}

function encodeSegment(segment: string): string {
  return encodeURIComponent(segment).replaceAll(ALLOWED, (encoded) => decodeURIComponent(encoded));
}

function isCanonical(uri: string): boolean {
  return URL.canParse(uri) && new URL(uri).href === uri;
}

/**
 * Finds them, in the order of the text.
 *
 * What the text of a skill names of the server: in code within a line, `create_order(...)` is a call of a tool or a prompt, and
 * `weather://oslo` is the URI of a resource. Everything else, and blocks of code, may be about anything.
 */
export function findReferences({ body, bodyLine, where }: SearchedText): SkillReference[] {
  const { code, links } = readMarkdown(body, bodyLine);
  const named = code.flatMap(({ text, line, column }): SkillReference[] => {
    const at = `${where}:${line}:${column}`;
    const call = CALL.exec(text)?.[1];
    if (call !== undefined) return [{ kind: 'call', name: call, where: at }];
    return URI.test(text) ? [{ kind: 'uri', name: text, where: at }] : [];
  });
  const linked = links
    .filter(({ text }) => URI.test(text))
    .map(({ text, line, column }): SkillReference => ({
      kind: 'uri',
      name: text,
      where: `${where}:${line}:${column}`,
    }));
  return [...named, ...linked];
}

/** Reports links to files that a skill does not have. */
function checkFileLinks(texts: readonly SearchedText[], root: SkillFolder, report: ReportProblem): void {
  const known = new Set(urisIn(root));
  for (const { body, bodyLine, where, folder } of texts)
    for (const { text: target, line, column } of readMarkdown(body, bodyLine).links) {
      // Hosts resolve links against the folder of the skill; people expect those of other files to work as in all Markdown.
      const uris = [root.uri, folder].map((base) => resolve(target, base));
      if (!isRelative(target) || uris.some((uri) => uri !== undefined && known.has(uri))) continue;
      report(skillProblem('SIGIL_SKILL_FILE_LINK', `${where}:${line}:${column}`, { target }));
    }
}

function urisIn({ uri, files, folders }: SkillFolder): string[] {
  return [uri, ...files.map((file) => file.uri), ...folders.flatMap(urisIn)];
}

/** Neither the URI of something else nor a place in the same file. */
function isRelative(target: string): boolean {
  return !/^(?:[A-Za-z][A-Za-z\d+.-]*:|#|\/\/)/.test(target);
}

/** The URI that a link names, without its fragment; undefined for what is no URI. */
function resolve(target: string, folder: string): string | undefined {
  if (!URL.canParse(target, `${folder}/`)) return undefined;
  const url = new URL(target, `${folder}/`);
  url.hash = '';
  url.search = '';
  return url.href.replace(/\/$/, '');
}
