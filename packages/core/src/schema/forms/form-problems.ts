/** What can be wrong with a form that is given as a schema, each with its mend. */
import type { DefinitionProblem } from '../../errors/definition-error';
import { shorten } from '../../values/shorten';

/** A problem without its place. */
export type FormProblem = Omit<DefinitionProblem, 'where'>;

/** A text of the author's, cut to what fits into a sentence. */
const quote = (text: string): string => shorten(JSON.stringify(text), 100);

const ofField = (name: string, what: string): string => `The field ${quote(name)} of the form ${what}.`;

/** The problems by what they are about. */
export const formProblems = {
  noForm: (what: string): FormProblem => ({
    code: 'SIGIL_FORM_INVALID',
    what: `The form ${what}.`,
    mend: "Pass a DTO class, or { type: 'object', properties: { ... }, required: [...] } with nothing beside them.",
  }),
  notFlat: (name: string, type: unknown): FormProblem => ({
    code: 'SIGIL_FORM_NOT_FLAT',
    what: ofField(name, typeof type === 'string' ? `has the type ${quote(type)}` : 'has no type'),
    mend: "A form is flat. Use the type 'string', 'number', 'integer' or 'boolean', or 'array' with items to choose from.",
  }),
  keyword: (name: string, keyword: string, known: readonly string[]): FormProblem => ({
    code: 'SIGIL_FORM_KEYWORD',
    what: ofField(name, `has ${quote(keyword)}, which no form can say of such a field`),
    mend: `Leave it out and check the answer yourself. Such a field may have ${known.join(', ')}.`,
  }),
  value: (name: string, keyword: string, wanted: string): FormProblem => ({
    code: 'SIGIL_FORM_INVALID',
    what: ofField(name, `has a ${quote(keyword)} that is not ${wanted}`),
    mend: `Make it ${wanted}.`,
  }),
  required: (name: string): FormProblem => ({
    code: 'SIGIL_FORM_INVALID',
    what: `The form requires ${quote(name)}, which is none of its fields.`,
    mend: 'Describe the field in properties, or take its name out of required.',
  }),
  defaultRefused: (name: string, reason: string): FormProblem => ({
    code: 'SIGIL_FORM_DEFAULT',
    what: ofField(name, `would refuse its own default: it ${reason}`),
    mend: 'Give the field a default that it accepts, or none.',
  }),
};
