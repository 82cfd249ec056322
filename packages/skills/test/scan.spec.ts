/** Folders are read as the specification says, and as the official server reads them; every mistake is found, all at once. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { loadSkills } from '@modelcontextprotocol/server/ext/skills/node';
import type { DefinitionProblem } from '@sigil-mcp/core';
import { skillsInFolder, skillsOfFeature } from '../src/scan/find-skills';
import type { ServedSkill } from '../src/skill';
import { folderOf, skillText } from '../../../test/support/skill-folders';

interface Scanned {
  readonly skills: readonly ServedSkill[];
  readonly problems: readonly DefinitionProblem[];
}

function scan(path: string, read = skillsInFolder): Scanned {
  const problems: DefinitionProblem[] = [];
  const reading = {
    known: new Map(),
    feature: undefined,
    report: (each: DefinitionProblem) => void problems.push(each),
  };
  return { skills: read(path, 'skills()', reading), problems };
}

const codesIn = (files: Readonly<Record<string, string | Buffer>>): string[] =>
  scan(folderOf(files)).problems.map(({ code }) => code);

/** What is wrong with one skill, as `line:column what`. */
function problemsOf(front: string): string[] {
  const folder = folderOf({ 'a/SKILL.md': `---\n${front}---\n` });
  return scan(folder).problems.map(({ where, problem }) => `${/:\d+:\d+$/.exec(where)?.[0].slice(1) ?? ''} ${problem}`);
}

const entryOf = ({ uri, frontMatter, files }: ServedSkill) => ({
  uri,
  frontmatter: frontMatter,
  resources: files.map((file) => ({ uri: file.uri, digest: file.digest, size: file.bytes.length })),
});

const MORE = 'license: MIT\nallowed-tools: Bash Read\nmetadata:\n  version: "1.0"\n  since: "2026-01-01"\n';

const SHELF = {
  'git-workflow/SKILL.md': skillText('git-workflow', '# Branches\n', MORE),
  'acme/billing/refunds/SKILL.md': skillText('refunds', 'See [a letter](examples/email.md).\n'),
  'acme/billing/refunds/examples/email.md': 'Dear customer\r\n',
  'acme/billing/refunds/partial/SKILL.md': skillText('partial'),
  'acme/billing/refunds/partial/form.pdf': Buffer.from([0x25, 0x50, 0, 0xff]),
  'acme/README.md': 'not of a skill',
  'odd/SKILL.md': `\uFEFF${skillText('odd').replaceAll('\n', '\r\n')}`,
  'odd/a b/Grüße & more (1).txt': '',
  'odd/.hidden': 'left out',
  'odd/date.md': 'x',
  'dates/SKILL.md':
    '---\nname: dates\ndescription: >-\n  Knows\n  dates\nsince: 2026-01-01\nn: 1_000\nlist: [1, two, 0x1F, .5]\nnone: ~\nyes: yes\n---\n',
};

describe('a folder of skills', () => {
  it('has the entries and the digests that the official server has for it', async () => {
    const folder = folderOf(SHELF);
    const catalog = await loadSkills(folder, { strict: true });
    const { skills, problems } = scan(folder);
    expect(problems).toEqual([]);
    const ours = skills.map(entryOf).sort((one, other) => (one.uri < other.uri ? -1 : 1));
    expect(ours).toEqual(catalog.entries);
    expect(ours.map(({ uri }) => uri)).toEqual([
      'skill://acme/billing/refunds/SKILL.md',
      'skill://acme/billing/refunds/partial/SKILL.md',
      'skill://dates/SKILL.md',
      'skill://git-workflow/SKILL.md',
      'skill://odd/SKILL.md',
    ]);
  });

  it('lists the files of nested skills in the skill around them, each once', () => {
    const { skills } = scan(folderOf(SHELF));
    const refunds = skills.find(({ frontMatter }) => frontMatter.name === 'refunds');
    expect(refunds?.files.map(({ uri }) => uri.slice('skill://acme/billing/refunds/'.length))).toEqual([
      'SKILL.md',
      'examples/email.md',
      'partial/SKILL.md',
      'partial/form.pdf',
    ]);
  });

  it('has digests of the raw bytes', () => {
    const folder = folderOf(SHELF);
    const [file] = scan(folder).skills.find(({ frontMatter }) => frontMatter.name === 'odd')?.files ?? [];
    const bytes = readFileSync(join(folder, 'odd/SKILL.md'));
    expect(file).toMatchObject({ bytes, digest: `sha256:${createHash('sha256').update(bytes).digest('hex')}` });
  });

  it('may be a skill itself', () => {
    const folder = folderOf({ 'place-an-order/SKILL.md': skillText('place-an-order') });
    const { skills } = scan(join(folder, 'place-an-order'));
    expect(skills.map(({ uri }) => uri)).toEqual(['skill://place-an-order/SKILL.md']);
  });

  it('is followed through links that stay within it', () => {
    const folder = folderOf({ 'a/SKILL.md': skillText('a'), 'a/..data/real.md': 'x', 'a/shared/b.md': 'y' });
    symlinkSync('..data/real.md', join(folder, 'a/real.md'));
    symlinkSync('shared', join(folder, 'a/same'));
    const { skills, problems } = scan(folder);
    expect(problems).toEqual([]);
    expect(skills[0]?.files.map(({ uri }) => uri)).toEqual([
      'skill://a/SKILL.md',
      'skill://a/real.md',
      'skill://a/same/b.md',
      'skill://a/shared/b.md',
    ]);
  });
});

