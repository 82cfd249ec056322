/** What a tool returns: the class of the answer, a list in an object, or what a class cannot say. */
import type { OperationRule } from '../choice/rules';
import type { ApiOperation } from '../operations/operation';
import type { ClassPlanner } from './class-planner';
import type { Where } from './where';
import { readFields } from './picked-fields';
import { readShape, type Shape } from './shape';
import type { WrittenClass, WrittenProperty, ResultPlan, TypePlan } from './type-plan';

interface ResultSource {
  readonly operation: ApiOperation;
  readonly rule: OperationRule;
  /** For the class of an answer that is no component. */
  readonly proposal: string;
  /** The name of the class around a list or a value. */
  readonly nameOf: () => string;
}

/** Plans it. @param note takes what cannot be said */
export function planResult(planner: ClassPlanner, source: ResultSource, note: (text: string) => void): ResultPlan {
  const { answer } = source.operation;
  const { mediaType, kind } = answer;
  if (kind !== 'json') return { kind, class: undefined, type: undefined, mediaType };
  const where = whereOf(source, note);
  const shape = readShape(answer.schema, planner.pointers);
  const type = planner.typeOfShape(shape, where);
  if (type.kind === 'class') return { kind: 'class', class: type.class, type, mediaType };
  const isTyped =
    type.kind !== 'any' && type.kind !== 'record' && !(type.kind === 'array' && type.items.kind === 'any');
  if (!isTyped || shape.nullable) {
    note('the answer has no fixed members: it is returned as it is, and no output is declared');
    return { kind: 'data', class: undefined, type, mediaType };
  }
  return wrapped(type, { shape, source, mediaType });
}

interface Wrapped {
  readonly shape: Shape;
  readonly source: ResultSource;
  readonly mediaType: string;
}

/** The output of a tool is an object: a list is a member of it. */
function wrapped(type: TypePlan, { shape, source, mediaType }: Wrapped): ResultPlan {
  const isList = type.kind === 'array';
  const property: WrittenProperty = {
    ...{ name: isList ? 'items' : 'value', required: true, nullable: false, type, initial: undefined },
    description: isList ? '' : shape.description.slice(0, 160),
  };
  const made: WrittenClass = { name: source.nameOf(), description: '', isModel: false, properties: [property] };
  return { kind: isList ? 'list' : 'value', class: made, type, mediaType };
}

function whereOf({ rule, proposal }: ResultSource, note: (text: string) => void): Where {
  const { fields } = rule;
  const all = fields?.includes('*') ?? false;
  return {
    direction: 'output',
    depth: 0,
    name: proposal,
    isModel: false,
    chain: new Map(),
    fields: fields && !all ? readFields(fields) : undefined,
    all,
    note,
  };
}
