/** What can be wrong with a header that mirrors an argument, each with its mend. */
import type { DefinitionProblem } from '../../errors/definition-error';
import { shorten } from '../../values/shorten';

/** A problem without its place. */
export type HeaderProblem = Omit<DefinitionProblem, 'where'>;

const quote = (value: unknown): string => shorten(String(JSON.stringify(value)), 100);

const ofType = (type: unknown): string => (type === undefined ? 'lists no type' : `is of type ${quote(type)}`);

/** The problems by what they are about; `location` is the argument or the position in the schema. */
export const headerProblems = {
  noToken: (location: string, name: unknown): HeaderProblem => ({
    code: 'SIGIL_HEADER_NAME',
    what: `The argument ${location} is mirrored into the header ${quote(name)}, which is no token of RFC 9110.`,
    mend: "Name it with letters, digits and !#$%&'*+-.^_`|~ only, for example 'Region'.",
  }),
  taken: (location: string, name: string, other: string): HeaderProblem => ({
    code: 'SIGIL_HEADER_TWICE',
    what: `The arguments ${other} and ${location} share the header ${quote(name)}; case makes no difference.`,
    mend: 'Give each argument a header of its own.',
  }),
  noPrimitive: (location: string, type: unknown): HeaderProblem => ({
    code: 'SIGIL_HEADER_TYPE',
    what: `The argument ${location} is mirrored into a header, but ${ofType(type)}.`,
    mend:
      'Mirror only strings, integers (@IsInt()) and booleans. In place of @Nullable() use @IsOptional(): null then ' +
      'counts as absent.',
  }),
  unreachable: (location: string): HeaderProblem => ({
    code: 'SIGIL_HEADER_PLACE',
    what: `The schema mirrors ${location} into a header, which is no argument at a fixed path of nested objects.`,
    mend:
      'Mirror only properties of the input and of the objects in it: no items, no alternatives, and nothing in a ' +
      'class that contains itself, because it is listed behind a $ref.',
  }),
  tooLarge: (): HeaderProblem => ({
    code: 'SIGIL_SCHEMA_TOO_LARGE',
    what: 'The input schema is nested too deeply, contains itself or has too many subschemas.',
    mend: 'Use a smaller schema; recursion is written with $ref.',
  }),
  notOnTool: (kind: string, location: string): HeaderProblem => ({
    code: 'SIGIL_HEADER_NOT_ON_TOOL',
    what: `The input of this ${kind} mirrors ${location} into a header, which clients do for tools only.`,
    mend: 'Take a class of its own here, without @McpHeader on that property.',
  }),
};
