/** The arguments of a tool: those of the path, the query, headers, cookies and the body, in one class, each under a name of its own. */
import type { OperationRule } from './rules';
import { argumentName } from '../names/argument-names';
import { firstSentences } from '../names/model-text';
import type { ApiOperation, Body, Parameter } from '../operations/operation';
import type { ClassPlanner } from './class-planner';
import { fileNameText, planFile } from './plan-file';
import { withKinds } from './kinds';
import type { Where } from './plan-union';
import { readShape, type Shape } from '../operations/shape';
import type { ArgumentPlan, WrittenClass, FixedValue, WrittenProperty, ScalarPlan, TypePlan } from './type-plan';

const LONGEST_TEXT = 200;

/** The arguments of one tool. */
export interface PlannedArguments {
  readonly input: WrittenClass | undefined;
  readonly arguments: readonly ArgumentPlan[];
  readonly fixed: readonly FixedValue[];
}

/** One argument with the property that says its type. */
interface InputRow {
  readonly argument: ArgumentPlan;
  readonly property: WrittenProperty;
}

/** Plans them. Required ones come first in each place. */
export function planArguments(
  planner: ClassPlanner,
  { operation, rule, className }: { operation: ApiOperation; rule: OperationRule; className: string },
  note: (text: string) => void,
): PlannedArguments {
  const taken = new Set<string>();
  const where: Where = {
    ...{ direction: 'input', depth: 1, name: className, isModel: false, chain: new Map(), all: false, note },
    fields: undefined,
  };
  const parameters = operation.parameters.map((parameter) => planParameter(planner, { parameter, taken }, where));
  const all = [...parameters, ...planBody(planner, { operation, taken }, where)];
  noteUseless(all, rule, note);
  const { hide = [], fix = {} } = rule;
  const fixed = all.filter(({ argument }) => Object.keys(fix).some((name) => isCalled(argument, name)));
  const open = all.filter((each) => !fixed.includes(each) && !hide.some((name) => isCalled(each.argument, name)));
  const members = new Set(open.flatMap(({ argument: { place, wireName } }) => (place === 'body' ? [wireName] : [])));
  const shown = open
    .filter(({ argument: { place, wireName } }) => place !== 'fileName' || members.has(wireName))
    .sort((a, b) => rank(a) - rank(b));
  const properties = shown.map((each) => describedBy(each, rule));
  return {
    input: properties.length === 0 ? undefined : { name: className, description: '', isModel: false, properties },
    arguments: shown.map(({ argument }) => argument),
    fixed: fixed.map(({ argument }) => {
      const { wireName, place, parameter, file } = argument;
      return { wireName, place, parameter, file, value: saidOf(argument, fix) };
    }),
  };
}

/** What a rule says about arguments, and what has no effect or leaves out too much. */
function noteUseless(
  all: readonly InputRow[],
  { hide = [], fix = {}, describe = {} }: OperationRule,
  note: (text: string) => void,
): void {
  for (const name of [...hide, ...Object.keys(fix), ...Object.keys(describe)])
    if (!all.some(({ argument }) => isCalled(argument, name))) note(`a rule names ${name}, which is no argument`);
  for (const { argument, property } of all)
    if (
      property.required &&
      argument.place !== 'fileName' &&
      hide.some((name) => isCalled(argument, name)) &&
      saidOf(argument, fix) === undefined
    )
      note(`${argument.wireName} is hidden by a rule, and the API requires it`);
}

function describedBy({ argument, property }: InputRow, { describe = {} }: OperationRule): WrittenProperty {
  const text = saidOf(argument, describe);
  return text === undefined ? property : { ...property, description: text };
}

/** What a rule says of an argument. A document may call one `constructor`. */
function saidOf<Value>(argument: ArgumentPlan, members: Readonly<Record<string, Value>>): Value | undefined {
  return Object.entries(members).find(([name]) => isCalled(argument, name))?.[1];
}

function isCalled({ name, wireName, place }: ArgumentPlan, typed: string): boolean {
  return typed === name || (typed === wireName && place !== 'fileName');
}

