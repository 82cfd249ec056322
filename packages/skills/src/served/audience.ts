/**
 * Who is offered a skill: callers who may see all that its texts name and, of a skill next to a feature, something of the feature. Decided
 * each time, so that changes of entries, guards and rights count at once.
 */
import {
  createFact,
  type Access,
  type Class,
  type EntryFacts,
  type EntryKind,
  type EntryView,
  type ExtensionServices,
  type Guard,
  type ReportProblem,
} from '@sigil-mcp/core';
import type { ServedSkill } from '../skill';
import { findNamed, type NeededEntry } from './find-named';
import { SKILLS } from '../names';

/** A file that is served. */
export interface ServedFile {
  /** The skill, and those around it. */
  readonly skills: readonly ServedSkill[];
  readonly audience: SkillAudience;
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
export function audienceOf(entries: EntryView): SkillAudience | undefined {
  for (const entry of entries.all('resource')) {
    const file = SKILL_FILE.of(entry);
    if (file) return file.audience;
  }
  return undefined;
}

const KINDS: readonly EntryKind[] = ['tool', 'prompt', 'resource', 'resource-template'];

/** The audience of all skills of one server. A guard of their files. */
export class SkillAudience implements Guard {
  readonly #needs = new Map<ServedSkill, readonly NeededEntry[]>();
  readonly #ofFeatures = new Map<Class, readonly NeededEntry[]>();
  #services: ExtensionServices | undefined;

  /** @param elsewhere names that skills mention, and that belong to something else */
  constructor(private readonly elsewhere: readonly string[]) {}

  /** Finds what the skills name; reports what is missing. */
  resolve(entries: EntryView, report: ReportProblem): void {
    const all = skillsOf(entries);
    const direct = new Map(all.map((skill) => [skill, this.#find(skill, entries, report)] as const));
    for (const skill of all) this.#needs.set(skill, withOthers(direct.get(skill) ?? [], direct));
    for (const { feature } of all) if (feature) this.#ofFeatures.set(feature, entriesOf(feature, entries));
  }

  /** Called when the server has started. */
  open(services: ExtensionServices): void {
    this.#services = services;
  }

  /** Whether some callers may not be offered a skill. */
  isGuarded({ references, feature }: ServedSkill): boolean {
    return references.length > 0 || feature !== undefined;
  }

  /** Whether the caller may know of a file: of one of the skills that it belongs to. */
  async allows(access: Access, entry: EntryFacts): Promise<boolean> {
    for (const skill of SKILL_FILE.of(entry)?.skills ?? []) if (await this.#includes(access, skill)) return true;
    return false;
  }

  async #includes(access: Access, skill: ServedSkill): Promise<boolean> {
    for (const named of this.#needs.get(skill) ?? []) if (!(await this.#sees(access, named))) return false;
    const own = this.#featureEntries(skill);
    for (const named of own) if (await this.#sees(access, named)) return true;
    return own.length === 0;
  }

  /** An entry that is disabled or removed is seen by nobody. */
  async #sees(access: Access, { kind, key }: NeededEntry): Promise<boolean> {
    const entry = this.#services?.entries.find(kind, key);
    return entry !== undefined && (await this.#services?.allows(access, entry)) === true;
  }

  #featureEntries({ feature }: ServedSkill): readonly NeededEntry[] {
    return (feature && this.#ofFeatures.get(feature)) ?? [];
  }

  #find({ references }: ServedSkill, entries: EntryView, report: ReportProblem): NeededEntry[] {
    return references
      .filter(
        ({ kind, name }) =>
          !this.elsewhere.some((other) => name === other || (kind === 'uri' && name.startsWith(other))),
      )
      .flatMap((reference) => findNamed(reference, entries, report) ?? []);
  }
}

/**
 * What a skill names, and what the skills that it names do: a caller that is offered it can follow it to its end. Files of skills are left out,
 * so that skills may name each other.
 */
function withOthers(
  named: readonly NeededEntry[],
  direct: ReadonlyMap<ServedSkill, readonly NeededEntry[]>,
): NeededEntry[] {
  const byFile = new Map([...direct.keys()].flatMap((skill) => skill.files.map(({ uri }) => [uri, skill] as const)));
  const seen = new Map<string, NeededEntry>();
  const open = [...named];
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    const id = `${next.kind} ${next.key}`;
    if (seen.has(id)) continue;
    seen.set(id, next);
    const skill = next.kind === 'resource' ? byFile.get(next.key) : undefined;
    if (skill) open.push(...(direct.get(skill) ?? []));
  }
  return [...seen.values()].filter(({ kind, key }) => !(kind === 'resource' && byFile.has(key)));
}

function entriesOf(feature: Class, entries: EntryView): NeededEntry[] {
  return KINDS.flatMap((kind) =>
    [...entries.entries(kind)].filter(({ source }) => source.feature === feature).map(({ key }) => ({ kind, key })),
  );
}
