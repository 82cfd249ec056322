/** tsconfig.json and the scripts of package.json: do they keep the types of parameters at run time? */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ProjectCheck } from './read-setup';

/** Checks that the compiler emits the types that Sigil reads. */
export const compilerSettings: ProjectCheck = {
  title: 'tsconfig.json keeps the types of parameters',
  *find({ settings, compiler: { ModuleKind }, manifest }) {
    if (!settings)
      return void (yield { problem: 'There is no tsconfig.json.', fix: 'Copy the one of a new project (sigil new).' });
    for (const flag of ['experimentalDecorators', 'emitDecoratorMetadata', 'isolatedModules'] as const)
      if (settings[flag] !== true)
        yield { problem: `${flag} is not set: ${WHY[flag]}.`, fix: `Put "${flag}": true into tsconfig.json.` };
    const kinds = [ModuleKind.CommonJS, ModuleKind.Node16, ModuleKind.Node18, ModuleKind.Node20, ModuleKind.NodeNext];
    if (settings.module === undefined || !kinds.includes(settings.module))
      yield {
        problem: 'module is not one of the kinds of Node, so Node may not find imported files.',
        fix: 'Put "module": "node20" into tsconfig.json.',
      };
    if (settings.module === ModuleKind.CommonJS && manifest.type === 'module')
      yield {
        problem:
          'module is CommonJS, but Node reads the files as ES modules, because package.json says "type": "module".',
        fix: 'Put "module": "node20" into tsconfig.json, so that the compiler writes what package.json says.',
      };
    if (settings.types?.some((each) => each === 'node' || each === '*') !== true)
      yield {
        problem: '"types" does not name "node": TypeScript 6 loads no types automatically.',
        fix: 'Put "types": ["node"] into tsconfig.json.',
      };
  },
};

const WHY = {
  experimentalDecorators: 'decorators follow the newer standard, which has no parameter decorators',
  emitDecoratorMetadata: 'the types of parameters are missing at run time',
  isolatedModules: 'tests are compiled differently from the build',
} as const;

/** Runners that compile each file without its types. */
const DROPPING: readonly (readonly [RegExp, string])[] = [
  [/(^|[\s/'"=])tsx(\s|$)/, 'tsx'],
  [/(^|[\s/'"=])esbuild(-register)?(\s|\/|$)/, 'esbuild'],
  [/(^|[\s/'"=])tsup(\s|$)/, 'tsup'],
  [/(^|\s)(vitest|vite-node)(\s|$)/, 'Vite'],
  [/--experimental-(strip|transform)-types/, 'Node itself'],
];

const SWC = /(^|[\s/'"=])(@swc-node|@swc\/register|swc-node|swc)([\s/]|$)/;

/** Checks that no script runs the sources without their types. */
export const metadataRunners: ProjectCheck = {
  title: 'No script runs the sources without the types of parameters',
  *find({ manifest, folder }) {
    for (const [name, line] of Object.entries(manifest.scripts ?? {})) {
      const dropping = DROPPING.find(([pattern]) => pattern.test(line))?.[1];
      const runner = dropping ?? (losesInSwc(line, folder) ? 'swc' : undefined);
      if (runner !== undefined)
        yield {
          problem: `The script "${name}" uses ${runner}, which drops the types of parameters.`,
          fix: FIX[runner] ?? 'Use sigil dev, or tsc and node.',
        };
    }
  },
};

const FIX: Readonly<Record<string, string>> = {
  Vite: 'Use jest with the preset @sigil-mcp/testing.',
  swc: 'Put jsc.transform.decoratorMetadata: true into .swcrc, or use tsc.',
};

/** `@swc-node/register` reads tsconfig.json; swc reads its own file. */
function losesInSwc(line: string, folder: string): boolean {
  if (!SWC.test(line) || line.includes('swc-node')) return false;
  const settings = join(folder, '.swcrc');
  return !existsSync(settings) || !/"decoratorMetadata"\s*:\s*true/.test(readFileSync(settings, 'utf8'));
}
