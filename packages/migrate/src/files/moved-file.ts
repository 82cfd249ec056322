/** One source file while it is moved: what changes in it, what it imports afterwards, and what is left to do. */
import type * as TypeScript from 'typescript';
import type { Compiler, SourceFile } from '@sigil-mcp/cli/kit';
import { Edits } from './edits';
import { importsFrom, isMemberName, type ImportedNames } from './imported-names';
import { type Source, addressOf, type PageName } from '../sources/source';

/** What was moved, by the word that the summary counts it under. */
export type MoveKind =
  'tools' | 'resources' | 'prompts' | 'contexts' | 'guards' | 'modules' | 'programs' | 'DTO classes';

/** Something to do by hand, or to know. */
export interface Notice {
  /** In the file as it was. */
  readonly at: number;
  /** `todo`: the code is left as it is, with a comment. `note`: it is moved, and behaves differently. */
  readonly kind: 'todo' | 'note';
  readonly reason: string;
  readonly page: PageName;
  /** Whether its comment is in code that was replaced. */
  readonly isWritten: boolean;
}

/** The comment above a place that is left as it is. */
export function commentOf({ reason, page }: Pick<Notice, 'reason' | 'page'>): string {
  return `// TODO(sigil): ${reason} ${addressOf(page)}`;
}

/** A file of the project. */
export class MovedFile {
  readonly edits = new Edits();
  readonly notices: Notice[] = [];
  readonly counts = new Map<MoveKind, number>();
  /** The names of the package that is left, as this file imports them. */
  readonly old: ImportedNames;
  /** What it imports afterwards: by module, the local name of each exported one. */
  readonly wanted = new Map<string, Map<string, string>>();
  /** The nodes of names whose use was moved. */
  readonly handled = new Set<TypeScript.Node>();

  constructor(
    readonly compiler: Compiler,
    readonly source: SourceFile,
    readonly shown: string,
    /** The package that is left. */
    readonly from: Source,
  ) {
    this.old = importsFrom(compiler, source.tree, from.package);
  }

  get text(): string {
    return this.source.text;
  }

  get tree(): TypeScript.SourceFile {
    return this.source.tree;
  }

  count(what: MoveKind): void {
    this.counts.set(what, (this.counts.get(what) ?? 0) + 1);
  }

  replace(node: TypeScript.Node, text: string): void {
    this.edits.replace(node.getStart(), node.getEnd(), text);
  }

  /** The text of a node, with the changes inside of it. */
  textOf(node: TypeScript.Node): string {
    return this.edits.apply(this.text, node.getStart(), node.getEnd());
  }

  /** Imports a name. @returns how the file calls it */
  want(module: string, name: string, preferred = name): string {
    const names = this.wanted.get(module) ?? new Map<string, string>();
    this.wanted.set(module, names);
    const known = names.get(name) ?? importsFrom(this.compiler, this.tree, module).localOf(name);
    if (known !== undefined) return known;
    const local = this.#isTaken(preferred) ? `Sigil${name}` : preferred;
    names.set(name, local);
    return local;
  }

  /** Leaves a place as it is, with a comment above it. */
  todo(node: TypeScript.Node, reason: string, page: PageName): void {
    this.#addTodo({ at: node.getStart(), kind: 'todo', reason, page, isWritten: false });
  }

  /** The same for code that the caller replaces. @returns the comment that it has to write */
  todoWithin(node: TypeScript.Node, reason: string, page: PageName): string {
    this.#addTodo({ at: node.getStart(), kind: 'todo', reason, page, isWritten: true });
    return commentOf({ reason, page });
  }

  #addTodo(todo: Notice): void {
    const lineOf = (at: number): number => this.text.lastIndexOf('\n', at);
    const isKnown = this.notices.some(
      ({ kind, reason, at }) => kind === 'todo' && reason === todo.reason && lineOf(at) === lineOf(todo.at),
    );
    if (!isKnown) this.notices.push(todo);
  }

  /** Reports a difference in behaviour. */
  note(node: TypeScript.Node, reason: string, page: PageName): void {
    this.notices.push({ at: node.getStart(), kind: 'note', reason, page, isWritten: false });
  }

  /** Whether a name means something else in this file. */
  #isTaken(name: string): boolean {
    if (this.old.locals.includes(name)) return false;
    const { compiler } = this;
    const means = (node: TypeScript.Node): true | undefined => {
      if (compiler.isIdentifier(node)) return (node.text === name && !isMemberName(compiler, node)) || undefined;
      return compiler.forEachChild(node, means);
    };
    return means(this.tree) === true;
  }
}
