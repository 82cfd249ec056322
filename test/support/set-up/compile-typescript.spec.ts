/** What the native compiler makes of all files at once is what ts-jest makes of each, and only of the text that it has seen. */
import { spawnSync } from 'node:child_process';
import { createRequire } from 'node:module';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import tsJest from 'ts-jest';

interface Folders {
  readonly folder: string;
  readonly from: string;
}

const root = join(__dirname, '..', '..', '..');
const { compileAhead, findCompiled } = createRequire(__filename)(join(root, 'scripts', 'compile-typescript.cjs')) as {
  compileAhead(
    run: (program: string, args: readonly string[]) => Promise<string>,
    options: Folders & { readonly include: readonly string[] },
  ): Promise<void>;
  findCompiled(text: string, path: string, folders: Folders): string | undefined;
};

const SHAPES = `export enum Size { Small = 1 }
export type Name = string;
export interface Shape { readonly size: Size }
export class Circle implements Shape { readonly size = Size.Small; }
`;
const TOOL = `import { Circle, Size, type Name, type Shape } from './shapes';
const mark = (): MethodDecorator => () => undefined;
export class Tool {
  @mark()
  async draw(circle: Circle, size: Size, when: Date): Promise<Shape> {
    const { join } = await import('node:path');
    return { size: circle.size === size ? size : when.getTime(), ...(join('a') && {}) };
  }
  @mark()
  name(name: Name): Name { return name; }
}
`;

let from: string;
let folders: Folders;
const paths = (name: string) => join(from, 'test', name);
const run = jest.fn(async (program: string, args: readonly string[]) => {
  const { stdout, stderr } = spawnSync(process.execPath, [program, ...args], { cwd: from, encoding: 'utf8' });
  return stdout + stderr;
});

beforeAll(async () => {
  from = mkdtempSync(join(tmpdir(), 'sigil-ahead-'));
  folders = { folder: join(from, 'compiled'), from };
  mkdirSync(join(from, 'test'));
  writeFileSync(paths('shapes.ts'), SHAPES);
  writeFileSync(paths('tool.ts'), TOOL);
  writeFileSync(paths('broken.ts'), 'export const broken = [1;\n');
  await compileAhead(run, { ...folders, include: ['test'] });
});
afterAll(() => rmSync(from, { recursive: true, force: true }));

const withoutMap = (code = '') => code.replace(/\/\/# sourceMappingURL=.*/, '').trim();

it.each([
  ['types and classes', 'shapes.ts', SHAPES],
  ['decorators, whose types are imported', 'tool.ts', TOOL],
])('makes the same of %s', (_what, name, text) => {
  const config = { cwd: root, rootDir: root, testMatch: [], testRegex: [], extensionsToTreatAsEsm: [] };
  const how = { cacheFS: new Map(), config, configString: '', transformerConfig: {}, supportsStaticESM: false };
  const alone = tsJest
    .createTransformer({ tsconfig: join(root, 'tsconfig.test.json') })
    .process(text, paths(name), how as never);
  expect(withoutMap(findCompiled(text, paths(name), folders))).toBe(withoutMap(alone.code));
});

it('names the source by its path, where coverage and stacks look for it', () => {
  const [, map = ''] = /base64,(.*)/.exec(findCompiled(TOOL, paths('tool.ts'), folders) ?? '') ?? [];
  expect(JSON.parse(Buffer.from(map, 'base64').toString('utf8'))).toMatchObject({
    sources: [paths('tool.ts')],
    sourcesContent: [TOOL],
  });
});

it('leaves to ts-jest what has changed, what is new and what cannot be compiled', () => {
  expect(findCompiled(`${TOOL}\n`, paths('tool.ts'), folders)).toBeUndefined();
  expect(findCompiled(TOOL, paths('new.ts'), folders)).toBeUndefined();
  expect(findCompiled('export const broken = [1;\n', paths('broken.ts'), folders)).toBeUndefined();
});

it('compiles a folder once', async () => {
  await compileAhead(run, { ...folders, include: ['test'] });
  expect(run).toHaveBeenCalledTimes(1);
});
