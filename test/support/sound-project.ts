/** A project that `sigil doctor` finds nothing wrong with, for tests that break it. */
import { runCaptured } from './captured-cli';
import { linkCompiler, TemporaryFolders, write } from './temporary-folder';

const folders = new TemporaryFolders();
/** Removes the projects of a test. */
export const removeProjects = (): void => folders.removeAll();

/** The folder of a project without anything. */
export const bareProject = (): string => folders.make({ 'package.json': '{}' });

/** A package that is installed: its manifest alone. */
export const installed = (name: string, version: string, rest: object = {}): Record<string, string> => ({
  [`node_modules/${name}/package.json`]: JSON.stringify({ name, version, ...rest }),
});
const compilerOptions = {
  module: 'node20',
  lib: ['es2023'],
  types: ['node'],
  isolatedModules: true,
  experimentalDecorators: true,
  emitDecoratorMetadata: true,
};
/** Settings with changes. */
export const tsconfig = (changes: object = {}): Record<string, string> => ({
  'tsconfig.json': JSON.stringify({ compilerOptions: { ...compilerOptions, ...changes }, include: ['src'] }),
});
/** The files of a project with nothing to fix. */
export const sound = {
  'package.json': JSON.stringify({ name: 'x', scripts: { dev: 'sigil dev', build: 'tsc' } }),
  ...tsconfig(),
  ...installed('reflect-metadata', '0.2.2'),
  ...installed('class-validator', '0.15.1'),
  ...installed('class-transformer', '0.5.1'),
  ...installed('@sigil-mcp/core', '0.1.0', { peerDependencies: { 'class-validator': '^0.15.1' } }),
  'src/main.ts':
    "import '@sigil-mcp/core/stdio/guard';\nimport { StdioTransport } from '@sigil-mcp/core/stdio';\nvoid StdioTransport;\n",
  'src/note.ts': 'export class Note {}\nexport type Kind = string;\n',
  'src/feature.ts': `import { Note, type Kind } from './note';
declare const Tool: () => MethodDecorator;
declare const Is: () => PropertyDecorator;
export class Query { @Is() kind!: Kind }
export class Notes { @Tool() add(note: Note, query: Query): void { void [note, query]; } }
`,
};

/** What `sigil doctor` says of that project with other files; to be removed by `removeProjects`. */
export async function doctor(files: Readonly<Record<string, string>>, ...words: string[]) {
  const folder = folders.make();
  linkCompiler(folder);
  write(folder, { ...sound, ...files });
  return runCaptured('doctor', folder, ...words);
}
