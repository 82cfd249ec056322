/** The sidebar of the API lists the names of a package on the pages of that package. */
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { callScript } from '../../judges/scripts/call-script';

interface Item {
  readonly text?: string;
  readonly link?: string;
  readonly base?: string;
  readonly collapsed?: boolean;
  readonly items?: readonly Item[];
}

let docs: string;
beforeEach(() => (docs = mkdtempSync(join(tmpdir(), 'sigil-docs-'))));
afterEach(() => rmSync(docs, { recursive: true }));

const write = (path: string, text: string): void => {
  const file = join(docs, 'reference', 'api', path);
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
};
const sidebars = (): Record<string, Item[]> =>
  callScript('../docs/.vitepress/api-sidebars.mjs', 'packageSidebars', docs) as Record<string, Item[]>;

it('has the names of the package by kind, functions first, and a way back', () => {
  write('index.md', '# API\n');
  write('base/index.md', '# @sigil-mcp/base\n');
  write('core/index.md', '# @sigil-mcp/core\n');
  write('core/interfaces/Guard.md', '# Guard\n');
  write('core/interfaces/Schema.md', '# Schema\\<Input = `unknown`, Output = `Input`\\>\n');
  write('core/functions/Tool.md', '# Tool()\n');
  write('core/functions/createServer.md', '# createServer()\n');
  write('core/functions/prompt-1.md', '# Prompt()\n');
  expect(Object.keys(sidebars())).toEqual(['/reference/api/core/', '/reference/api/base/']);
  expect(sidebars()['/reference/api/core/']).toEqual([
    {
      text: '@sigil-mcp/core',
      link: '/reference/api/core/',
      items: [
        {
          text: 'Functions',
          link: '#functions',
          base: '/reference/api/core/',
          items: [
            { text: 'createServer', link: 'functions/createServer' },
            { text: 'Prompt', link: 'functions/prompt-1' },
            { text: 'Tool', link: 'functions/Tool' },
          ],
        },
        {
          text: 'Interfaces',
          link: '#interfaces',
          base: '/reference/api/core/',
          items: [
            { text: 'Guard', link: 'interfaces/Guard' },
            { text: 'Schema', link: 'interfaces/Schema' },
          ],
        },
      ],
    },
    {
      items: [
        { text: 'All packages', link: '/reference/api/' },
        { text: 'Reference', link: '/reference/options' },
      ],
    },
  ]);
});

it('closes the kinds of a package with many names', () => {
  write('index.md', '# API\n');
  write('core/index.md', '# @sigil-mcp/core\n');
  for (let index = 0; index < 30; index++) write(`core/classes/Class${index}.md`, '# A class\n');
  const [{ items = [] } = {}] = sidebars()['/reference/api/core/'] ?? [];
  expect(items).toMatchObject([{ text: 'Classes', collapsed: true }]);
});

it('is empty before the pages are generated', () => {
  expect(sidebars()).toEqual({});
});