/** Path first, then what is required, then the rest. */
function rank({ argument, property }: InputRow): number {
  if (argument.place === 'path') return 0;
  return property.required ? 1 : 2;
}

interface OneParameter {
  readonly parameter: Parameter;
  readonly taken: Set<string>;
}

function planParameter(planner: ClassPlanner, { parameter, taken }: OneParameter, where: Where): InputRow {
  const { name, place, required, description, schema } = parameter;
  const shape = readShape(schema, planner.pointers);
  const argument = argumentName(name, place, taken);
  const field = { name: argument, schema, shape: { ...shape, description: description || shape.description } };
  const property = planner.propertyOf(field, required, where);
  const { kind } = property.type;
  return {
    argument: {
      ...{ name: argument, wireName: name, place, parameter },
      isArray: kind === 'array',
      isObject: kind === 'class' || kind === 'record' || (kind === 'any' && property.type.object),
    },
    property: {
      ...withText(property, field.shape),
      initial: required ? undefined : initialOf(shape, property),
      nullable: false,
    },
  };
}

/** A default that the type accepts. */
function initialOf({ initial }: Shape, { type }: WrittenProperty): string | number | boolean | undefined {
  if (!isScalar(type)) return undefined;
  const { kind, values, keywords } = type;
  if (typeof initial !== 'string' && typeof initial !== 'number' && typeof initial !== 'boolean') return undefined;
  if (typeof initial !== (kind === 'integer' ? 'number' : kind)) return undefined;
  if (kind === 'integer' && !Number.isInteger(initial)) return undefined;
  if (values) return values.includes(initial) ? initial : undefined;
  // Whether a default keeps to the limits is for the API to say.
  return Object.keys(keywords).some((name) => name === 'pattern' || name === 'format') ? undefined : initial;
}

function isScalar(type: WrittenProperty['type']): type is ScalarPlan {
  return type.kind === 'string' || type.kind === 'number' || type.kind === 'integer' || type.kind === 'boolean';
}

interface BodySource {
  readonly operation: ApiOperation;
  readonly taken: Set<string>;
}

function planBody(planner: ClassPlanner, { operation: { body, method }, taken }: BodySource, where: Where): InputRow[] {
  if (!body) return [];
  const shape = withKinds(readShape(body.schema, planner.pointers), planner.pointers, where.note);
  const isForm = body.kind === 'form' || body.kind === 'multipart';
  const isEmpty = shape.properties.size === 0 && shape.types.includes('object') && shape.additional === undefined;
  if (method === 'GET' && !isEmpty) where.note('a GET has no body: it is left out');
  if (method === 'GET' || (isEmpty && (isForm || body.required !== true))) return [];
  const hasMembers = shape.properties.size > 0 && body.kind !== 'text' && body.kind !== 'bytes';
  if (!hasMembers && isForm) {
    where.note('the members of the form are not known: it is left out');
    return [];
  }
  if (!hasMembers) return [planWhole(planner, { body, shape, taken }, where)];
  if (body.required === undefined && shape.required.size > 0)
    where.note('the document does not say that the body is required: what its schema requires is required');
  const members = [...shape.properties].flatMap(
    ([name, schema]) => planMember(planner, { name, schema, shape, body, taken }, where) ?? [],
  );
  // After the members, which keep the names that the API has for them.
  return members.flatMap((member) => [member, ...fileName(member, taken, where)]);
}

interface BodyMember {
  readonly name: string;
  readonly schema: unknown;
  /** Of the body. */
  readonly shape: Shape;
  readonly body: Body;
  readonly taken: Set<string>;
}

