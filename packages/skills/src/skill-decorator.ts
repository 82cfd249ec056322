/** `@Skill`: a skill next to its feature. */
import { createFact, sourceFileOf } from '@sigil-mcp/core';
import { SKILLS } from './names';

/** Where a skill is, as its author wrote it. */
export interface SkillPlace {
  /** Relative to the source of the feature. */
  readonly path: string;
  /** The file that the feature is in; undefined if it cannot be found. */
  readonly source: string | undefined;
}

/** Written by `@Skill`. */
export const SKILL_PLACE = createFact<SkillPlace>({ label: 'Skill', extension: SKILLS, standsAlone: true });

/**
 * Serves a skill that lies next to the source of a feature: one Markdown file with front matter, whose name is that of the skill, or a
 * folder with a SKILL.md. It is offered to callers who may see something of the feature, and all tools, resources and prompts that its
 * text names. The server needs `extensions: [skills()]`.
 * @param path relative to the file of the feature: `./ordering.md` or `./ordering`
 * @example
 * ```@Feature() @Skill('./ordering.md') class OrderFeature { ... }```
 */
export function Skill(path: string): ClassDecorator {
  const source = sourceFileOf(Skill);
  return (target) => SKILL_PLACE({ path, source })(target);
}
