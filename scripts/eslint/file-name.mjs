/** One concept per file, named after it in kebab-case: refuses other spellings and names that name no concept. */
import { basename } from 'node:path';

const kebabCase = /^[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+)*$/;
const nameless = /(^|-)(utils?|helpers?|managers?|impl)$|^(common|types|services?)$/;

export const fileName = {
  meta: {
    type: 'suggestion',
    schema: [],
    messages: {
      kebab: "'{{name}}' is not in kebab-case.",
      nameless: "'{{name}}' names no concept: name the file after what it holds.",
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
