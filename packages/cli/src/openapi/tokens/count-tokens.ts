/** What a list of tools costs a model, about: a token for four bytes of its JSON. */
import { isObject } from '@sigil-mcp/base';
import type { Pointers } from '../document/pointers';
import type { Operation } from '../operations/operation';
import type { ClassPlan, PropertyPlan, ToolPlan, TypePlan } from '../plan/type-plan';

const BYTES_PER_TOKEN = 4;

/** The tokens of a text or of data. */
export function tokensOf(value: unknown): number {
  return Math.ceil(Buffer.byteLength(typeof value === 'string' ? value : (JSON.stringify(value) ?? '')) / BYTES_PER_TOKEN);
}

/** The tokens of operations, one tool for each, with everything that the document says of them. */
export function naiveTokens(operations: readonly Operation[], pointers: Pointers): number {
  return operations.reduce((sum, operation) => sum + tokensOf(naiveTool(operation, pointers)), 0);
}

/** The tokens of the tools that are written. */
export function writtenTokens(tools: readonly ToolPlan[]): number {
  return tools.reduce((sum, tool) => sum + tokensOf(listedTool(tool)), 0);
}

/** One operation as a tool, with the whole schemas of its arguments and its answer. */
function naiveTool({ id, key, summary, description, parameters, body, answer }: Operation, pointers: Pointers): object {
  const properties = Object.fromEntries([
    ...parameters.map((each) => [each.name, { description: each.description, ...objectOf(each.schema) }] as const),
    ...(body ? [['body', body.schema] as const] : []),
  ]);
  const input = { type: 'object', properties, required: parameters.filter((each) => each.required).map(({ name }) => name) };
  return {
    name: id ?? key,
    description: `${summary}\n${description}`,
    inputSchema: { ...input, $defs: definitionsOf(input, pointers) },
    ...(answer.kind === 'json' && {
      outputSchema: { ...objectOf(answer.schema), $defs: definitionsOf(answer.schema, pointers) },
    }),
  };
}

/** Every component that a schema refers to, also through others. */
function definitionsOf(schema: unknown, pointers: Pointers): Record<string, unknown> {
  const found = new Map<string, unknown>();
  const visit = (value: unknown): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isObject(value)) return;
    const { $ref } = value;
    if (typeof $ref === 'string' && !found.has($ref)) {
      found.set($ref, pointers.find($ref));
      visit(found.get($ref));
    }
    Object.values(value).forEach(visit);
  };
  visit(schema);
  return Object.fromEntries(found);
}

/** About what `tools/list` will hold. */
function listedTool({ name, description, input, result }: ToolPlan): object {
  return {
    name,
    description,
    inputSchema: classSchema(input),
    ...(result.class && { outputSchema: classSchema(result.class) }),
    annotations: { readOnlyHint: true },
  };
}

function classSchema(plan: ClassPlan | undefined): object {
  if (!plan) return { type: 'object' };
  const definitions = new Map<ClassPlan, object>();
  const schema = objectSchema(plan, definitions);
  const listed = [...definitions].filter(([each]) => each !== plan);
  return listed.length === 0 ? schema : { ...schema, $defs: Object.fromEntries(listed.map(([{ name }, each]) => [name, each])) };
}

function objectSchema(plan: ClassPlan, definitions: Map<ClassPlan, object>): object {
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

function propertySchema({ description, type, initial, nullable }: PropertyPlan, definitions: Map<ClassPlan, object>): object {
  const schema = typeSchema(type, definitions);
  return {
    ...schema,
    ...(nullable && 'type' in schema && { type: [schema.type, 'null'] }),
    ...(description !== '' && { description }),
    ...(initial !== undefined && { default: initial }),
  };
}

function typeSchema(type: TypePlan, definitions: Map<ClassPlan, object>): object {
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
