/** What can be wrong with the extensions of a server, and with facts of authors. */
import type { CatalogueEntries } from '@sigil-mcp/base';

/** Of `createServer({ extensions })` and of facts made with `createFact`. */
export const EXTENSION_ERRORS = {
  SIGIL_EXTENSION_KIND: {
    problem: '{value} is not an extension.',
    fix: "Pass an object with a name and what it adds: { name: 'com.example/words', methods: [...] }.",
  },
  SIGIL_EXTENSION_NAME: {
    problem: '{name} is not the name of an extension.',
    fix: 'Use the reversed domain of its owner, a slash and a name: com.example/words.',
  },
  SIGIL_EXTENSION_UNKNOWN: {
    problem: 'there is no member {member} of an extension.',
    fix: 'Use one of: {known}.',
  },
  SIGIL_EXTENSION_MEMBER: { problem: 'its {member} is {value}.', fix: 'Pass {wanted}.' },
  SIGIL_EXTENSION_TWICE: { problem: 'two extensions have this name.', fix: 'Pass {name} once.' },
  SIGIL_EXTENSION_CLASH: {
    problem: 'it adds the {kind} {name}, which {owner} has.',
    fix: 'Choose another name, or leave out one of the two extensions.',
  },
  SIGIL_EXTENSION_MISSING: {
    problem: '{fact} belongs to the extension {extension}, which this server does not have.',
    fix: 'Add the extension to createServer({ extensions: [...] }), or remove {fact}.',
  },
  SIGIL_FACT_TARGET: {
    problem: '{fact} is on a method that is not a tool, resource or prompt, where nothing reads it.',
    fix: 'Move it to a method with @Tool, @Resource or @Prompt, or to the class.',
  },
  SIGIL_FACT_VALUES: {
    problem: 'its facts are {value}.',
    fix: 'Pass an array of values made by facts: facts: [Team.with("billing")].',
  },
  SIGIL_RESULT_TYPE: {
    problem: '{method} was answered with a result of the type {type}, which its client cannot read.',
    fix: 'Answer with it only if call.canAnswerWith(type) is true.',
  },
  SIGIL_EXTENSION_NOTIFICATION: {
    problem: 'The extension {extension} has no notification {method}.',
    fix: 'Add it to serverNotifications of the extension.',
  },
  SIGIL_RECORDED_CALL: {
    problem: 'A call of {method} was to be recorded.',
    fix: 'Record calls of tools/call only: in the stage of a tool.',
  },
  SIGIL_DETACHED_TWICE: { problem: 'This call was detached before.', fix: 'Detach a call once.' },
} as const satisfies CatalogueEntries;
