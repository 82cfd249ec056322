/** The sources of a project, parsed without types. A file is parsed again only after it has changed. */
import type * as TypeScript from 'typescript';
import type { SourcePosition } from './show-position';
import { loadTypeScript, readSettings, type Compiler } from './load-typescript';

/** Parses the files that the settings of a project name. */
export class ParsedSources {
  /** Undefined for a project in JavaScript, which needs none. */
  readonly compiler: Compiler | undefined;
  #files = new Map<string, TypeScript.SourceFile>();

  /** @param folder of the project; without a compiler or settings, it has no sources */
  constructor(private readonly folder: string) {
    try {
      this.compiler = loadTypeScript(folder);
    } catch {
      // A project in JavaScript needs no compiler.
    }
  }

  /** The paths of the files. */
  names(): readonly string[] {
    return this.compiler ? namesOf(this.compiler, this.folder) : [];
  }

  /** The files as they are now. */
  read(): readonly TypeScript.SourceFile[] {
    const { compiler } = this;
    if (!compiler) return [];
    const files = namesOf(compiler, this.folder).map((name) => {
      const text = compiler.sys.readFile(name) ?? '';
      const known = this.#files.get(name);
      return known?.text === text ? known : compiler.createSourceFile(name, text, compiler.ScriptTarget.Latest, true);
    });
    this.#files = new Map(files.map((file) => [file.fileName, file]));
    return files;
  }
}

function namesOf(compiler: Compiler, folder: string): readonly string[] {
  const { sys } = compiler;
  const path = compiler.findConfigFile(folder, (name) => sys.fileExists(name));
  if (path === undefined) return [];
  return readSettings(compiler, path).fileNames.filter((name) => !/\.d\.[cm]?ts$/.test(name));
}

/** A node, and everything in it: each before what is within it. */
export function nodesOf(compiler: Compiler, node: TypeScript.Node): readonly TypeScript.Node[] {
  const nodes: TypeScript.Node[] = [];
  const visit = (each: TypeScript.Node): void => {
    nodes.push(each);
    compiler.forEachChild(each, visit);
  };
  visit(node);
  return nodes;
}

/** The name of a property or a member, if it is written as a name or a text. */
export function nameOf(compiler: Compiler, name: TypeScript.PropertyName | undefined): string | undefined {
  return name && (compiler.isIdentifier(name) || compiler.isStringLiteral(name)) ? name.text : undefined;
}

/** A class and its member. */
export interface NamedNodes {
  readonly type: TypeScript.ClassDeclaration | undefined;
  readonly member: TypeScript.ClassElement | undefined;
}

/** A class and its member, by their names. Two classes may have the same name; the one without the member is another one. */
export function findMember(
  compiler: Compiler,
  nodes: readonly TypeScript.Node[],
  [className, memberName]: readonly [string | undefined, string | undefined],
): NamedNodes {
  const classes = nodes.filter((node) => compiler.isClassDeclaration(node));
  const named = className === undefined ? [] : classes.filter(({ name }) => name?.text === className);
  const found = named.flatMap((type) => type.members.map((member) => ({ type, member })));
  return (
    found.find(({ member }) => nameOf(compiler, member.name) === memberName) ?? { type: named[0], member: undefined }
  );
}

/** The position of a node in its file. */
export function positionOf(node: TypeScript.Node): SourcePosition {
  const { fileName, text } = node.getSourceFile();
  const start = node.getStart();
  return { fileName, text, start, length: node.getEnd() - start };
}
