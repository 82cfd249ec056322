/** What can be wrong with a header that mirrors an argument, each under its code. */
import { wordsFor } from '../errors/catalogue';
import { shorten, type ErrorWords } from '@sigil-mcp/base';
import { schemaWords } from '@sigil-mcp/schema';

const quote = (value: unknown): string => shorten(String(JSON.stringify(value)), 100);

const ofType = (type: unknown): string => (type === undefined ? 'lists no type' : `is of type ${quote(type)}`);

/** The problems of header annotations; an argument is named by its path, or by its position in the schema. */
export const headerProblems = {
  noToken: (argument: string, name: unknown): ErrorWords =>
    wordsFor('SIGIL_HEADER_NAME', { argument, header: quote(name) }),
  taken: (argument: string, name: string, other: string): ErrorWords =>
    wordsFor('SIGIL_HEADER_TWICE', { argument, other, header: quote(name) }),
  noPrimitive: (argument: string, type: unknown): ErrorWords =>
    wordsFor('SIGIL_HEADER_TYPE', { argument, type: ofType(type) }),
  sensitive: (argument: string, name: string): ErrorWords =>
    wordsFor('SIGIL_HEADER_SENSITIVE', { argument, header: quote(name) }),
  unreachable: (place: string): ErrorWords => wordsFor('SIGIL_HEADER_PLACE', { place }),
  tooLarge: (): ErrorWords => schemaWords('SIGIL_SCHEMA_TOO_LARGE', { schema: 'input schema' }),
  notOnTool: (kind: string, argument: string): ErrorWords => wordsFor('SIGIL_HEADER_NOT_ON_TOOL', { kind, argument }),
};