describe('a skill beside a feature', () => {
  it('is one Markdown file with its name, or a folder', () => {
    const folder = folderOf({ 'ordering.md': skillText('ordering'), 'paying/SKILL.md': skillText('paying') });
    const one = scan(join(folder, 'ordering.md'), skillsOfFeature);
    expect(one.skills.map(entryOf)).toMatchObject([
      { uri: 'skill://ordering/SKILL.md', resources: [{ uri: 'skill://ordering/SKILL.md' }] },
    ]);
    expect(scan(join(folder, 'paying'), skillsOfFeature).skills.map(({ uri }) => uri)).toEqual([
      'skill://paying/SKILL.md',
    ]);
  });

  it('is refused if it is something else, or missing', () => {
    const folder = folderOf({ 'a.txt': '', 'empty/x.md': '', 'b/SKILL.md': skillText('b'), 'c.md': skillText('d') });
    const codes = (path: string): string[] =>
      scan(join(folder, path), skillsOfFeature).problems.map(({ code }) => code);
    expect(['a.txt', 'empty', 'b/SKILL.md', 'none.md', 'c.md'].flatMap(codes)).toEqual([
      'SIGIL_SKILL_PATH',
      'SIGIL_SKILL_PATH',
      'SIGIL_SKILL_PATH',
      'SIGIL_SKILL_MISSING',
      'SIGIL_SKILL_NAME',
    ]);
  });
});

