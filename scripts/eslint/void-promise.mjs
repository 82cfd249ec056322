/**
 * No rejection is lost: `void` before a promise drops its rejection, in every position. The rule of typescript-eslint only checks
 * statements.
 */
const isHandled = (node) =>
  node.type === 'CallExpression' &&
  node.callee.type === 'MemberExpression' &&
  ((node.callee.property.name === 'catch' && node.arguments.length === 1) ||
    (node.callee.property.name === 'then' && node.arguments.length === 2));

const unchained = (node) => (node.type === 'ChainExpression' ? node.expression : node);

export const voidPromise = {
  meta: {
    type: 'problem',
    schema: [],
    messages: { dropped: 'The rejection of this promise is lost: add a catch, or await it.' },
  },
  create(context) {
    const { parserServices } = context.sourceCode;
    const isPromise = (type) => (type.isUnion() ? type.types.some(isPromise) : type.getSymbol()?.name === 'Promise');
    return {
      "UnaryExpression[operator='void']"(node) {
        if (isHandled(unchained(node.argument))) return;
        if (isPromise(parserServices.getTypeAtLocation(node.argument))) context.report({ node, messageId: 'dropped' });
      },
    };
  },
};
