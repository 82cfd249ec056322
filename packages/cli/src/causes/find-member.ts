/** Finds the class or the member that a mistake of a definition names, in the sources of the project. */
import type * as TypeScript from 'typescript';
import type { SourcePosition } from '../project/show-position';
import type { Compiler } from '../project/load-typescript';
import type { CrashProblem } from './crash-report';
import { nameOf, ParsedSources, positionOf } from './parsed-sources';

/** The sources of a project, parsed without types. */
export class Sources {
  readonly #compiler: Compiler | undefined;
  readonly #sources: ParsedSources;
  #files: readonly TypeScript.SourceFile[] | undefined;

  /** @param folder of the project; without a compiler or settings, it has no sources */
  constructor(folder: string) {
    this.#sources = new ParsedSources(folder);
    this.#compiler = this.#sources.compiler;
  }

  /**
   * The position of the property, the parameter, the member or the class that a mistake is about. A sentence that begins with a property
   * of another class (`Note.title has no decorator`) is about this property, which is used at `where`.
   */
  find({ where, problem, code }: Omit<CrashProblem, 'fix'>): SourcePosition | undefined {
    const compiler = this.#compiler;
    if (!compiler) return undefined;
    const listed = code === 'SIGIL_NO_FEATURE' ? this.#findFeature(compiler, where) : undefined;
    if (listed) return positionOf(listed);
    const property = this.#findNamed(compiler, /^([\w$]+)\.([\w$]+)/.exec(problem));
    if (property.member) return positionOf(property.member.name ?? property.member);
    const { type, member } = this.#findNamed(compiler, /^([\w$]+)(?:\.([\w$]+))?/.exec(where));
    const node = member ? parameterOf(compiler, member, problem) : type?.name;
    return node && positionOf(node);
  }

  /** The last call of a function or a method of this name: of `listen`, an error at the start has no frame. */
  findCall(name: string): SourcePosition | undefined {
    const compiler = this.#compiler;
    if (!compiler) return undefined;
    const calls: TypeScript.Node[] = [];
    const visit = (node: TypeScript.Node): void => {
      const called = compiler.isCallExpression(node) ? node.expression : undefined;
      const callee = called && compiler.isPropertyAccessExpression(called) ? called.name : called;
      if (callee?.getText() === name) calls.push(callee);
      compiler.forEachChild(node, visit);
    };
    this.#parsed().forEach(visit);
    const last = calls.at(-1);
    return last && positionOf(last);
  }

  /** The name of a class in the array of `features`. */
  #findFeature(compiler: Compiler, name: string): TypeScript.Node | undefined {
    const visit = (node: TypeScript.Node): TypeScript.Node | undefined => {
      const isList =
        compiler.isPropertyAssignment(node) &&
        nameOf(compiler, node.name) === 'features' &&
        compiler.isArrayLiteralExpression(node.initializer);
      const listed = isList ? node.initializer.elements : [];
      return listed.find((each) => each.getText() === name) ?? compiler.forEachChild(node, visit);
    };
    return this.#parsed()
      .map(visit)
      .find((node) => node !== undefined);
  }

  /** The class and the member of a match. Two classes may have the same name; the one without the member is another one. */
  #findNamed(
    compiler: Compiler,
    named: readonly string[] | null,
  ): {
    readonly type?: TypeScript.ClassDeclaration | undefined;
    readonly member?: TypeScript.ClassElement | undefined;
  } {
    const [, className, memberName] = named ?? [];
    if (className === undefined) return {};
    const found = this.#classes(compiler).filter(({ name }) => name?.text === className);
    const [member] = found.flatMap(({ members }) =>
      members.filter(({ name }) => nameOf(compiler, name) === memberName),
    );
    return { type: found[0], member };
  }

  #classes(compiler: Compiler): readonly TypeScript.ClassDeclaration[] {
    const classes: TypeScript.ClassDeclaration[] = [];
    const visit = (node: TypeScript.Node): void => {
      if (compiler.isClassDeclaration(node)) classes.push(node);
      compiler.forEachChild(node, visit);
    };
    this.#parsed().forEach(visit);
    return classes;
  }

  #parsed(): readonly TypeScript.SourceFile[] {
    return (this.#files ??= this.#sources.read());
  }
}

/** The parameter that the sentence names by its number, or else the name of the member. */
function parameterOf(compiler: Compiler, member: TypeScript.ClassElement, problem: string): TypeScript.Node {
  const position = Number(/\bparameter (\d+)\b/.exec(problem)?.[1]);
  const parameter = compiler.isMethodDeclaration(member) ? member.parameters[position - 1] : undefined;
  return parameter ?? member.name ?? member;
}