describe('problems of files', () => {
  it('are found all at once, each with its place', () => {
    const folder = folderOf({
      'a/SKILL.md': 'No front matter',
      'b/SKILL.md': skillText('c', '[x](missing.md) [y](../a/SKILL.md) [z](SKILL.md#top) [w](https://example.com)'),
      'd/skill.md': skillText('d'),
      'e/SKILL.md': skillText('e'),
      'e/back\\slash.md': '',
      'e/.git/config': 'https://token@example.com',
    });
    symlinkSync('/etc/hostname', join(folder, 'e/out'));
    symlinkSync('nowhere', join(folder, 'e/broken'));
    symlinkSync('..', join(folder, 'e/around'));
    symlinkSync('.git/config', join(folder, 'e/hidden'));
    execFileSync('mkfifo', [join(folder, 'e/pipe')]);
    const { problems } = scan(folder);
    expect(problems.map(({ code, where }) => [code, where.slice(folder.length + 1)]).sort()).toEqual(
      [
        ['SIGIL_SKILL_CASE', 'd/skill.md'],
        ['SIGIL_SKILL_FILE_LINK', 'b/SKILL.md:5:1'],
        ['SIGIL_SKILL_FILE_LINK', 'b/SKILL.md:5:17'],
        ['SIGIL_SKILL_FILE_NAME', 'e/back\\slash.md'],
        ['SIGIL_SKILL_FRONT_MATTER', 'a/SKILL.md:1:1'],
        ['SIGIL_SKILL_LINK', 'e/around'],
        ['SIGIL_SKILL_LINK', 'e/hidden'],
        ['SIGIL_SKILL_LINK', 'e/out'],
        ['SIGIL_SKILL_NAME', 'b/SKILL.md'],
        ['SIGIL_SKILL_READ', 'e/broken'],
        ['SIGIL_SKILL_SPECIAL', 'e/pipe'],
      ].sort(),
    );
    for (const { fix } of problems) expect(fix).not.toBe('');
  });

  it('include files that the process may not read', () => {
    const folder = folderOf({ 'a/SKILL.md': skillText('a') });
    if (process.getuid?.() === 0) return;
    chmodSync(join(folder, 'a/SKILL.md'), 0);
    expect(scan(folder).problems).toMatchObject([{ code: 'SIGIL_SKILL_READ', problem: 'it cannot be read: EACCES.' }]);
  });

  it('include a folder that is missing, or a file', () => {
    const folder = folderOf({ 'a.md': '' });
    expect(scan(join(folder, 'none')).problems).toMatchObject([{ code: 'SIGIL_SKILL_MISSING', where: 'skills()' }]);
    expect(scan(join(folder, 'a.md')).problems).toMatchObject([{ code: 'SIGIL_SKILLS_FOLDER' }]);
  });

  it('include more than 512 files, and more than 16 MiB, but not as many', () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, index) => [`a/files/${index}.txt`, 'x']));
    const manifest = skillText('a');
    expect(codesIn({ 'a/SKILL.md': manifest, ...files(511) })).toEqual([]);
    expect(codesIn({ 'a/SKILL.md': manifest, ...files(512) })).toEqual(['SIGIL_SKILL_LIMIT']);
    const rest = 16 * 1024 * 1024 - manifest.length;
    expect(codesIn({ 'a/SKILL.md': manifest, 'a/big.bin': Buffer.alloc(rest) })).toEqual([]);
    expect(codesIn({ 'a/SKILL.md': manifest, 'a/big.bin': Buffer.alloc(rest + 1) })).toEqual(['SIGIL_SKILL_LIMIT']);
  });

  it('include folders that repeat without end, and far too many files', () => {
    const around = Array.from({ length: 24 }, (_, index) => [`a/${index}/file`, 'x'] as const);
    const folder = folderOf({ 'a/SKILL.md': skillText('a'), ...Object.fromEntries(around) });
    // Each folder has two links to the next one: 2^24 paths.
    for (let index = 0; index < 23; index++)
      for (const name of ['one', 'two']) symlinkSync(`../${index + 1}`, join(folder, 'a', `${index}`, name));
    const { skills, problems } = scan(folder);
    expect(skills).toEqual([]);
    expect(problems).toMatchObject([
      { code: 'SIGIL_SKILL_TREE', problem: 'it has more than 50000 files and folders.' },
    ]);
  });

  it('include names that make URIs which clients change, and keep all others as they are', () => {
    expect(codesIn({ 'a/SKILL.md': skillText('a'), 'a/new\nline.md': '' })).toEqual(['SIGIL_SKILL_FILE_NAME']);
    const odd = ['%2e%2e', 'a?b#c', "it's", '~', 'ü', 'a:b@c', '+=&;,$!*()', '[x]|y', '…', 'a%20b', '{}^`"<>'];
    const folder = folderOf({ 'a/SKILL.md': skillText('a') });
    for (const name of odd) mkdirSync(join(folder, 'a', name));
    const { problems, skills } = scan(folder);
    expect(problems).toEqual([]);
    const uris = skills[0]?.folder.folders.map(({ uri }) => uri) ?? [];
    expect(uris.map((uri) => decodeURIComponent(uri.slice('skill://a/'.length))).sort()).toEqual([...odd].sort());
    for (const uri of uris) expect(new URL(uri).href).toBe(uri);
  });
});

