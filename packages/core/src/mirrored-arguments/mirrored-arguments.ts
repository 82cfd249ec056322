/**
 * A tool's input schema -> the arguments that clients mirror into `Mcp-Param-*` headers. Clients drop a tool with a bad
 * annotation, so a bad one is a definition error.
 * @see https://modelcontextprotocol.io/specification/2026-07-28/basic/transports/streamable-http#schema-extension
 */
import { type ErrorWords, type ReportProblem, shorten } from '@sigil-mcp/base';
import { findHeaderAnnotations, type HeaderAnnotation } from './header-annotations';
import { exceedsBounds, isSensitive, type InputShape, type JsonSchema, schemaWords } from '@sigil-mcp/schema';
import { wordsFor } from '../errors/catalogue';

/** A value of the author's, cut to what fits into a sentence. An argument is named by its path, or by its position in the schema. */
const quote = (value: unknown): string => shorten(String(JSON.stringify(value)), 100);

const ofType = (type: unknown): string => (type === undefined ? 'lists no type' : `is of type ${quote(type)}`);

/** An argument that is also sent in a header. */
export interface MirroredArgument {
  /** In lower case, as Node names headers: `mcp-param-region`. */
  readonly header: string;
  /** The path from the arguments to the value, through nested objects: `['filter', 'region']`. */
  readonly path: readonly string[];
  readonly type: 'string' | 'integer' | 'boolean';
}

const TOKEN = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;

/**
 * Reads the annotations of an input.
 * @param report receives every problem
 * @param where the member that has the schema, for the report
 * @returns undefined if a problem was reported
 */
export function readMirroredArguments(
  shape: Pick<InputShape, 'schema' | 'sensitive'>,
  report: ReportProblem,
  where: string,
): readonly MirroredArgument[] | undefined {
  const { schema } = shape;
  if (exceedsBounds(schema)) {
    report({ where, ...schemaWords('SIGIL_SCHEMA_TOO_LARGE', { schema: 'input schema' }) });
    return undefined;
  }
  const locationByHeader = new Map<string, string>();
  const read = findHeaderAnnotations(schema).map((annotation) => {
    const mirrored = readAnnotation(annotation, locationByHeader);
    if (!('header' in mirrored) || !isSensitive(mirrored.path, shape)) return mirrored;
    return wordsFor('SIGIL_HEADER_SENSITIVE', { argument: locate(annotation), header: quote(String(annotation.name)) });
  });
  const problems = read.filter((each) => 'code' in each);
  problems.forEach((problem) => report({ where, ...problem }));
  return problems.length > 0 ? undefined : read.filter((each) => 'header' in each);
}

/**
 * Reports every annotation of a schema in which annotations have no meaning.
 * @param kind the kind of entry that has the schema: a prompt or a resource template
 * @returns whether the schema has no annotation
 */
export function reportMirroredArguments(
  schema: JsonSchema,
  kind: string,
  report: (problem: ErrorWords) => void,
): boolean {
  const annotations = findHeaderAnnotations(schema);
  for (const annotation of annotations)
    report(wordsFor('SIGIL_HEADER_NOT_ON_TOOL', { kind, argument: locate(annotation) }));
  return annotations.length === 0;
}

function readAnnotation(
  annotation: HeaderAnnotation,
  locationByHeader: Map<string, string>,
): MirroredArgument | ErrorWords {
  const { name, schema, path } = annotation;
  const argument = locate(annotation);
  if (path === undefined || path.length === 0) return wordsFor('SIGIL_HEADER_PLACE', { place: argument });
  if (typeof name !== 'string' || !TOKEN.test(name))
    return wordsFor('SIGIL_HEADER_NAME', { argument, header: quote(name) });
  const header = `mcp-param-${name.toLowerCase()}`;
  const other = locationByHeader.get(header);
  if (other !== undefined) return wordsFor('SIGIL_HEADER_TWICE', { argument, other, header: quote(name) });
  locationByHeader.set(header, argument);
  const type = primitiveOf(schema['type']);
  return type ? { header, path, type } : wordsFor('SIGIL_HEADER_TYPE', { argument, type: ofType(schema['type']) });
}

/** A list of types is not accepted, even if it only adds `null`: the official clients drop such a tool. */
function primitiveOf(type: unknown): MirroredArgument['type'] | undefined {
  return type === 'string' || type === 'integer' || type === 'boolean' ? type : undefined;
}

function locate({ path, keys }: HeaderAnnotation): string {
  if (path === undefined) return keys.join('.');
  return path.length > 0 ? path.join('.') : 'the arguments as a whole';
}
