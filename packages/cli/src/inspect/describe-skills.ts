/** The skills of a server as lines for users. */
import { visible } from '@sigil-mcp/core/adapter';
import type { SkillListing } from '../official-client';
import type { Styles } from '../terminal/styles';

/** One skill, in two parts: what is known of it at once, and its description. */
export interface DescribedSkill {
  /** Its URI and its files, or why hosts refuse it. */
  readonly head: string;
  readonly description: string | undefined;
}

/** Describes skills, the valid ones first. */
export function describeSkills({ skills, invalid }: SkillListing, styles: Styles): DescribedSkill[] {
  const valid = skills.map(({ uri, frontmatter, resources }) => ({
    head: `${styles.name(visible(uri))}  ${styles.dim(filesIn(resources))}`,
    description: frontmatter.description,
  }));
  const refused = invalid.map(({ uri = 'a skill without a URI', reason }) => ({
    head: `${styles.name(visible(uri))}  ${styles.bad(visible(`hosts refuse it: ${reason}`))}`,
    description: undefined,
  }));
  return [...valid, ...refused];
}

/** The URIs of the files of all skills. */
export function skillFiles({ skills }: SkillListing): ReadonlySet<string> {
  return new Set(skills.flatMap(({ resources }) => (resources === 'dynamic' ? [] : resources.map(({ uri }) => uri))));
}

function filesIn(resources: SkillListing['skills'][number]['resources']): string {
  if (resources === 'dynamic') return 'files change';
  const bytes = resources.reduce((sum, { size }) => sum + size, 0);
  return `${resources.length === 1 ? '1 file' : `${resources.length} files`}, ${bytes} bytes`;
}
