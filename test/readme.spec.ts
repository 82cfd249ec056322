/** The README and the guides say what is so: their code is compiled, their links and commands exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
/** They show commands or tables at most. */
const withoutCode = [
  ...[
    'architecture',
    'cli',
    'dependencies',
    'errors',
    'logging',
    'performance',
    'reliability',
    'security',
    'stdio',
  ].map((name) => `docs/${name}.md`),
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
];
/** All others; what is generated of the API has the code of docstrings. */
const guides = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((name) => `docs/${name.replaceAll('\\', '/')}`)
  .filter((name) => name.endsWith('.md') && !name.startsWith('docs/reference/') && !name.startsWith('docs/.vitepress/'))
  .filter((name) => !withoutCode.includes(name))
  .concat('README.md')
  .sort();

interface Block {
  language: string;
  code: string;
  /** `<file>#<region>` of the comment before the block. */
  source: string | undefined;
}

/** The fenced blocks of a guide, each with the comment that stands before it. */
const blocksOf = (guide: string): Block[] =>
  [...read(guide).matchAll(/(?:<!-- snippet: (\S+) -->\n)?```(\w*)\n([\s\S]*?)\n```$/gm)].map(
    ([, source, language = '', code = '']) => ({ language, code, source }),
  );

/** The lines between `// #region name` and `// #endregion name`, without their common indentation. */
function regionOf(source: string): string {
  const [file = '', name = ''] = source.split('#');
  const marked = new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n *// #endregion ${name}\\n`);
  const lines = (marked.exec(read(file))?.[1] ?? '').split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...indents))).join('\n');
}

describe.each([...guides, ...withoutCode])('%s', (guide) => {
  const text = read(guide);
  const snippets = blocksOf(guide).filter(({ language }) => language === 'ts');

  it('shows code', () => {
    if (guides.includes(guide)) expect(snippets.length).toBeGreaterThanOrEqual(1);
    for (const { code } of snippets) expect(code).not.toBe('');
  });

  it('shows the code that is compiled', () => {
    for (const { source, code } of snippets) {
      expect(source).toBeDefined();
      expect([source, code]).toEqual([source, regionOf(source!)]);
    }
  });

  it('names only commands that there are', () => {
    // What `sigil new` writes has scripts of its own.
    const template = read('packages/cli/templates/base/package.json.template');
    const scaffolded = [...template.matchAll(/^ {4}"(\w+)": "(?:sigil|tsc|node)/gm)].map(([, script]) => script);
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, name] of text.matchAll(/npm (?:run )?(start|test|(?<=run )\w+)/g)) {
      expect([...Object.keys(scripts), ...scaffolded]).toContain(name);
    }
  });

  it('links only to files that there are', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path ?? '');
    expect(links.filter((path) => !existsSync(join(root, dirname(guide), path)))).toEqual([]);
  });
});

describe('the README', () => {
  it('shows configurations that are JSON and start a program of the repository', () => {
    const configurations = blocksOf('README.md').filter(({ language }) => language === 'json');
    expect(configurations).toHaveLength(2);
    for (const { code } of configurations) {
      const { mcpServers, servers } = JSON.parse(code) as Record<string, { weather: { args: [string] } }>;
      const [program] = (mcpServers ?? servers)!.weather.args;
      const source = program.replace(/^.*\/(apps\/\w+)\/dist\/(\w+)\.js$/, '$1/src/$2.ts');
      expect([source, existsSync(join(root, source))]).toEqual(['apps/weather/src/main.ts', true]);
    }
  });
});