describe('front matter', () => {
  const NAMED = 'name: a\ndescription: x\n';

  it('has the fields that every skill needs', () => {
    expect(problemsOf('{}\n')).toEqual([
      ' the field name of its front matter is missing.',
      ' the field description of its front matter is missing.',
    ]);
    expect(problemsOf('name: a\ndescription: "  "\n')).toEqual([
      ' the field description of its front matter is empty.',
    ]);
    expect(problemsOf('name: 7\ndescription: [x]\n')).toHaveLength(2);
    expect(problemsOf(`name: a\ndescription: ${'ü'.repeat(1024)}\n`)).toEqual([]);
    expect(problemsOf(`name: a\ndescription: ${'ü'.repeat(1025)}\n`)).toHaveLength(1);
    for (const name of ['A', 'a--b', '-a', 'a-', 'a b', 'ä', 'a'.repeat(65), '../a'])
      expect(problemsOf(`name: "${name}"\ndescription: x\n`)).toContainEqual(
        expect.stringContaining('the field name of its front matter is'),
      );
    expect(problemsOf(`${NAMED}compatibility: ""\nmetadata: { a: 1 }\n`)).toHaveLength(2);
    expect(problemsOf(`${NAMED}metadata:\n  io.modelcontextprotocol/x: "1"\n`)).toHaveLength(1);
  });

  it.each([
    ['no mapping', '- a\n', '2:1'],
    ['a plain text', 'hello\n', '2:1'],
    ['an error of YAML', 'name: a\ndescription: x: y\n', '3:14'],
    ['a bracket that stays open', 'name: a\ndescription: [x\n', '4:1'],
    ['a tab', 'name: a\nmetadata:\n\tx: y\n', '4:1'],
    ['a key twice', 'name: a\nname: b\n', '3:1'],
    ['an anchor', `${NAMED}a: &x 1\n`, '4:7'],
    ['an alias', `${NAMED}a: &x 1\nb: *x\n`, '4:7'],
    ['a tag', `${NAMED}a: !!binary x\n`, '4:13'],
    ['an unknown tag', `${NAMED}a: !x y\n`, '4:4'],
    ['a key that is a number', `${NAMED}1: y\n`, '4:1'],
    ['a key that is a list', `${NAMED}[a]: y\n`, '4:1'],
    ['__proto__', `${NAMED}__proto__: { polluted: true }\n`, '4:1'],
    ['infinity', `${NAMED}a: .inf\n`, '4:4'],
    ['quotes over two lines', 'name: a\ndescription: "x\n  y"\n', '3:14'],
    ['brackets over two lines', `${NAMED}a: [1,\n  2]\n`, '4:4'],
    ['a thousand levels', `${NAMED}a: ${'['.repeat(1000)}${']'.repeat(1000)}\n`, '4:'],
    ['a lonely carriage return', 'name: a\rdescription: x\n', '2:8'],
    ['a merge key', `${NAMED}a: { <<: *b }\n`, '4:'],
  ])('is refused for %s, at its place', (_name, front, place) => {
    const problems = problemsOf(front);
    expect(problems[0]).toMatch(new RegExp(`^${place}`));
    expect(Object.prototype).not.toHaveProperty('polluted');
  });

  it.each([
    ['n: 12345678901234567890\n', '4:4 its front matter has a number that JSON does not have.'],
    ['n: [9007199254740993]\n', '4:5 its front matter has a number that JSON does not have.'],
    ['<<: { b: 1 }\n', '4:1 its front matter has the key `<<`.'],
  ])('has no value that hosts read differently: %s', (line, problem) => {
    expect(problemsOf(`name: a\ndescription: Does a.\n${line}`)).toEqual([problem]);
  });

  it('is not so large that lists are, and is refused at once', () => {
    const text = (length: number): string => `name: a\ndescription: Does a.\nx: ${'x'.repeat(length)}\n`;
    const most = 65_536 - text(0).length;
    expect(problemsOf(text(most))).toEqual([]);
    expect(problemsOf(text(most + 1))).toEqual(['1:1 its front matter has 65537 characters.']);
    const keys = Array.from({ length: 50_000 }, (_, index) => `k${index}: v\n`).join('');
    expect(problemsOf(`name: a\ndescription: Does a.\n${keys}`)).toHaveLength(1);
  });

  it('is refused at once for a bomb of aliases', () => {
    const levels = Array.from({ length: 30 }, (_, index) => `l${index + 1}: &l${index + 1} [*l${index}, *l${index}]`);
    expect(problemsOf(`${NAMED}l0: &l0 [x]\n${levels.join('\n')}\n`).length).toBeGreaterThan(0);
  });

  it('is refused if it does not begin or end, or is not UTF-8', () => {
    expect(codesIn({ 'a/SKILL.md': ' ---\nname: a\n---\n' })).toEqual(['SIGIL_SKILL_FRONT_MATTER']);
    expect(codesIn({ 'a/SKILL.md': '---\nname: a\n' })).toEqual(['SIGIL_SKILL_FRONT_MATTER']);
    expect(codesIn({ 'a/SKILL.md': Buffer.from([0xff, 0xfe]) })).toEqual(['SIGIL_SKILL_FRONT_MATTER']);
    expect(codesIn({ 'a/SKILL.md': '' })).toEqual(['SIGIL_SKILL_FRONT_MATTER']);
  });
});
