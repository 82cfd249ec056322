/** Where entries, and the guards and scopes that decide about them, stand in the sources of the project. */
import type * as TypeScript from 'typescript';
import type { Compiler } from '../project/load-typescript';
import { placeOf } from '../project/show-position';
import { findMember, nameOf, nodesOf, ParsedSources, positionOf, type NamedNodes } from '../project/parsed-sources';

/** An entry whose positions are looked for. */
export interface SoughtEntry {
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** The class and the method; undefined for an entry that is a function. */
  readonly feature: string | undefined;
  readonly member: string | undefined;
  /** The guard that decided about it, if one did. */
  readonly guard: string | undefined;
  /** The scopes that a caller lacks. */
  readonly missing: readonly string[];
}

/** A position that an editor can open. */
export interface EntryPosition {
  /** The absolute path. */
  readonly file: string;
  /** The path below the project. */
  readonly shown: string;
  /** Counted from 1. */
  readonly line: number;
  readonly column: number;
}

/** The positions of one entry. */
export interface EntryPositions {
  /** The method or the function; undefined if it was not found. */
  readonly place: EntryPosition | undefined;
  /** The class of the guard that decided; undefined if no guard of the project did. */
  readonly guardPlace: EntryPosition | undefined;
  /** Where the guard or the scopes that decided are given to the entry; undefined if nothing was refused. */
  readonly ruledBy: EntryPosition | undefined;
}

/** What makes the guards of the framework. */
const FACTORIES: Readonly<Record<string, string>> = {
  RateGuard: 'RateLimit',
  AuthenticatedGuard: 'Authenticated',
};

/** The names in the sources; the first node of a name counts. */
interface SourceNames {
  readonly classes: readonly TypeScript.ClassDeclaration[];
  /** The names of entries that are functions or data, as texts. */
  readonly texts: ReadonlyMap<string, TypeScript.Node>;
  /** The options `guards` and `scopes` of servers, modules and functions. */
  readonly options: readonly TypeScript.PropertyAssignment[];
}

/** Looks for positions in the sources as they are now. */
export class EntryPlaces {
  readonly #sources: ParsedSources;

  /** @param folder of the project */
  constructor(private readonly folder: string) {
    this.#sources = new ParsedSources(folder);
  }

  /** The positions of entries, in their order. */
  find(entries: readonly SoughtEntry[]): readonly EntryPositions[] {
    const { compiler } = this.#sources;
    if (!compiler) return entries.map(() => ({ place: undefined, guardPlace: undefined, ruledBy: undefined }));
    const names = namesIn(compiler, this.#sources.read());
    return entries.map((entry) => {
      const { feature } = entry;
      const found = findMember(compiler, names.classes, [feature, entry.member]);
      const guard = entry.guard?.replace(/\(.*/s, '');
      return {
        place: this.#place(
          found.member?.name ?? found.type?.name ?? (feature ? undefined : names.texts.get(entry.key)),
        ),
        guardPlace: this.#place(findMember(compiler, names.classes, [guard, undefined]).type?.name),
        ruledBy: this.#place(ruleOf(compiler, names, { ...found, entry })),
      };
    });
  }

  #place(node: TypeScript.Node | undefined): EntryPosition | undefined {
    if (!node) return undefined;
    const { file, shown, line, column } = placeOf(positionOf(node), this.folder);
    return { file, shown, line, column };
  }
}

function namesIn(compiler: Compiler, files: readonly TypeScript.SourceFile[]): SourceNames {
  const nodes = files.flatMap((file) => nodesOf(compiler, file));
  const texts = new Map<string, TypeScript.Node>();
  const options: TypeScript.PropertyAssignment[] = [];
  for (const node of nodes) {
    if (compiler.isStringLiteralLike(node) && namesEntry(compiler, node) && !texts.has(node.text))
      texts.set(node.text, node);
    else if (compiler.isPropertyAssignment(node) && /^(?:guards|scopes)$/.test(nameOf(compiler, node.name) ?? ''))
      options.push(node);
  }
  return { classes: nodes.filter((node) => compiler.isClassDeclaration(node)), texts, options };
}

/** Whether a text is the first argument of a call that is no decorator, such as `tool('echo', ...)`, or a member `name` or `uri`. */
function namesEntry(compiler: Compiler, { parent }: TypeScript.Node): boolean {
  if (compiler.isCallExpression(parent)) return !compiler.isDecorator(parent.parent);
  return (
    compiler.isPropertyAssignment(parent) && /^(?:name|uri|uriTemplate)$/.test(nameOf(compiler, parent.name) ?? '')
  );
}

/** The decorator or the option by which the guard or the scopes that decided apply: that of the method, the class, or the outermost one. */
function ruleOf(
  compiler: Compiler,
  { options }: SourceNames,
  { type, member, entry }: NamedNodes & { readonly entry: SoughtEntry },
): TypeScript.Node | undefined {
  const guard = entry.guard?.replace(/\(.*/s, '');
  const [decorator, option] = guard === undefined ? ['Scopes', 'scopes'] : ['UseGuards', 'guards'];
  const words = guard === undefined ? entry.missing : [FACTORIES[guard] ?? guard];
  if (words.length === 0) return undefined;
  const names = (node: TypeScript.Node): boolean => words.some((word) => wordsOf(node).includes(word));
  const decorators = [member, type].flatMap((node) => decoratorsOf(compiler, node));
  return (
    decorators.find((node) => new RegExp(`^@${decorator}\\b`).test(node.getText()) && names(node)) ??
    options.find((node) => nameOf(compiler, node.name) === option && names(node))
  );
}

/** The names and the contents of texts in a node. */
function wordsOf(node: TypeScript.Node): readonly string[] {
  return (
    node
      .getText()
      .match(/[\w$]+|'[^']*'|"[^"]*"/g)
      ?.map((word) => word.replace(/^['"]|['"]$/g, '')) ?? []
  );
}

function decoratorsOf(compiler: Compiler, node: TypeScript.Node | undefined): readonly TypeScript.Decorator[] {
  return node && compiler.canHaveDecorators(node) ? (compiler.getDecorators(node) ?? []) : [];
}
