/* global module */
/** Writes `import.meta` in words of CommonJS: its `url`, `filename`, `dirname` and `resolve`. ts-jest runs it on every source. */
const WORDS = `({
  filename: __filename,
  dirname: __dirname,
  url: require('node:url').pathToFileURL(__filename).href,
  resolve: (name) => require('node:url').pathToFileURL(require.resolve(name)).href,
})`;

/** @param compiler with the project's TypeScript */
function factory({ configSet: { compilerModule: ts } }) {
  const isImportMeta = (node) => ts.isMetaProperty(node) && node.keywordToken === ts.SyntaxKind.ImportKeyword;
  return (context) => (file) => {
    if (!file.text.includes('import.meta')) return file;
    const visit = (node) =>
      isImportMeta(node) ? context.factory.createIdentifier(WORDS) : ts.visitEachChild(node, visit, context);
    return ts.visitNode(file, visit);
  };
}

module.exports = { name: 'import-meta', version: 1, factory };
