/** The exports of the packages, as the compiler sees them: option types with their members, and decorators. */
import { join } from 'node:path';
import ts from 'typescript';
import { userEntries } from './public-entries.mjs';

/**
 * @returns `optionTypes` and `decorators`, each with its name, the entry that exports it, and its docstring
 */
export function readExports(root) {
  const entries = userEntries(root);
  const program = programOf(root, entries);
  const checker = program.getTypeChecker();
  const exported = entries.flatMap(({ name, source }) => {
    const module = checker.getSymbolAtLocation(program.getSourceFile(join(root, source)));
    return checker.getExportsOfModule(module).map((symbol) => ({ from: name, symbol: resolved(checker, symbol) }));
  });
  const once = [...new Map(exported.map((each) => [each.symbol, each]).reverse()).values()].reverse();
  return {
    optionTypes: once.filter(({ symbol }) => isOptionType(symbol)).map((each) => optionTypeOf(checker, each)),
    decorators: once.filter(({ symbol }) => isDecorator(symbol)).map((each) => decoratorOf(checker, each)),
  };
}

function programOf(root, entries) {
  const file = join(root, 'tsconfig.test.json');
  const { config } = ts.readConfigFile(file, ts.sys.readFile);
  const { options } = ts.parseJsonConfigFileContent({ ...config, include: [], files: [] }, ts.sys, root);
  return ts.createProgram(
    entries.map(({ source }) => join(root, source)),
    { ...options, baseUrl: root },
  );
}

function resolved(checker, symbol) {
  return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
}

function isOptionType({ name, flags }) {
  return /(Options|Limits)$/.test(name) && (flags & (ts.SymbolFlags.Interface | ts.SymbolFlags.TypeAlias)) !== 0;
}

function optionTypeOf(checker, { from, symbol }) {
  const members = checker.getDeclaredTypeOfSymbol(symbol).getProperties();
  return {
    name: symbol.name,
    from,
    about: docsOf(checker, symbol),
    options: members.map((member) => optionOf(checker, member)),
  };
}

function optionOf(checker, member) {
  const [declaration] = member.declarations ?? [];
  const type = checker.getTypeOfSymbol(member);
  return {
    name: member.name,
    of: declaration?.parent?.name?.text,
    optional: (member.flags & ts.SymbolFlags.Optional) !== 0,
    type: (declaration?.type?.getText() ?? checker.typeToString(type, undefined, ts.TypeFlags.NoTruncation)).replace(
      /\s+/g,
      ' ',
    ),
    about: docsOf(checker, member),
  };
}

function isDecorator({ name, flags, declarations }) {
  const [declaration] = declarations ?? [];
  const isThere = /\/(core|schema)\/src\/decorators\//.test(declaration?.getSourceFile().fileName ?? '');
  return isThere && (flags & ts.SymbolFlags.Function) !== 0 && /^[A-Z]/.test(name);
}

function decoratorOf(checker, { from, symbol }) {
  const signatures = checker.getTypeOfSymbol(symbol).getCallSignatures();
  return {
    name: symbol.name,
    from,
    about: docsOf(checker, symbol),
    calls: signatures.map((signature) =>
      checker.signatureToString(signature, undefined, ts.TypeFormatFlags.NoTruncation),
    ),
    parameters: parametersOf(checker, signatures),
  };
}

function docsOf(checker, symbol) {
  return ts.displayPartsToString(symbol.getDocumentationComment(checker)).replace(/\s+/g, ' ').trim();
}

/** The parameters of all signatures, each name once. */
function parametersOf(checker, signatures) {
  const parameters = signatures.flatMap((signature) => signature.getParameters());
  const named = parameters.map((each) => [each.name, { name: each.name, about: docsOf(checker, each) }]);
  return [...new Map(named.reverse()).values()].reverse();
}
