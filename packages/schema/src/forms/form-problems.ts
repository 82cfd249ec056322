/** The problems of a form that is given as a schema, each under its code. */
import { schemaWords } from '../errors/errors';
import { shorten, type ErrorWords } from '@sigil-mcp/base';

/** A text of the author's, cut to what fits into a sentence. */
const quote = (text: string): string => shorten(JSON.stringify(text), 100);

/** The problems by what they are about. */
export const formProblems = {
  noForm: (problem: string): ErrorWords => schemaWords('SIGIL_FORM_INVALID', { problem }),
  notFlat: (name: string, type: unknown): ErrorWords =>
    schemaWords('SIGIL_FORM_NOT_FLAT', {
      field: quote(name),
      type: typeof type === 'string' ? `has the type ${quote(type)}` : 'has no type',
    }),
  keyword: (name: string, keyword: string, known: readonly string[]): ErrorWords =>
    schemaWords('SIGIL_FORM_KEYWORD', { field: quote(name), keyword: quote(keyword), known: known.join(', ') }),
  value: (name: string, keyword: string, wanted: string): ErrorWords =>
    schemaWords('SIGIL_FORM_KEYWORD_VALUE', { field: quote(name), keyword: quote(keyword), wanted }),
  required: (name: string): ErrorWords => schemaWords('SIGIL_FORM_REQUIRED', { field: quote(name) }),
  defaultRefused: (name: string, reason: string): ErrorWords =>
    schemaWords('SIGIL_FORM_DEFAULT', { field: quote(name), reason }),
};
