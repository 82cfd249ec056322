/** The README says what is so: its code is compiled, its links and commands exist. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';

const root = join(__dirname, '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const readme = read('README.md');

interface Block {
  language: string;
  code: string;
  /** `<file>#<region>` of the comment before the block. */
  source: string | undefined;
}

/** The fenced blocks of the README, each with the comment that stands before it. */
const blocks: Block[] = [...readme.matchAll(/(?:<!-- snippet: (\S+) -->\n)?```(\w*)\n([\s\S]*?)\n```/g)].map(
  ([, source, language = '', code = '']) => ({ language, code, source }),
);
const snippets = blocks.filter(({ language }) => language === 'ts');

/** The lines between `// #region name` and `// #endregion name`, without their common indentation. */
function regionOf(source: string): string {
  const [file = '', name = ''] = source.split('#');
  const marked = new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n *// #endregion ${name}\\n`);
  const lines = (marked.exec(read(file))?.[1] ?? '').split('\n');
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...indents))).join('\n');
}

describe('the README', () => {
  it('shows a server and a test', () => {
    expect(snippets.length).toBeGreaterThanOrEqual(2);
    for (const { code } of snippets) expect(code).not.toBe('');
  });

  it.each(snippets)('shows the code that is compiled: $source', ({ source, code }) => {
    expect(source).toBeDefined();
    expect(code).toBe(regionOf(source!));
  });

  it('shows configurations that are JSON and start a program of the repository', () => {
    const configurations = blocks.filter(({ language }) => language === 'json');
    expect(configurations).toHaveLength(2);
    for (const { code } of configurations) {
      const { mcpServers, servers } = JSON.parse(code) as Record<string, { weather: { args: [string] } }>;
      const [program] = (mcpServers ?? servers)!.weather.args;
      const source = program.replace(/^.*\/(apps\/\w+)\/dist\/(\w+)\.js$/, '$1/src/$2.ts');
      expect([source, existsSync(join(root, source))]).toEqual(['apps/weather/src/main.ts', true]);
    }
  });

  it('names only commands that there are', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const named = [...readme.matchAll(/npm (?:run )?(start|test|(?<=run )\w+)/g)].map(([, name]) => name);
    expect(named.length).toBeGreaterThan(0);
    for (const name of named) expect(Object.keys(scripts)).toContain(name);
  });

  it('links only to files that there are', () => {
    const links = [...readme.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path ?? '');
    expect(links.filter((path) => !existsSync(join(root, path)))).toEqual([]);
  });
});
