/** The errors of all packages: their pages, their codes and their sentences. */
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { CatalogueGroup } from '@sigil-mcp/core/internal';

const root = join(__dirname, '..', '..', '..');
const { errorGroups } = jest.requireActual<{
  errorGroups(root: string, folder: string, load: (path: string) => unknown): readonly CatalogueGroup[];
}>(join(root, 'scripts', 'error-groups.cjs'));
const groups = errorGroups(root, 'src', (path) => jest.requireActual(path));
const entries = Object.assign({}, ...groups.map(({ errors }) => errors)) as CatalogueGroup['errors'];

const sources = readdirSync(join(root, 'packages')).flatMap((name) => {
  const folder = join(root, 'packages', name, 'src');
  const files = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.ts'));
  return (
    files
      // Those of the base are classes and types.
      .filter((file) => name === 'base' || !/[\\/]catalogue[\\/]|^errors(?:\.ts|[\\/][\w-]*errors\.ts)$/.test(file))
      .map((file) => readFileSync(join(folder, file), 'utf8'))
  );
});
const named = new Set(
  sources
    .map((text) => text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/\benv(?:ironment)?\['\w+'\]/g, ''))
    .flatMap((text) => [...text.matchAll(/'(SIGIL_\w+)'/g)])
    .map(([, code]) => code),
);
const codes = groups.flatMap(({ errors }) => Object.keys(errors));

describe('the errors of all packages', () => {
  it('have each a place of its own on the pages of errors', () => {
    const folder = join(root, 'docs', 'errors');
    const pages = readdirSync(folder).map((name) => readFileSync(join(folder, name), 'utf8'));
    const shown = pages.flatMap((page) => [...page.matchAll(/^## (SIGIL_\w+)$/gm)].map(([, code]) => code));
    expect(shown.sort()).toEqual([...codes].sort());
  });

  it('has each code in one section', () => {
    expect(codes.length).toBe(new Set(codes).size);
  });

  it('holds no code that nothing uses', () => {
    expect(codes.filter((code) => !named.has(code))).toEqual([]);
  });

  it('holds every code that the sources name', () => {
    expect([...named].filter((code) => !codes.includes(code ?? ''))).toEqual([]);
  });

  it.each(Object.entries(entries))('says of %s what is wrong and how to fix it', (code, { problem, fix }) => {
    expect(code).toMatch(/^SIGIL(_[A-Z0-9]+)+$/);
    expect(problem).toMatch(/([.]|\})$/);
    expect(fix).toMatch(/^[A-Z]/);
    expect(fix).not.toBe(problem);
  });
});
