/** Revisions are data: no other code contains a revision date, a name for an age of the protocol, or a switch on the lifecycle. */
const revisionDate = /^20\d\d-\d\d-\d\d$/;
const ageWord = /^(era|legacy|modern)([A-Z_]|$)|[a-z_](Era|Legacy|Modern)([A-Z_]|$)|^(Era|Legacy|Modern)([A-Z_]|$)/;
const ageValue = /^(era|legacy|modern)$/i;
const comparisons = new Set(['===', '!==', '==', '!=']);

const namesLifecycle = (node) =>
  (node.type === 'Identifier' && node.name === 'lifecycle') ||
  (node.type === 'MemberExpression' && node.property.name === 'lifecycle') ||
  (node.type === 'ChainExpression' && namesLifecycle(node.expression));

export const revisionWords = {
  meta: {
    type: 'problem',
    schema: [],
    messages: {
      date: "The revision '{{text}}' may only be named in revisions/ and conversations/.",
      age: "'{{text}}' names an age of the protocol: move the difference to the Revision or the Conversation.",
      lifecycle: 'Only revisions/ and conversations/ may switch on the lifecycle.',
    },
  },
  create(context) {
    const report = (node, messageId, text) => context.report({ node, messageId, data: { text } });
    const checkText = (node, text) => {
      if (revisionDate.test(text)) report(node, 'date', text);
      else if (ageValue.test(text)) report(node, 'age', text);
    };
    return {
      Literal: (node) => typeof node.value === 'string' && checkText(node, node.value),
      TemplateElement: (node) => checkText(node, node.value.cooked ?? ''),
      Identifier: (node) => ageWord.test(node.name) && report(node, 'age', node.name),
      BinaryExpression(node) {
        if (comparisons.has(node.operator) && [node.left, node.right].some(namesLifecycle)) report(node, 'lifecycle');
      },
      SwitchStatement: (node) => namesLifecycle(node.discriminant) && report(node, 'lifecycle'),
    };
  },
};
