/** What a list of tools costs a model, about: a token for four bytes of its JSON. */
import { isObject } from '@sigil-mcp/base';
import type { Pointers } from '../document/pointers';
import type { ApiOperation } from '../operations/operation';
import type { WrittenClass, WrittenProperty, WrittenTool, TypePlan } from '../plan/type-plan';

const BYTES_PER_TOKEN = 4;

/** Counts the tokens of operations, one tool for each, with everything that the document says of them. */
export function naiveCounter(pointers: Pointers): (operations: readonly ApiOperation[]) => number {
  const counted = new Map<ApiOperation, number>();
  const definitions = new Map<string, Definition>();
  const count = (operation: ApiOperation): number => {
    const known = counted.get(operation) ?? naiveBytes(operation, { pointers, definitions });
    counted.set(operation, known);
    return known;
  };
  return (operations) => operations.reduce((sum, operation) => sum + Math.ceil(count(operation) / BYTES_PER_TOKEN), 0);
}

/** The tokens of the tools that are written. */
export function writtenTokens(tools: readonly WrittenTool[]): number {
  return tools.reduce((sum, tool) => sum + Math.ceil(bytesOf(listedTool(tool)) / BYTES_PER_TOKEN), 0);
}

/** A component: its size, and what it refers to. */
interface Definition {
  readonly bytes: number;
  readonly references: readonly string[];
}

interface Definitions {
  readonly pointers: Pointers;
  /** Those that were measured. */
  readonly definitions: Map<string, Definition>;
}

/** One operation as a tool, with the whole schemas of its arguments and its answer, in each of which is what it refers to. */
function naiveBytes(operation: ApiOperation, known: Definitions): number {
  const { id, key, summary, description, parameters, body, answer } = operation;
  const properties = Object.fromEntries([
    ...parameters.map((each) => [each.name, { description: each.description, ...objectOf(each.schema) }] as const),
    ...(body ? [['body', body.schema] as const] : []),
  ]);
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  const inputSchema = { type: 'object', properties, required };
  const tool = { name: id ?? key, description: `${summary}\n${description}`, inputSchema };
  const own = bytesOf(answer.kind === 'json' ? { ...tool, outputSchema: answer.schema } : tool);
  return (
    own + definitionBytes(inputSchema, known) + (answer.kind === 'json' ? definitionBytes(answer.schema, known) : 0)
  );
}

/** The size of every component that a schema refers to, also through others. */
function definitionBytes(schema: unknown, { pointers, definitions }: Definitions): number {
  const reached = new Set(referencesIn(schema));
  let bytes = 0;
  // A set that grows while it is walked.
  for (const reference of reached) {
    const target = pointers.find(reference);
    const known = definitions.get(reference) ?? {
      bytes: bytesOf({ [reference]: target }),
      references: referencesIn(target),
    };
    definitions.set(reference, known);
    bytes += known.bytes;
    for (const each of known.references) reached.add(each);
  }
  return bytes;
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  const { $ref } = value;
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(value).flatMap(referencesIn)];
}

function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? '');
}

/** About what `tools/list` will hold. */
function listedTool({ name, description, input, result }: WrittenTool): object {
  return {
    name,
    description,
    inputSchema: classSchema(input),
    ...(result.class && { outputSchema: classSchema(result.class) }),
    annotations: { readOnlyHint: true },
  };
}

function classSchema(plan: WrittenClass | undefined): object {
  if (!plan) return { type: 'object' };
  const definitions = new Map<WrittenClass, object>();
  const schema = objectSchema(plan, definitions);
  const listed = [...definitions].filter(([each]) => each !== plan);
  return listed.length === 0
    ? schema
    : { ...schema, $defs: Object.fromEntries(listed.map(([{ name }, each]) => [name, each])) };
}

function objectSchema(plan: WrittenClass, definitions: Map<WrittenClass, object>): object {
  if (!definitions.has(plan)) definitions.set(plan, {});
  const schema = {
    type: 'object',
    ...(plan.description !== '' && { description: plan.description }),
    properties: Object.fromEntries(plan.properties.map((each) => [each.name, propertySchema(each, definitions)])),
    required: plan.properties.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  };
  definitions.set(plan, schema);
  return schema;
}

function propertySchema(
  { description, type, initial, nullable }: WrittenProperty,
  definitions: Map<WrittenClass, object>,
): object {
  const schema = typeSchema(type, definitions);
  return {
    ...schema,
    ...(nullable && 'type' in schema && { type: [schema.type, 'null'] }),
    ...(description !== '' && { description }),
    ...(initial !== undefined && { default: initial }),
  };
}

function typeSchema(type: TypePlan, definitions: Map<WrittenClass, object>): object {
  switch (type.kind) {
    case 'class':
      if (!definitions.has(type.class)) objectSchema(type.class, definitions);
      return { $ref: `#/$defs/${type.class.name}` };
    case 'array':
      return { type: 'array', items: typeSchema(type.items, definitions), ...type.keywords };
    case 'record':
      return { type: 'object', additionalProperties: typeSchema(type.values, definitions) };
    case 'union':
      return { anyOf: type.members.map((member) => typeSchema(member, definitions)) };
    case 'any':
      return type.object ? { type: 'object' } : {};
    default:
      return { type: type.kind, ...(type.values && { enum: type.values }), ...type.keywords };
  }
}

function objectOf(value: unknown): object {
  return isObject(value) ? value : {};
}
