/**
 * Code that bypasses the guard of stdout: the guard replaces `process.stdout`, but not the file descriptor below it, which the
 * process shares with its children.
 */
import type * as TypeScript from 'typescript';
import type { ProjectCheck, ReadSetup } from './read-setup';

/** The module with the stdio transport. */
export const STDIO = '@sigil-mcp/core/stdio';

/** The module that keeps stdout for the protocol. */
export const GUARD = '@sigil-mcp/core/stdio/guard';

/** Functions of `node:fs` whose first argument can be a file descriptor. */
const WRITERS = /^(?:write|writev|writeFile|appendFile)(?:Sync)?$/;
/** The paths under which systems offer this descriptor as a file. */
const STDOUT_FILES = /^\/(?:dev\/stdout|dev\/fd\/1|proc\/self\/fd\/1)$/;

/** Checks that no code in the process of a server over stdio writes to file descriptor 1, or passes it to a child. */
export const belowGuard: ProjectCheck = {
  title: 'No code bypasses the guard of stdout',
  *find(setup) {
    const { compiler } = setup;
    for (const node of filesSpeakingStdio(setup).flatMap((file) => setup.nodes(file))) {
      const call = compiler.isCallExpression(node) ? node : undefined;
      if (call && writesToStdout(setup, call))
        yield {
          problem: `${setup.positionOf(node)} writes to file descriptor 1, which bypasses the guard of stdout, so the client receives it.`,
          fix: 'Use console.log() or process.stdout, which the guard redirects to stderr, or file descriptor 2.',
        };
      const isProperty = compiler.isPropertyAssignment(node) && handsOnStdout(setup, node);
      if (isProperty || (call && forksWithStdout(setup, call)))
        yield {
          problem: `${setup.positionOf(node)} gives a child process the stdout of the server, so the client receives its output.`,
          fix: "Write stdio: ['ignore', 'pipe', 'inherit'] and read its stdout, or use 2 instead of 'pipe' to send it to stderr.",
        };
    }
  },
};

/** `fs.writeSync(1, ...)`, `writeSync(process.stdout.fd, ...)`, `fs.createWriteStream(null, { fd: 1 })`. */
function writesToStdout(setup: ReadSetup, call: TypeScript.CallExpression): boolean {
  const name = functionOf('fs', setup, call.expression);
  const [first, second] = call.arguments;
  if (name === undefined || !first) return false;
  if (WRITERS.test(name)) return isStdout(setup, first);
  if (name !== 'createWriteStream') return false;
  return isStdout(setup, first) || (second !== undefined && isStdout(setup, memberOf(setup, second, 'fd')));
}

/** `stdio: 'inherit'` and `stdio: [_, 'inherit']`, `[_, 1]`, `[_, process.stdout]`, of any function that starts children. */
function handsOnStdout(setup: ReadSetup, { name, initializer }: TypeScript.PropertyAssignment): boolean {
  const { compiler } = setup;
  if (!(compiler.isIdentifier(name) || compiler.isStringLiteral(name)) || name.text !== 'stdio') return false;
  const value = valueOf(setup, initializer);
  const own = compiler.isArrayLiteralExpression(value) ? value.elements[1] && valueOf(setup, value.elements[1]) : value;
  if (own === undefined) return false;
  return (compiler.isStringLiteralLike(own) && own.text === 'inherit') || isStdout(setup, own);
}

/** `fork('worker.js')`: a child inherits stdout unless the options say otherwise. */
function forksWithStdout(setup: ReadSetup, { expression, arguments: given }: TypeScript.CallExpression): boolean {
  if (functionOf('child_process', setup, expression) !== 'fork') return false;
  const options = given.slice(1).map((each) => valueOf(setup, each));
  return options.every((each) => {
    if (setup.compiler.isArrayLiteralExpression(each)) return true;
    // Options that cannot be read may contain anything.
    if (!setup.compiler.isObjectLiteralExpression(each)) return false;
    return each.properties.every((member) => /^(?!(?:silent|stdio)$)\w+$/.test(member.name?.getText() ?? ''));
  });
}

/** The name of a function in its module, if the callee is that function. */
function functionOf(module: string, setup: ReadSetup, callee: TypeScript.Expression): string | undefined {
  const { compiler } = setup;
  if (compiler.isPropertyAccessExpression(callee)) {
    const from = declarationOf(setup, callee.expression);
    return from && moduleBehind(setup, from) === module ? callee.name.text : undefined;
  }
  if (!compiler.isIdentifier(callee)) return undefined;
  const from = declarationOf(setup, callee);
  if (!from || moduleBehind(setup, from) !== module) return undefined;
  if (!compiler.isImportSpecifier(from) && !compiler.isBindingElement(from)) return undefined;
  const original = from.propertyName ?? from.name;
  return compiler.isIdentifier(original) ? original.text : undefined;
}

