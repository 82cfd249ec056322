/** The reference names all that there is: options, decorators, variables of the environment. */
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';
import { callScript } from '../../judges/scripts/call-script';

const root = join(__dirname, '..', '..', '..');
const page = (name: string): string => readFileSync(join(root, 'docs', 'reference', name), 'utf8');
const config = ts.readConfigFile(join(root, 'tsconfig.test.json'), (path) => ts.sys.readFile(path));
const { options, fileNames } = ts.parseJsonConfigFileContent(config.config, ts.sys, root);
const isSource = (file: string): boolean =>
  /^(packages|apps)\/[^/]+\/src\//.test(relative(root, file).replaceAll('\\', '/'));
const program = ts.createProgram(fileNames.filter(isSource), options);
const checker = program.getTypeChecker();

it('is what the sources say', () => {
  const { status, stderr } = spawnSync(process.execPath, [join('scripts', 'write-reference.mjs'), '--check'], {
    cwd: root,
    encoding: 'utf8',
  });
  expect([stderr, status]).toEqual(['', 0]);
});

describe('the pages of options', () => {
  const text = readdirSync(join(root, 'docs', 'reference', 'options'))
    .map((name) => page(join('options', name)))
    .join('\n');
  // Options of inner packages are those of programs of Sigil itself.
  const entries = (callScript('docs/public-entries.mjs', 'userEntries', root) as { source: string }[]).map(
    ({ source }) => join(root, source),
  );
  const exported = entries.flatMap((entry) => {
    const module = program.getSourceFile(entry);
    const symbol = module && checker.getSymbolAtLocation(module);
    return symbol ? checker.getExportsOfModule(symbol) : [];
  });
  const types = [...new Set(exported.map((symbol) => symbol.name))]
    .filter((name) => /(Options|Limits)$/.test(name))
    .sort();

  it('finds the types', () => {
    expect(types).toEqual(
      expect.arrayContaining([
        'EndpointOptions',
        'JwtOptions',
        'RedisOptions',
        'ServerLimits',
        'ServerOptions',
        'ToolOptions',
      ]),
    );
  });

  it.each(types)('names every option of %s', (name) => {
    const symbols = exported.filter((symbol) => symbol.name === name).map(resolved);
    for (const symbol of symbols) {
      const members = checker
        .getDeclaredTypeOfSymbol(symbol)
        .getProperties()
        .map((member) => member.name);
      const parts = text
        .split(/^(?=### )/m)
        .filter((part) => part.startsWith(`### \`${name}\`\n`))
        .join('');
      expect([name, members.filter((member) => !parts.includes(`\`${member}\``))]).toEqual([name, []]);
    }
  });

  function resolved(symbol: ts.Symbol): ts.Symbol {
    return symbol.flags & ts.SymbolFlags.Alias ? checker.getAliasedSymbol(symbol) : symbol;
  }
});

describe('environment.md', () => {
  const text = page('environment.md');
  const read = new Set<string>();
  for (const file of program.getSourceFiles().filter(({ fileName }) => isSource(fileName))) visit(file);

  it('finds what is read', () => {
    expect([...read]).toEqual(
      expect.arrayContaining(['LIBRARY_DB', 'PORT', 'SIGIL_CALLER', 'SIGIL_SECRETS', 'TRUST_PROXY']),
    );
  });

  it('names every variable that a package or an app reads', () => {
    expect([...read].filter((name) => !text.includes(`\`${name}\``))).toEqual([]);
  });

  it('names no other', () => {
    const named = [...text.matchAll(/`([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)*)`/g)].map(([, name = '']) => name);
    // The platforms stand in a table that is searched.
    const searched = readFileSync(join(root, 'packages/http/src/options/endpoint-options.ts'), 'utf8');
    expect(named.filter((name) => !read.has(name) && !searched.includes(`  ${name}: '`))).toEqual([]);
    for (const [, name = ''] of searched.matchAll(/^ {2}([A-Z_]+): '/gm)) expect(named).toContain(name);
  });

  /** `env.X`, `env['X']` and `{ X } = env`, whatever the environment is called. */
  function visit(node: ts.Node): void {
    if (ts.isPropertyAccessExpression(node) && isEnvironment(node.expression)) read.add(node.name.text);
    if (
      ts.isElementAccessExpression(node) &&
      ts.isStringLiteral(node.argumentExpression) &&
      isEnvironment(node.expression)
    )
      read.add(node.argumentExpression.text);
    if (ts.isObjectBindingPattern(node) && isEnvironment(node))
      for (const { propertyName, name } of node.elements) read.add((propertyName ?? name).getText());
    ts.forEachChild(node, visit);
  }

  function isEnvironment(node: ts.Node): boolean {
    return (
      checker.getTypeAtLocation(ts.isObjectBindingPattern(node) ? takenApart(node) : node).symbol?.name === 'ProcessEnv'
    );
  }

  function takenApart({ parent }: ts.ObjectBindingPattern): ts.Node {
    return (
      ('initializer' in parent ? parent.initializer : undefined) ??
      ('type' in parent ? parent.type : undefined) ??
      parent
    );
  }
});
