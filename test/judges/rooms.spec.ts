/** The rule that keeps the rooms in their order, on a house of a few rooms; `.dependency-cruiser.cjs` holds it for ours. */
import { execFile } from 'node:child_process';
import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';

const root = join(__dirname, '..', '..');
const depcruise = join(root, 'node_modules', 'dependency-cruiser', 'bin', 'dependency-cruise.mjs');

const RULES = `
const { orderedFolders, rulesOf } = require(${JSON.stringify(join(root, 'scripts', 'rooms.cjs'))});
module.exports = { forbidden: orderedFolders(__dirname).flatMap(rulesOf), options: { tsPreCompilationDeps: true } };
`;
/** From the ground floor up; one name begins as another does. */
const NAMES = ['calls', 'cellar', 'kitchen', 'attic', 'call'];
const ROOMS = { 'packages/house/src': Object.fromEntries(NAMES.map((room) => [room, `what belongs in the ${room}`])) };

/** Edges that lead down. */
const RIGHT = {
  'cellar/wine.ts': 'export interface Wine { readonly year: number }\nexport const corks = 7;\n',
  'kitchen/meal.ts': "import { corks } from '../cellar/wine';\nexport const meal = corks;\n",
  'attic/chest.ts':
    "import type { Wine } from '../cellar/wine';\nimport { meal } from '../kitchen/meal';\n" +
    'export type Chest = Wine;\nexport const lock = meal;\n',
  'calls/bell.ts': 'export const rings = 3;\n',
  'cellar/door.ts': "import { rings } from '../calls/bell';\nexport const knocks = rings;\n",
};
const WRONG = {
  'cellar/value.ts': "import { lock } from '../attic/chest';\nexport const key = lock;\n",
  'cellar/type.ts': "import type { Chest } from '../attic/chest';\nexport type Box = Chest;\n",
  'cellar/type-in-passing.ts': "export type Box = import('../attic/chest').Chest;\n",
  'cellar/handed-on.ts': "export { lock } from '../attic/chest';\n",
  'cellar/one-floor.ts': "import { meal } from '../kitchen/meal';\nexport const smell = meal;\n",
  'kitchen/one-floor.ts': "import { lock } from '../attic/chest';\nexport const noise = lock;\n",
};

const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-rooms-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

interface Cruised {
  /** How many errors there are. */
  readonly code: unknown;
  readonly said: string;
}

/** Builds a house of these files, and asks dependency-cruiser about it. */
function cruise(name: string, sources: Readonly<Record<string, string>>): Promise<Cruised> {
  const cwd = join(folder, name);
  const write = (path: string, text: string): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  write('rules.cjs', RULES);
  write('scripts/rooms.json', JSON.stringify(ROOMS));
  for (const [path, text] of Object.entries(sources)) write(`packages/house/src/${path}`, text);
  return new Promise((resolve) => {
    const args = [depcruise, 'packages', '--config', 'rules.cjs', '--output-type', 'err-long'];
    const env = { ...process.env, NO_COLOR: '1' };
    execFile(process.execPath, args, { cwd, env }, (error, stdout) =>
      resolve({ code: error?.code ?? 0, said: stdout }),
    );
  });
}

describe('a room', () => {
  let right: Cruised;
  let both: Cruised;
  beforeAll(async () => {
    [right, both] = await Promise.all([cruise('right', RIGHT), cruise('both', { ...RIGHT, ...WRONG })]);
  }, 120_000);

  it('imports from the rooms below it', () => {
    expect(right.said).toContain('(5 modules, 4 dependencies cruised)');
    expect(right.code).toBe(0);
  });

  it.each(Object.keys(WRONG))('imports nothing from a room above it, neither values nor types (%s)', (file) => {
    const edges = both.said.split('\n').filter((line) => line.includes(`packages/house/src/${file} `));
    expect(edges).toEqual([expect.stringContaining(`error order-of-packages/house/src/${dirname(file)}:`)]);
  });

  it('that does is told which rule it broke, and no other room is', () => {
    const words = both.said.replace(/\s+/g, ' ');
    expect(words).toContain('cellar (what belongs in the cellar) imports only from rooms below it; see rooms.json.');
    expect(both.code).toBe(Object.keys(WRONG).length);
  });
});
