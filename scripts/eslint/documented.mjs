/** A file starts with a comment that describes its purpose, and every export has a docstring. */
const declarations = new Set([
  'ClassDeclaration',
  'FunctionDeclaration',
  'TSEnumDeclaration',
  'TSInterfaceDeclaration',
  'TSTypeAliasDeclaration',
  'VariableDeclaration',
]);

/** The comments before an exported declaration; decorators may follow them. */
function commentsBefore(sourceCode, exported) {
  const decorators = exported.declaration.decorators ?? [];
  const first = [exported, ...decorators].sort((a, b) => a.range[0] - b.range[0])[0];
  return sourceCode.getCommentsBefore(first);
}

const isDocstring = (comment) => comment.type === 'Block' && comment.value.startsWith('*');

/** Overloads share the docstring of the first one. */
function overloadOfPrevious(exported) {
  const siblings = exported.parent.body;
  const previous = siblings[siblings.indexOf(exported) - 1]?.declaration;
  return previous?.type === 'TSDeclareFunction' && previous.id?.name === exported.declaration.id?.name;
}

export const documented = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      opening: 'Start the file with one or two sentences that describe its purpose.',
      docstring: 'Every export needs a docstring.',
    },
  },
  create(context) {
    const { sourceCode } = context;
    return {
      Program(node) {
        const [opening] = sourceCode.getAllComments();
        const code = sourceCode.ast.tokens[0];
        if (code && (!opening || opening.range[0] > code.range[0])) context.report({ node, messageId: 'opening' });
      },
      ExportNamedDeclaration(node) {
        const type = node.declaration?.type;
        if (!declarations.has(type) && type !== 'TSDeclareFunction') return;
        if (overloadOfPrevious(node)) return;
        if (!commentsBefore(sourceCode, node).some(isDocstring)) context.report({ node, messageId: 'docstring' });
      },
    };
  },
};
