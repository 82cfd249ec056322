/** The links of a skill to its own files: relative, and within the skill. */
import type { ReportProblem } from '@sigil-mcp/core';
import { skillProblem } from '../errors';
import type { SkillFolder } from '../skill';
import { readMarkdown } from './markdown';
import type { SearchedText } from './searched-text';

/** Reports links to files that a skill does not have. */
export function checkFileLinks(texts: readonly SearchedText[], root: SkillFolder, report: ReportProblem): void {
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