/** The module that a name is imported from, by `import` or `require`, without the prefix `node:`. */
function moduleBehind({ compiler }: ReadSetup, declaration: TypeScript.Node): string | undefined {
  for (let node = declaration; !compiler.isSourceFile(node) && !compiler.isBlock(node); node = node.parent) {
    const isRequire = compiler.isVariableDeclaration(node) && node.initializer;
    if (isRequire)
      return /^(?:await )?(?:require|import)\(['"](?:node:)?([\w/]+)['"]\)$/.exec(isRequire.getText())?.[1];
    const specifier = compiler.isImportDeclaration(node)
      ? node.moduleSpecifier
      : compiler.isImportEqualsDeclaration(node) && compiler.isExternalModuleReference(node.moduleReference)
        ? node.moduleReference.expression
        : undefined;
    if (specifier && compiler.isStringLiteral(specifier)) return specifier.text.replace(/^node:/, '');
  }
  return undefined;
}

/** Whether an expression is stdout: its number, `process.stdout`, its `fd`, or its file. */
function isStdout(setup: ReadSetup, expression: TypeScript.Expression | undefined): boolean {
  const { compiler } = setup;
  if (!expression) return false;
  const value = valueOf(setup, expression);
  if (compiler.isNumericLiteral(value)) return value.text === '1';
  if (compiler.isStringLiteralLike(value)) return STDOUT_FILES.test(value.text);
  return /^(?:globalThis\.)?process\.stdout(?:\.fd)?$/.test(value.getText());
}

/** The expression without `as const` and brackets; the value of a constant for its name. */
function valueOf(setup: ReadSetup, expression: TypeScript.Expression): TypeScript.Expression {
  const { compiler } = setup;
  if (
    compiler.isAsExpression(expression) ||
    compiler.isSatisfiesExpression(expression) ||
    compiler.isParenthesizedExpression(expression)
  )
    return valueOf(setup, expression.expression);
  const declared = compiler.isIdentifier(expression) ? declarationOf(setup, expression) : undefined;
  const constant = declared && compiler.isVariableDeclaration(declared) ? declared.initializer : undefined;
  // A constant that refers to itself is an error of another kind.
  return constant && !compiler.isIdentifier(constant) ? valueOf(setup, constant) : expression;
}

function memberOf(
  { compiler }: ReadSetup,
  value: TypeScript.Expression,
  name: string,
): TypeScript.Expression | undefined {
  if (!compiler.isObjectLiteralExpression(value)) return undefined;
  const found = value.properties.find((each) => each.name?.getText() === name);
  return found && compiler.isPropertyAssignment(found) ? found.initializer : undefined;
}

function declarationOf({ checker }: ReadSetup, expression: TypeScript.Expression): TypeScript.Declaration | undefined {
  return checker.getSymbolAtLocation(expression)?.declarations?.[0];
}

/** @returns the project's files that serve over stdio, and all files that these import */
export function filesSpeakingStdio(setup: ReadSetup): TypeScript.SourceFile[] {
  const found = new Set<TypeScript.SourceFile>();
  const waiting = setup.files.filter((file) =>
    loaded(setup, file).some(({ text }) => text === STDIO || text === GUARD),
  );
  for (let file = waiting.pop(); file; file = waiting.pop()) {
    if (found.has(file)) continue;
    found.add(file);
    for (const module of loaded(setup, file)) {
      const target = setup.checker.getSymbolAtLocation(module)?.declarations?.[0]?.getSourceFile();
      if (target && setup.files.includes(target)) waiting.push(target);
    }
  }
  return setup.files.filter((file) => found.has(file));
}

/** The modules that a file loads, as it names them, at its start or later. */
function loaded(setup: ReadSetup, file: TypeScript.SourceFile): TypeScript.StringLiteral[] {
  const { compiler } = setup;
  return setup.nodes(file).flatMap((node) => {
    const module = specifierOf(compiler, node);
    return module && compiler.isStringLiteral(module) ? [module] : [];
  });
}

function specifierOf(compiler: ReadSetup['compiler'], node: TypeScript.Node): TypeScript.Node | undefined {
  if (compiler.isImportDeclaration(node) || compiler.isExportDeclaration(node)) return node.moduleSpecifier;
  if (compiler.isExternalModuleReference(node)) return node.expression;
  const isLoading =
    compiler.isCallExpression(node) &&
    (node.expression.kind === compiler.SyntaxKind.ImportKeyword || node.expression.getText() === 'require');
  return isLoading ? node.arguments[0] : undefined;
}