/** One member of a body; undefined if no caller sends it. */
function planMember(
  planner: ClassPlanner,
  { name, schema, shape, body, taken }: BodyMember,
  where: Where,
): InputRow | undefined {
  const read = readShape(schema, planner.pointers);
  if (read.readOnly) return undefined;
  if (read.deprecated && !shape.required.has(name)) {
    where.note(`${name} is deprecated, and nobody has to send it: it is left out`);
    return undefined;
  }
  const argument = argumentName(name, 'body', taken);
  const isList = read.types.length === 1 && read.types[0] === 'array';
  const file = planFile(name, isList ? readShape(read.items, planner.pointers) : read, body);
  // Authors forget to say that a body is required, and not what it needs: without its members, most requests fail.
  const required = body.required !== false && shape.required.has(name);
  const field = { name: argument, schema, shape: file ? fileShape(read, isList) : read };
  const property = planner.propertyOf(field, required, { ...where, chain: new Map() });
  const { type } = property;
  return {
    argument: {
      ...{ name: argument, wireName: name, place: 'body', parameter: formParameter(body, name), file },
      isArray: type.kind === 'array',
      isObject: holdsObjects(type.kind === 'array' ? type.items : type),
    },
    property: withDefaultText(withText(property, read), read),
  };
}

function holdsObjects({ kind }: TypePlan): boolean {
  return kind === 'class' || kind === 'record' || kind === 'union' || kind === 'any';
}

/** The argument that names a file whose name and type the document does not say. */
function fileName(
  { argument: { wireName, file, isArray }, property }: InputRow,
  taken: Set<string>,
  { note }: Where,
): InputRow[] {
  if (!file || file.name !== undefined) return [];
  if (isArray) {
    note(`the document does not say how the files of ${wireName} are called: each is sent as ${wireName}`);
    return [];
  }
  const name = argumentName(`${wireName}${/[_-]/.test(wireName) ? '_name' : 'Name'}`, 'file', taken);
  return [
    {
      argument: { name, wireName, place: 'fileName', parameter: undefined, isArray: false, isObject: false },
      property: {
        ...{ name, description: fileNameText(wireName, file), required: property.required, nullable: false },
        ...{ type: { kind: 'string', values: undefined, keywords: {} }, initial: undefined },
      },
    },
  ];
}

/** A member of a form that is not written as forms are by default. */
function formParameter({ kind, styles }: Body, name: string): Parameter | undefined {
  const given = kind === 'form' ? styles.get(name) : undefined;
  if (!given || given.explode || given.style === 'deepObject') return undefined;
  return { name, place: 'query', required: false, description: '', schema: undefined, ...given };
}

interface WholeBody {
  readonly body: Body;
  readonly shape: Shape;
  readonly taken: Set<string>;
}

/** A body that is no object: one argument. */
function planWhole(planner: ClassPlanner, { body, shape, taken }: WholeBody, where: Where): InputRow {
  const name = argumentName('body', 'whole', taken);
  const isText = body.kind === 'text' || body.kind === 'bytes';
  const text = body.description || shape.description;
  const description = body.kind === 'bytes' ? `${text} (base64)`.trim() : text;
  const read: Shape = isText ? readShape({ type: 'string' }, planner.pointers) : shape;
  const property = planner.propertyOf(
    { name, schema: body.schema, shape: { ...read, description } },
    body.required === true,
    where,
  );
  return {
    argument: { name, wireName: '', place: 'whole', parameter: undefined, isArray: false, isObject: false },
    property: { ...property, nullable: false },
  };
}

function withText(property: WrittenProperty, { description }: Shape): WrittenProperty {
  if (property.description !== '') return property;
  return { ...property, description: firstSentences(description, LONGEST_TEXT) };
}

/** A default of a body is not sent: in an update it would overwrite what is there. */
function withDefaultText(property: WrittenProperty, { initial }: Shape): WrittenProperty {
  const isShort =
    typeof initial === 'number' || typeof initial === 'boolean' || (typeof initial === 'string' && initial !== '');
  if (!isShort || property.required || String(initial).length > 40 || /default/i.test(property.description))
    return property;
  const { description } = property;
  return {
    ...property,
    description: `${description}${description === '' ? 'Default' : '; default'}: ${String(initial)}`,
  };
}

/** A file is text for a model. */
function fileShape(shape: Shape, isList: boolean): Shape {
  const description = `${shape.description} (base64)`.trim();
  if (isList) return { ...shape, items: { type: 'string' }, description };
  const { minLength: _least, maxLength: _most, pattern: _pattern, format: _format, ...keywords } = shape.keywords;
  return { ...shape, types: ['string'], keywords, description };
}
