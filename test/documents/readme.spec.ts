/** The README and the guides say what is so: their code is compiled, their links and commands exist. */
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
const read = (path: string): string => readFileSync(join(root, path), 'utf8');
const pages = readdirSync(join(root, 'docs'), { recursive: true, encoding: 'utf8' })
  .map((page) => `docs/${page.replaceAll('\\', '/')}`)
  .filter((page) => page.endsWith('.md') && !/\/(node_modules|\.vitepress|api|e)\//.test(page));
const packages = readdirSync(join(root, 'packages')).map((name) => `packages/${name}/README.md`);
const examples = readdirSync(join(root, 'apps')).map((name) => `apps/${name}/README.md`);
const guides = [
  'README.md',
  ...packages,
  ...examples,
  'bench/tmdevlab/README.md',
  ...pages.sort(),
  'CONTRIBUTING.md',
  'SECURITY.md',
  'CHANGELOG.md',
];

interface Block {
  language: string;
  code: string;
  /** `<file>#<region>` of the comment before the block. */
  source: string | undefined;
  /** The file that a reader writes it to: whoever follows the page compiles it. */
  written: string | undefined;
}

/** The fenced blocks of a guide, each with the name of a file or the comment that stands before it. */
const blocksOf = (guide: string): Block[] =>
  [...read(guide).matchAll(/(?:^`([\w./-]+)`\n\n)?(?:^<!-- snippet: (\S+) -->\n)?^```(\w*)\n([\s\S]*?)\n```$/gm)].map(
    ([, written, source, language = '', code = '']) => ({ language, code, source, written }),
  );

/** The lines between `// #region name` and `// #endregion name`, without their common indentation. */
function regionOf(source: string): string {
  const [file = '', name = ''] = source.split('#');
  const marked = new RegExp(`// #region ${name}\\n([\\s\\S]*?)\\n *// #endregion ${name}\\n`);
  const lines = (marked.exec(read(file))?.[1] ?? '').split('\n').filter((line) => !/^ *\/\/ #(end)?region /.test(line));
  const indents = lines.filter((line) => line.trim() !== '').map((line) => line.search(/\S/));
  return lines.map((line) => line.slice(Math.min(...indents))).join('\n');
}

describe.each(guides)('%s', (guide) => {
  const text = read(guide);
  // What the tutorial has its readers write, test/programs/packaging/tutorial.spec.ts writes and runs.
  // Specs write and compile what these pages tell their readers to write: tutorial.spec.ts and project-instances.spec.ts.
  const isDone = ['docs/tutorial.md', 'docs/deployment.md'].includes(guide);
  const snippets = blocksOf(guide).filter(({ language, written }) => language === 'ts' && !(isDone && written));

  it('shows the code that is compiled', () => {
    for (const { source, code } of snippets) {
      expect({ code, source }).toEqual({ code, source: expect.any(String) });
      expect(code).not.toBe('');
      expect([source, code]).toEqual([source, regionOf(source!)]);
    }
  });

  it('has code after the name of each region', () => {
    const named = [...text.matchAll(/^<!-- snippet: (\S+) -->\n(.*)$/gm)];
    expect(named.filter(([, , next = '']) => !next.startsWith('```')).map(([, source]) => source)).toEqual([]);
  });

  it('names only commands that there are', () => {
    // What `sigil new` writes has scripts of its own.
    const template = read('packages/cli/templates/base/package.json.template');
    const scaffolded = [...template.matchAll(/^ {4}"([\w-]+)": "(?:sigil|tsc|node|\{\{run)/gm)].map(
      ([, script]) => script,
    );
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    for (const [, name] of text.matchAll(/npm (?:run )?(start|test|(?<=run )[\w-]+)/g)) {
      expect([...Object.keys(scripts), ...scaffolded]).toContain(name);
    }
  });

  it('names only commands of sigil that there are', () => {
    const commands = blocksOf(guide).filter(({ language }) => language === 'sh');
    const named = commands.flatMap(({ code }) => [...code.matchAll(/^(?:npx )?sigil (\w+)/gm)].map(([, name]) => name));
    const folder = 'packages/cli/src/commands';
    const sources = readdirSync(join(root, folder)).map((file) => read(`${folder}/${file}`));
    const known = sources.flatMap((source) =>
      [...source.matchAll(/(?:\.command|registerOutside)\('(\w+)/g)].map(([, name]) => name),
    );
    expect(named.filter((name) => !known.includes(name))).toEqual([]);
  });

  it('links only to files that there are', () => {
    const links = [...text.matchAll(/\]\((?!https?:)([^)#]+)\)/g)].map(([, path]) => path ?? '');
    expect(links.filter((path) => !existsSync(join(root, dirname(guide), path)))).toEqual([]);
  });
});

describe('the figures of docs/performance.md', () => {
  const performance = read('docs/performance.md');
  const overHttp = performance.split('\n').filter((line) => /^\| (HTTP |the same with)/.test(line));
  const column = (index: number): number[] =>
    overHttp.flatMap((line) => (line.split('|')[index] ?? '').split('/').map(Number));
  const range = (figures: readonly number[], digits: number): string =>
    `${Math.min(...figures).toFixed(digits)} to ${Math.max(...figures).toFixed(digits)}`;

  const ofHundred = (index: number): string =>
    range(
      column(index).map((ratio) => 100 * ratio),
      0,
    );

  it('are those of the README', () => {
    const [, ...cpu] = /Sigil (\d+) to (\d+) µs .* it takes (\d+) to (\d+) and/s.exec(performance) ?? [];
    expect(read('README.md').replace(/\s+/g, ' ')).toContain(
      `A call over HTTP takes ${range(cpu.map(Number), 0)} µs of one core on a quiet machine. Sigil answers`,
    );
  });

  it.each(['README.md', 'docs/index.md', 'docs/comparison.md'])('are those of %s', (page) => {
    const text = read(page).replace(/\s+/g, ' ');
    expect(text).toContain(
      `Sigil answers ${ofHundred(2)} % of the calls a second of a minimal server written by hand, and the official SDK ${ofHundred(5)} % of them, depending on the kind of call (`,
    );
  });
});

it('the settings of jest that the guide shows are those of a new project', () => {
  const [shown] = blocksOf('docs/testing.md').filter(({ language }) => language === 'js');
  const [, line] = shown?.code.split('\n') ?? [];
  expect(read('packages/cli/templates/base/jest.config.js.template').split('\n')).toContain(line);
});

describe('what is put into AI applications', () => {
  it('is JSON, and starts the program of a new project or names its URL', () => {
    const configurations = blocksOf('docs/how-to/clients.md').filter(({ language }) => language === 'json');
    const started = configurations.map(({ code }) => {
      const { mcpServers, servers } = JSON.parse(code) as Record<string, { notes: Record<string, unknown> }>;
      const { args, url, serverUrl } = (mcpServers ?? servers)!.notes;
      return args ?? url ?? serverUrl;
    });
    const program = ['/path/to/notes/dist/main.js'];
    const url = 'https://mcp.example.com/mcp';
    expect(started).toEqual([program, program, url, url, url]);
    expect(read('packages/cli/templates/base/package.json.template')).toContain('"main": "dist/main.js"');
  });
});
