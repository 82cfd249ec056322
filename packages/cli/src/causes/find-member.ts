/** Finds the class or the member that a mistake of a definition names, in the sources of the project. */
import type * as TypeScript from 'typescript';
import type { SourcePosition } from '../project/show-position';
import type { Compiler } from '../project/load-typescript';
import type { CrashProblem } from './crash-report';
import { findMember, nameOf, nodesOf, ParsedSources, positionOf } from '../project/parsed-sources';

/** The sources of a project, parsed without types. */
export class Sources {
  readonly #compiler: Compiler | undefined;
  readonly #sources: ParsedSources;
  #known: readonly TypeScript.Node[] | undefined;

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
    const [, other, used] = /^([\w$]+)\.([\w$]+)/.exec(problem) ?? [];
    const property = findMember(compiler, this.#nodes(), [other, used]).member;
    const [, className, name] = /^([\w$]+)(?:\.([\w$]+))?/.exec(where) ?? [];
    const { type, member } = findMember(compiler, this.#nodes(), [className, name]);
    const own = member ? parameterOf(compiler, member, problem) : type?.name;
    const node = listed ?? property?.name ?? property ?? own;
    return node && positionOf(node);
  }

  /** The last call of a function or a method of this name: of `listen`, an error at the start has no frame. */
  findCall(name: string): SourcePosition | undefined {
    const compiler = this.#compiler;
    const callees = this.#nodes().map((node) => {
      const called = compiler?.isCallExpression(node) ? node.expression : undefined;
      return called && compiler?.isPropertyAccessExpression(called) ? called.name : called;
    });
    const last = callees.findLast((callee) => callee?.getText() === name);
    return last && positionOf(last);
  }

  /** The name of a class in the array of `features`. */
  #findFeature(compiler: Compiler, name: string): TypeScript.Node | undefined {
    const lists = this.#nodes().flatMap((node) => {
      if (!compiler.isPropertyAssignment(node) || nameOf(compiler, node.name) !== 'features') return [];
      return compiler.isArrayLiteralExpression(node.initializer) ? node.initializer.elements : [];
    });
    return lists.find((each) => each.getText() === name);
  }

  #nodes(): readonly TypeScript.Node[] {
    const compiler = this.#compiler;
    if (!compiler) return [];
    return (this.#known ??= this.#sources.read().flatMap((file) => nodesOf(compiler, file)));
  }
}

/** The parameter that the sentence names by its number, or else the name of the member. */
function parameterOf(compiler: Compiler, member: TypeScript.ClassElement, problem: string): TypeScript.Node {
  const position = Number(/\bparameter (\d+)\b/.exec(problem)?.[1]);
  const parameter = compiler.isMethodDeclaration(member) ? member.parameters[position - 1] : undefined;
  return parameter ?? member.name ?? member;
}
