/** One concept per file, named after it in kebab-case: rejects other spellings and names without a meaning. */
import { basename } from 'node:path';

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
const nameless = /(^|-)(utils?|helpers?|managers?|impl)$|^(common|types|services?)$/;

export const fileName = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      kebab: "'{{name}}' is not in kebab-case.",
      nameless: "'{{name}}' has no meaning: name the file after its content.",
    },
  },
  create(context) {
    const name = basename(context.filename).replace(/\.[cm]?[jt]s$/, '');
    const concept = name.split('.')[0];
    return {
      Program(node) {
        if (!kebabCase.test(name)) context.report({ node, messageId: 'kebab', data: { name } });
        if (nameless.test(concept)) context.report({ node, messageId: 'nameless', data: { name } });
      },
    };
  },
};
