/** A value of several types: what decorators can say of it, and an honest rest. */
import { isObject } from '@sigil-mcp/base';
import { planScalar, type ValueDirection } from './plan-scalar';
import { readShape, type Shape } from '../operations/shape';
import type { WrittenClass, ScalarPlan, TypePlan } from './type-plan';
import type { Pointers } from '../document/pointers';
import type { PickedFields } from './picked-fields';

/** Where a schema stands. */
export interface Where {
  readonly direction: ValueDirection;
  /** 0 for what is sent or answered as a whole. */
  readonly depth: number;
  /** For a class without a name of its own: `CreateIssueInput`, then `CreateIssueInputLabel`. */
  readonly name: string;
  readonly isModel: boolean;
  /** The classes around it, by their component. */
  readonly chain: ReadonlyMap<string, WrittenClass>;
  /** Lists, maps and unions around it, which may be met again within themselves; none if left out. */
  readonly around?: ReadonlySet<Shape>;
  /** The fields that a rule names; undefined for the usual ones. */
  readonly fields: PickedFields | undefined;
  /** Whether a rule wants all fields. */
  readonly all: boolean;
  readonly note: (text: string) => void;
}

/** Plans the type of a schema that has been read. */
type PlanShape = (shape: Shape, where: Where) => TypePlan;

/** A schema of several types, and the document that its alternatives refer to. */
interface Alternatives {
  readonly shape: Shape;
  readonly pointers: Pointers;
}

/** More types than these are not listed: a model cannot choose well, and each costs its schema. */
const MOST_TYPES = 4;

/** Plans `oneOf` and `anyOf`. @param plan plans one of the alternatives */
export function planUnion({ shape, pointers }: Alternatives, where: Where, plan: PlanShape): TypePlan {
  const read = shape.alternatives.map((schema) => readShape(schema, pointers));
  // A text that must be empty unsets a value: an exception to the type that it really has.
  const shapes = read.filter((each) => !isEmptyText(each) || read.length === 1);
  if (shapes.length < read.length) where.note(`${where.name} may be an empty text to unset it: that is left out`);
  const [only, second] = shapes;
  if (only && !second) return plan(only, where);
  const scalars = shapes.flatMap((each) => planScalar(each, where.direction, where.note) ?? []);
  if (scalars.length === shapes.length) return planScalars(scalars, where.direction === 'output');
  const list = listOf(shapes, scalars, pointers);
  if (list) return plan(list, where);
  const objects = shapes.filter((each) => each.properties.size > 0);
  if (objects.length + scalars.length === shapes.length && shapes.length <= MOST_TYPES)
    return planObjects({ shape, objects, scalars }, where, plan);
  const isObject = objects.length === shapes.length;
  where.note(
    `${where.name} may be one of ${shapes.length} types: it is written as any ${isObject ? 'object' : 'value'}`,
  );
  return { kind: 'any', object: isObject };
}

/** Texts with different only values are one type with all of them. */
function planScalars(scalars: readonly ScalarPlan[], isOutput: boolean): TypePlan {
  const kinds = [...new Set(scalars.map(({ kind }) => kind))];
  const all = kinds.includes('number') ? kinds.filter((kind) => kind !== 'integer') : kinds;
  const members = all.map((kind) => {
    const same = scalars.filter((each) => each.kind === kind || (kind === 'number' && each.kind === 'integer'));
    const values = same.flatMap((each) => each.values ?? []);
    const isClosed = all.length === 1 && same.every((each) => each.values) && !isOutput;
    return { kind, values: isClosed ? [...new Set(values)] : undefined, keywords: {} };
  });
  const [single] = members;
  return single && members.length === 1 ? single : { kind: 'union', members };
}

/** One value, or a list of such values: a list says both. */
function listOf(shapes: readonly Shape[], scalars: readonly ScalarPlan[], pointers: Pointers): Shape | undefined {
  const lists = shapes.filter(({ types }) => types.length === 1 && types[0] === 'array');
  const [list] = lists;
  if (!list || lists.length !== 1 || lists.length + scalars.length !== shapes.length) return undefined;
  const { types } = readShape(list.items, pointers);
  return scalars.every(({ kind }) => types.includes(kind)) ? list : undefined;
}

interface ObjectUnion {
  readonly shape: Shape;
  readonly objects: readonly Shape[];
  readonly scalars: readonly ScalarPlan[];
}

function planObjects({ shape, objects, scalars }: ObjectUnion, where: Where, plan: PlanShape): TypePlan {
  const types = objects.map((each, index) =>
    plan(each, {
      ...where,
      name: each.reference === undefined && objects.length > 1 ? `${where.name}${index + 1}` : where.name,
    }),
  );
  const classes = types.flatMap((type) => (type.kind === 'class' ? [type] : []));
  if (classes.length < types.length) return { kind: 'any', object: scalars.length === 0 };
  for (const [index, { class: made }] of classes.entries()) nameKind(made, shape, objects[index]);
  const different = classes.filter((each, index) => classes.findIndex((other) => other.class === each.class) === index);
  const kinds = [...new Set(scalars.map(({ kind }) => kind))].map((kind) => ({
    kind,
    values: undefined,
    keywords: {},
  }));
  const members = [...kinds, ...different];
  const [single] = members;
  return single && members.length === 1 ? single : { kind: 'union', members };
}

/** With a discriminator, each class says in one of its members which one it is. */
function nameKind(made: WrittenClass, { discriminator }: Shape, object: Shape | undefined): void {
  const property = discriminator?.['propertyName'];
  const reference = object?.reference;
  if (typeof property !== 'string' || reference === undefined) return;
  const mapping = isObject(discriminator?.['mapping']) ? Object.entries(discriminator['mapping']) : [];
  const own = reference.split('/').at(-1) ?? '';
  const names = mapping.filter(([, target]) => target === reference || target === own).map(([name]) => name);
  const values = names.length > 0 ? names : [own];
  made.properties = made.properties.map((each) =>
    each.name === property && each.type.kind === 'string' && !each.type.values
      ? { ...each, type: { ...each.type, values } }
      : each,
  );
}

function isEmptyText({ enum: values }: Shape): boolean {
  return values?.length === 1 && values[0] === '';
}
