/** A project for the checks of `sigil doctor`: the manifest, the compiler settings, the sources, and the installed packages. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type * as TypeScript from 'typescript';
import { nodesOf } from '../project/parsed-sources';
import { failure } from '../failure';
import { findProject, shownPath } from '../project/find-project';
import { loadTypeScript, readSettings, type Compiler } from '../project/load-typescript';
import { findInstalled, readManifest, type InstalledPackage, type Manifest } from './installed-packages';

/** A problem. */
export interface Finding {
  /** The problem, in one sentence. */
  readonly problem: string;
  /** The fix, in one sentence. */
  readonly fix: string;
}

/** A check of a project. */
export interface ProjectCheck {
  /** The sentence that is true if there is no problem: "Node is new enough". */
  readonly title: string;
  find(setup: ReadSetup): Iterable<Finding>;
}

/** A project as the checks see it. */
export class ReadSetup {
  readonly nodeVersion: string = process.versions.node;
  readonly manifest: Manifest;
  readonly installed: readonly InstalledPackage[];
  readonly compiler: Compiler;
  /** The compiler settings, including inherited ones; undefined if there is no tsconfig.json. */
  readonly settings: TypeScript.CompilerOptions | undefined;
  /** The sources, with types. */
  readonly program: TypeScript.Program;
  /** Those that the build compiles, without those of packages. */
  readonly files: readonly TypeScript.SourceFile[];
  readonly checker: TypeScript.TypeChecker;
  readonly #nodes = new Map<TypeScript.SourceFile, readonly TypeScript.Node[]>();

  /** @param folder of a project with a package.json and its packages */
  constructor(readonly folder: string) {
    this.compiler = loadTypeScript(folder);
    const parsed = settingsIn(this.compiler, folder);
    this.settings = parsed?.options;
    // Names can be resolved without the built-in and ambient types.
    const options = { ...parsed?.options, noEmit: true, noLib: true, types: [], skipLibCheck: true };
    this.manifest = readManifest(folder);
    this.program = this.compiler.createProgram(parsed?.fileNames ?? [], options);
    // It sets the parents of all nodes.
    this.checker = this.program.getTypeChecker();
    this.files = this.program
      .getSourceFiles()
      .filter(({ fileName, isDeclarationFile }) => !isDeclarationFile && !fileName.includes('/node_modules/'));
    this.installed = findInstalled(folder);
  }

  /** Everything in a file, or in all files of the project, each before what is within it. */
  nodes(file?: TypeScript.SourceFile): readonly TypeScript.Node[] {
    if (!file) return this.files.flatMap((each) => this.nodes(each));
    const known = this.#nodes.get(file);
    if (known) return known;
    const nodes = nodesOf(this.compiler, file);
    this.#nodes.set(file, nodes);
    return nodes;
  }

  /** The classes of all files. */
  classes(): readonly TypeScript.ClassDeclaration[] {
    return this.nodes().filter((node) => this.compiler.isClassDeclaration(node));
  }

  /** The decorators of a node. */
  decorators(node: TypeScript.Node): readonly TypeScript.Decorator[] {
    return (this.compiler.canHaveDecorators(node) && this.compiler.getDecorators(node)) || [];
  }

  /** The file and line of a node, such as `src/notes.feature.ts:12`. */
  positionOf(node: TypeScript.Node): string {
    const file = node.getSourceFile();
    const { line } = file.getLineAndCharacterOfPosition(node.getStart(file));
    return `${shownPath(this.folder, file.fileName)}:${line + 1}`;
  }
}

/**
 * @param from a folder in the project
 * @throws CliFailure if there is no project, or nothing is installed
 */
export function readSetup(from: string): ReadSetup {
  const { folder } = findProject(from);
  if (!existsSync(join(folder, 'package.json'))) throw failure('SIGIL_PROJECT_MANIFEST', { folder });
  if (!existsSync(join(folder, 'node_modules'))) throw failure('SIGIL_PROJECT_NOT_INSTALLED', { folder });
  return new ReadSetup(folder);
}

function settingsIn(compiler: Compiler, folder: string): TypeScript.ParsedCommandLine | undefined {
  const path = join(folder, 'tsconfig.json');
  if (!existsSync(path)) return undefined;
  const { mistake, ...settings } = readSettings(compiler, path);
  if (!mistake) return settings;
  const reason = compiler.flattenDiagnosticMessageText(mistake.messageText, ' ').replace(/\.$/, '');
  throw failure('SIGIL_PROJECT_FILE', { file: path, reason });
}
