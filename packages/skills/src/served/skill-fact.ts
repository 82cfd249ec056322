/** What the resource of a file knows of its skills. Through it, the entries of a server say which skills it has. */
import { createFact, type EntryView, type ExtensionServices, type Guard, type ReportProblem } from '@sigil-mcp/core';
import { SKILLS } from '../names';
import type { ServedSkill } from '../skill';

/** Who is offered files: one for all skills of a server. */
export interface FileAudience extends Guard {
  /** Finds what the skills name; reports what is missing. */
  resolve(entries: EntryView, report: ReportProblem): void;
  /** Called when the server has started. */
  open(services: ExtensionServices): void;
}

/** A file that is served. */
export interface ServedFile {
  /** The skill, and those around it. */
  readonly skills: readonly ServedSkill[];
  readonly audience: FileAudience;
}

/** Written on the resources of files. */
export const SKILL_FILE = createFact<ServedFile>({ label: 'a file of a skill', extension: SKILLS });

/** The skills of a server, in the order of their URIs: those whose SKILL.md is enabled. */
export function skillsOf(entries: EntryView): ServedSkill[] {
  const all = [...entries.entries('resource')].flatMap((entry) => {
    const own = SKILL_FILE.of(entry)?.skills.find(({ uri }) => uri === entry.key);
    return own ? [own] : [];
  });
  return all.sort((one, other) => (one.uri < other.uri ? -1 : 1));
}

/** The audience of the skills of a server, disabled ones included; undefined without skills. */
export function audienceOf(entries: EntryView): FileAudience | undefined {
  for (const entry of entries.all('resource')) {
    const file = SKILL_FILE.of(entry);
    if (file) return file.audience;
  }
  return undefined;
}
