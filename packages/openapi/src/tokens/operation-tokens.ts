/** What the operations of a document cost a model as tools: the tokens of their JSON. */
import { isObject } from '@sigil-mcp/base';
import type { CountTokens } from '@sigil-mcp/cli/kit';
import type { Pointers } from '../document/pointers';
import type { ApiOperation } from '../operations/operation';
import type { WrittenClass, WrittenProperty, WrittenTool, TypePlan } from '../plan/type-plan';

/** Counts the tokens of operations, one tool for each, with everything that the document says of them. */
export function naiveCounter(pointers: Pointers, count: CountTokens): (operations: readonly ApiOperation[]) => number {
  const counted = new Map<ApiOperation, number>();
  const known = { pointers, count, definitions: new Map<string, ComponentCost>() };
  const tokensOf = (operation: ApiOperation): number => {
    const tokens = counted.get(operation) ?? naiveTokens(operation, known);
    counted.set(operation, tokens);
    return tokens;
  };
  return (operations) => operations.reduce((sum, operation) => sum + tokensOf(operation), 0);
}

/** The tokens of the tools that are written. */
export function writtenTokens(tools: readonly WrittenTool[], count: CountTokens): number {
  return tools.reduce((sum, tool) => sum + count(JSON.stringify(listedTool(tool))), 0);
}

/** A component: its tokens, and what it refers to. */
interface ComponentCost {
  readonly tokens: number;
  readonly references: readonly string[];
}

interface ComponentCosts {
  readonly pointers: Pointers;
  readonly count: CountTokens;
  /** Those that were measured. */
  readonly definitions: Map<string, ComponentCost>;
}

/** One operation as a tool, with the whole schemas of its arguments and its answer, in each of which is what it refers to. */
function naiveTokens(operation: ApiOperation, known: ComponentCosts): number {
  const { id, key, summary, description, parameters, body, answer } = operation;
  const properties = Object.fromEntries([
    ...parameters.map((each) => [each.name, { description: each.description, ...objectOf(each.schema) }] as const),
    ...(body ? [['body', body.schema] as const] : []),
  ]);
  const required = parameters.filter((each) => each.required).map(({ name }) => name);
  const inputSchema = { type: 'object', properties, required };
  const tool = { name: id ?? key, description: `${summary}\n${description}`, inputSchema };
  const own = known.count(JSON.stringify(answer.kind === 'json' ? { ...tool, outputSchema: answer.schema } : tool));
  return (
    own + definitionTokens(inputSchema, known) + (answer.kind === 'json' ? definitionTokens(answer.schema, known) : 0)
  );
}

/** The tokens of every component that a schema refers to, also through others. */
function definitionTokens(schema: unknown, { pointers, count, definitions }: ComponentCosts): number {
  const reached = new Set(referencesIn(schema));
  let tokens = 0;
  // A set that grows while it is walked.
  for (const reference of reached) {
    const target = pointers.find(reference);
    const known = definitions.get(reference) ?? {
      tokens: count(JSON.stringify({ [reference]: target })),
      references: referencesIn(target),
    };
    definitions.set(reference, known);
    tokens += known.tokens;
    for (const each of known.references) reached.add(each);
  }
  return tokens;
}

function referencesIn(value: unknown): string[] {
  if (Array.isArray(value)) return value.flatMap(referencesIn);
  if (!isObject(value)) return [];
  const { $ref } = value;
  return [...(typeof $ref === 'string' ? [$ref] : []), ...Object.values(value).flatMap(referencesIn)];
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
