/** The strategies of a program of version 2, in all of its files: which names stand for them, and which classes each of them served. */
import { dirname, relative } from 'node:path';
import type * as TypeScript from 'typescript';
import type { MovedFile } from '../files/moved-file';
import { bare, decoratorsOf, nodesIn, valueOf } from '../files/syntax';

/** A class with `@McpController`. */
interface ServedClass {
  readonly name: string;
  readonly file: MovedFile;
  readonly node: TypeScript.ClassDeclaration;
  /** The server that it names; empty without one. */
  readonly server: string;
}

/** What the files of a program say of its strategies. */
export class ProgramStrategies {
  readonly #exported = new Set<string>();
  readonly #classes: ServedClass[] = [];
  /** Names of strategies that are not alone in their application: a project may have several programs, each with one. */
  readonly #together = new Set<string>();
  #count = 0;

  /** Whether it is a program of version 2. */
  get isVersion2(): boolean {
    return this.#count + this.#classes.length > 0;
  }

  /** Whether a strategy is one of several that share the classes of an application. */
  isOneOfSeveral({ variable }: FoundStrategy): boolean {
    return this.#together.has(variable.text);
  }

  /** Adds what a file of the old package says. */
  read(file: MovedFile): void {
    const names = strategiesOf(file).map(({ variable }) => variable.text);
    this.#count += names.length;
    for (const { variable } of strategiesOf(file)) if (isExportedIn(file, variable)) this.#exported.add(variable.text);
    this.#addTogether(names);
    for (const node of nodesIn(file, file.tree, file.compiler.isClassDeclaration)) {
      const [found] = decoratorsOf(file, node, 'McpController');
      if (!found || !node.name) continue;
      const [options] = found.call.arguments;
      const server = options && file.compiler.isObjectLiteralExpression(options) && valueOf(file, options, 'server');
      this.#classes.push({ name: node.name.text, file, node, server: keyOf(file, server || undefined) });
    }
  }

  /** Adds the strategies that a file connects to one application. */
  readConnected(file: MovedFile): void {
    this.#addTogether(connectedIn(file).map((name) => exportedAs(file, name)));
  }

  #addTogether(names: readonly string[]): void {
    if (new Set(names).size > 1) for (const name of names) this.#together.add(name);
  }

  /** Whether a text names a strategy of another file. */
  isNamedIn(text: string): boolean {
    return [...this.#exported].some((name) => new RegExp(`\\b${name}\\b`).test(text));
  }

  /** The names that stand for strategies in a file: its own, and those that it imports. */
  namesIn(file: MovedFile): ReadonlySet<string> {
    const { compiler, tree } = file;
    const imported = nodesIn(file, tree, compiler.isImportSpecifier)
      .filter(({ name, propertyName }) => this.#exported.has((propertyName ?? name).text))
      .map(({ name }) => name.text);
    return new Set([...imported, ...strategiesOf(file).map(({ variable }) => variable.text)]);
  }

  /** The classes that a strategy served, as a file calls them; classes that it cannot name are in `lost`. */
  servedBy(
    file: MovedFile,
    options: TypeScript.ObjectLiteralExpression,
  ): { readonly names: readonly string[]; readonly lost: readonly string[] } {
    const server = keyOf(file, valueOf(file, options, 'server'));
    const all = this.#classes.filter((each) => each.server === server);
    const isLost = (each: ServedClass): boolean =>
      each.file === file ? each.node.getStart() > options.getStart() : !isExported(each) || imports(each.file, file);
    const names = all.filter((each) => !isLost(each)).map((each) => nameIn(file, each));
    return { names, lost: all.filter(isLost).map(({ name }) => name) };
  }
}

/** A strategy that a constant holds. */
export interface FoundStrategy {
  readonly made: TypeScript.NewExpression;
  readonly options: TypeScript.ObjectLiteralExpression;
  readonly variable: TypeScript.Identifier;
}

/** The strategies of a file that are moved. */
export function strategiesOf(file: MovedFile): FoundStrategy[] {
  const { compiler, old } = file;
  return nodesIn(file, file.tree, compiler.isNewExpression).flatMap((made) => {
    if (old.exportedOf(made.expression) !== 'McpStrategy') return [];
    const [given] = made.arguments ?? [];
    const options = given && bare(file, given);
    const { parent } = made;
    const variable = compiler.isVariableDeclaration(parent) && compiler.isIdentifier(parent.name) && parent.name;
    return options && compiler.isObjectLiteralExpression(options) && variable ? [{ made, options, variable }] : [];
  });
}

/** The name of an import in the file that exports it; of anything else the same. */
function exportedAs(file: MovedFile, name: string): string {
  const found = nodesIn(file, file.tree, file.compiler.isImportSpecifier).find((each) => each.name.text === name);
  return (found?.propertyName ?? found?.name)?.text ?? name;
}

/** The calls that connect something to an application. */
export function connections(file: MovedFile): TypeScript.CallExpression[] {
  const { compiler } = file;
  return nodesIn(file, file.tree, compiler.isCallExpression).filter(({ expression }) =>
    /\.connectMicroservice$/.test(expression.getText()),
  );
}

/** The names of the strategies that a file connects. */
export function connectedIn(file: MovedFile): string[] {
  const { compiler } = file;
  return connections(file)
    .flatMap(({ arguments: given }) => given.map((each) => bare(file, each)))
    .filter((each) => compiler.isObjectLiteralExpression(each))
    .flatMap((each) => valueOf(file, each, 'strategy')?.getText() ?? []);
}

/** The name of a server as both sides write it. */
function keyOf({ compiler }: MovedFile, value: TypeScript.Expression | undefined): string {
  if (!value) return '';
  return compiler.isStringLiteralLike(value) ? value.text : value.getText();
}

function nameIn(file: MovedFile, { name, file: other }: ServedClass): string {
  if (other === file) return name;
  const known = nodesIn(file, file.tree, file.compiler.isImportSpecifier).find(
    (each) => (each.propertyName ?? each.name).text === name,
  );
  return known?.name.text ?? file.want(specifierOf(file, other), name);
}

function isExported({ file: { compiler }, node }: ServedClass): boolean {
  return node.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword) === true;
}

function isExportedIn({ compiler, text }: MovedFile, variable: TypeScript.Identifier): boolean {
  const statement = compiler.findAncestor(variable, compiler.isVariableStatement);
  const isMarked = statement?.modifiers?.some(({ kind }) => kind === compiler.SyntaxKind.ExportKeyword) === true;
  return isMarked || new RegExp(`export\\s*\\{[^}]*\\b${variable.text}\\b`).test(text);
}

/** How a file names another one in an import, with the ending that its own relative imports have. */
function specifierOf(file: MovedFile, { source }: MovedFile): string {
  const path = relative(dirname(file.source.path), source.path).replaceAll('\\', '/');
  const isWithEnding = /from ['"]\.[^'"]*\.m?js['"]/.test(file.text);
  const named = path.replace(/\.([cm]?)tsx?$/, isWithEnding ? '.$1js' : '');
  return named.startsWith('.') ? named : `./${named}`;
}

/** Whether a file imports another one, which then must not import it. */
function imports(file: MovedFile, other: MovedFile): boolean {
  const specifier = specifierOf(file, other);
  return new RegExp(`from ['"]${specifier.replaceAll('.', '\\.')}['"]`).test(file.text);
}
