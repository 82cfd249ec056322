/** The errors of this package for authors of servers. */
import { defineErrors, type CatalogueGroup } from '@sigil-mcp/core/internal';

const ERRORS = defineErrors({
  SIGIL_SKILLS_FOLDER: {
    problem: '{path} is not a folder.',
    fix: 'Name the folder that has the skills, each in a folder of its own, in skills({ folders }).',
  },
  SIGIL_SKILLS_NONE: {
    problem: 'skills() has no skills.',
    fix: "Name a folder that contains skills, as in skills({ folders: ['./skills'] }), or decorate a feature with @Skill. A skill is a folder with a file SKILL.md.",
  },
  SIGIL_SKILL_MISSING: {
    problem: 'there is nothing at {path}.',
    fix: 'Check the path: it is relative to the file that names it. If this is a built server, copy the files next to its sources, too: run `sigil copy` after the compiler, as in `tsc && sigil copy`.',
  },
  SIGIL_SKILL_PATH: {
    problem: '@Skill names {path}.',
    fix: "Name one Markdown file, as in @Skill('./ordering.md'), or a folder with a file SKILL.md, as in @Skill('./ordering').",
  },
  SIGIL_SKILL_READ: {
    problem: 'it cannot be read: {reason}.',
    fix: 'Check that it exists, and that the user of this process may read it.',
  },
  SIGIL_SKILL_FRONT_MATTER: {
    problem: '{what}.',
    fix: 'Correct the front matter. {fix}',
  },
  SIGIL_SKILL_FIELD: {
    problem: 'the field {field} of its front matter {what}.',
    fix: 'Correct the field. {fix}',
  },
  SIGIL_SKILL_NAME: {
    problem: 'its name is {name}, but its {place} is {expected}.',
    fix: 'Give both the same name: the last part of the URI of a skill is its name.',
  },
  SIGIL_SKILL_TWICE: {
    problem: 'there are two skills with the name {name}: {first} and this one.',
    fix: 'Rename one of them. Agents know skills by their names.',
  },
  SIGIL_SKILL_LIMIT: {
    problem: 'it has {count}, more than the {limit} that every host must load.',
    fix: 'Remove files that agents do not need, or divide it into several skills.',
  },
  SIGIL_SKILL_TREE: {
    problem: 'it has more than {limit} files and folders.',
    fix: 'Name a folder that contains skills and little else, without symbolic links that repeat folders.',
  },
  SIGIL_SKILL_LINK: {
    problem: 'it is a symbolic link {problem}.',
    fix: 'Replace the link by a copy of what it names.',
  },
  SIGIL_SKILL_SPECIAL: {
    problem: 'it is neither a file nor a folder.',
    fix: 'Remove it: a skill consists of regular files.',
  },
  SIGIL_SKILL_FILE_NAME: {
    problem: 'its name {what}.',
    fix: 'Rename it: each file of a skill has a URI, and is stored under its name by hosts on every system.',
  },
  SIGIL_SKILL_CASE: {
    problem: 'its name is {name}, and not SKILL.md.',
    fix: 'Rename it to SKILL.md, with these capital letters.',
  },
  SIGIL_SKILL_FILE_LINK: {
    problem: 'it links to {target}, which is no file of the skill.',
    fix: 'Add the file, or correct the link: links are relative to the folder of the skill, and stay within it.',
  },
  SIGIL_SKILL_REFERENCE: {
    problem: 'its text names {name}, but this server has no {kind} of that name.',
    fix: "Correct the name.{suggestion} If it belongs to something else, add it to skills({ elsewhere: ['{name}'] }), or put it in a block of code.",
  },
  SIGIL_SKILL_BYTES: {
    problem:
      'The resource {uri} is a file of a skill, and its handler returned other bytes than those that were read at start.',
    fix: 'Leave the handler as it is. Change the file, and start the server again: the digest of a file belongs to its bytes.',
  },
});

/** Make errors of this package: to be reported, and to be thrown. */
export const { problem: skillProblem, error: skillError } = ERRORS;

/** The sections of docs/errors. */
export const ERROR_GROUPS: readonly CatalogueGroup[] = [
  {
    title: 'Skills',
    about: 'Found when a server with `skills()` is defined: in its folders, and at features with `@Skill`.',
    errors: ERRORS.entries,
  },
];
