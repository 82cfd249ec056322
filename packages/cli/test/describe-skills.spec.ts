/** What `sigil inspect` says of skills. */
import { describeSkills, skillFiles } from '../src/inspect/skills';
import type { SkillListing } from '../src/official-client';
import { stylesFor } from '../src/terminal/styles';

const digest = `sha256:${'0'.repeat(64)}`;
const LISTING: SkillListing = {
  skills: [
    {
      uri: 'skill://a/SKILL.md',
      frontmatter: { name: 'a', description: 'Does a.' },
      resources: [
        { uri: 'skill://a/SKILL.md', digest, size: 40 },
        { uri: 'skill://a/b.md', digest, size: 2 },
      ],
    },
    { uri: 'skill://c/SKILL.md', frontmatter: { name: 'c', description: 'Does c.' }, resources: 'dynamic' },
  ],
  invalid: [{ index: 2, uri: 'skill://d/SKILL.md', reason: 'frontmatter name "e" must match' }],
};

it('says which files skills have, and which skills hosts refuse', () => {
  expect(describeSkills(LISTING, stylesFor({}, {}))).toEqual([
    { head: 'skill://a/SKILL.md  2 files, 42 bytes', description: 'Does a.' },
    { head: 'skill://c/SKILL.md  files change', description: 'Does c.' },
    { head: 'skill://d/SKILL.md  hosts refuse it: frontmatter name "e" must match', description: undefined },
  ]);
  expect([...skillFiles(LISTING)]).toEqual(['skill://a/SKILL.md', 'skill://a/b.md']);
});
