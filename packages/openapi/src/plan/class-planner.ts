/** From schemas to types and classes. A component becomes one class for each use of it: as arguments, as an answer, or within an answer. */
import { isObject } from '@sigil-mcp/base';
import type { Pointers } from '../document/pointers';
import { canBeProperty } from '../names/argument-names';
import { firstSentences, sentence } from '../names/model-text';
import { pascal, wordsOf } from '../names/words';
import { cutFields, isWrapper, type Field } from './cut-answer';
import { withKinds } from './kinds';
import { fieldsKey } from './picked-fields';
import { planScalar, scalarTypes, valuesOf, type ValueDirection } from './plan-scalar';
import { planUnion, type Where } from './plan-union';
import { readShape, type Shape } from '../operations/shape';
import type { WrittenClass, WrittenProperty, TypePlan } from './type-plan';
import { TakenNames } from '../names/taken-names';

/** Names that would hide something that the written files use. */
const RESERVED = [
  ...'Object Array String Number Boolean Date Map Set Symbol Function Promise Error Record Partial Pick Omit Required Readonly'.split(
    ' ',
  ),
  ...'Exclude Extract Parameters Awaited Reflect JSON Math RegExp Buffer'.split(' '),
  ...'Feature Tool Describe Nullable AnyOf RecordOf Ref McpContext ToolFailure Injectable Module Type Allow Uint8Array'.split(
    ' ',
  ),
  ...'IsArray IsBoolean IsInt IsNumber IsObject IsOptional IsString IsIn Length Min Max MinLength MaxLength Matches'.split(
    ' ',
  ),
  ...'ArrayNotEmpty ArrayMinSize ArrayMaxSize ArrayUnique IsDivisibleBy IsPositive IsNegative IsISO8601 IsUUID IsIP IsEmail'.split(
    ' ',
  ),
  ...'ValidateNested Equals IsBase64'.split(' '),
];

const LONGEST_CLASS = 80;

/**
 * Gives classes their names.
 *
 * The names of classes. A class has the same name in every run: the lock remembers them.
 */
export class ClassNames {
  readonly #taken: TakenNames;
  readonly #byKey: Map<string, string>;

  /** @param known names by key, from the lock. @param reserved names of the written client and features */
  constructor(known: Readonly<Record<string, string>>, reserved: readonly string[]) {
    this.#byKey = new Map(Object.entries(known));
    this.#taken = new TakenNames([...RESERVED, ...reserved, ...this.#byKey.values()], LONGEST_CLASS);
  }

  /**
   * The name of a class.
   * @param key what the class is made of
   * @param proposals the words of names, the best one first
   */
  nameOf(key: string, ...proposals: readonly string[]): string {
    const known = this.#byKey.get(key);
    if (known !== undefined) return known;
    const names = proposals.map((text) => pascal(wordsOf(text))).filter((name) => name !== '');
    const name = this.#taken.take(...(names.length > 0 ? names : ['Model']));
    this.#byKey.set(key, name);
    return name;
  }

  /** Every name by its key, for the lock. */
  all(): Readonly<Record<string, string>> {
    return Object.fromEntries([...this.#byKey].sort(([one], [other]) => (one < other ? -1 : 1)));
  }
}

/** Objects of arguments that lie deeper are free of any class: the description says what they are. */
const DEEPEST_INPUT = 3;
const LONGEST_TEXT = 160;
/** A field of an answer mostly says itself what it is. */
const LONGEST_OF_ANSWER = 100;

/** A class for what lies within an answer. */
interface Brief {
  readonly shape: Shape;
  readonly key: string;
  readonly description: string;
  readonly proposals: readonly string[];
}

/** Plans the classes of one API. */
export class ClassPlanner {
  readonly #planned = new Map<string, WrittenClass>();
  readonly #heights = new Map<Shape, number>();
  /** By everything that they say. */
  readonly #briefs = new Map<string, WrittenClass>();

  constructor(
    readonly pointers: Pointers,
    private readonly names: ClassNames,
  ) {}

  /** The type of a schema. */
  typeOf(schema: unknown, where: Where): TypePlan {
    return this.typeOfShape(readShape(schema, this.pointers), where);
  }

  /** The type of a schema that has been read. */
  typeOfShape(read: Shape, given: Where): TypePlan {
    const shape = given.direction === 'input' ? withKinds(read, this.pointers, given.note) : read;
    const { types } = shape;
    if (given.around?.has(shape) === true) {
      given.note(`${given.name} holds itself: it is written as any value`);
      return { kind: 'any', object: false };
    }
    const where = shape.properties.size > 0 ? given : { ...given, around: new Set([...(given.around ?? []), shape]) };
    if (shape.alternatives.length > 0 && shape.properties.size === 0)
      return planUnion({ shape, pointers: this.pointers }, where, (each, inside) => this.typeOfShape(each, inside));
    if (shape.properties.size > 0) return this.#objectType(shape, where);
    if (types.length === 1 && types[0] === 'array') return this.#arrayType(shape, where);
    if (types.length === 1 && types[0] === 'object') return this.#recordType(shape, where);
    const scalars = scalarTypes(shape);
    if (scalars.length > 1 && scalars.length === types.length)
      return { kind: 'union', members: scalars.map((kind) => ({ kind, values: undefined, keywords: {} })) };
    if (types.length > 1) where.note(`${where.name} may be ${types.join(' or ')}: it is written as any value`);
    return (types.length === 1 && planScalar(shape, where.direction, where.note)) || { kind: 'any', object: false };
  }

  /** The class of an object. */
  classOf(shape: Shape, where: Where): WrittenClass {
    const { reference } = shape;
    const around = reference === undefined ? undefined : where.chain.get(reference);
    if (around) return around;
    const isModel = reference !== undefined || where.isModel;
    const level = this.#levelOf(shape, where);
    const key = [where.direction, reference ?? where.name, level, fieldsKey(where.fields)].join(' ');
    const known = this.#planned.get(key);
    if (known) return known;
    const own =
      reference
        ?.split('/')
        .at(-1)
        ?.replace(/^nullable[-_ ]?(?=.)/i, '') ?? '';
    const proposals = own === '' ? [where.name] : proposalsFor(own, level, where);
    const description = firstSentences(shape.description, LONGEST_TEXT);
    if (level === 'brief' && reference !== undefined)
      return this.#briefOf({ shape, key, description, proposals }, where);
    const made: WrittenClass = { name: this.names.nameOf(key, ...proposals), description, isModel, properties: [] };
    this.#planned.set(key, made);
    const chain = reference === undefined ? where.chain : new Map([...where.chain, [reference, made]]);
    made.properties = this.#properties(shape, { ...where, name: made.name, isModel, chain });
    return made;
  }

  /** A class with values only: two components that say the same, such as one for each of `User` and `NullableUser`, share it. */
  #briefOf({ shape, key, description, proposals }: Brief, where: Where): WrittenClass {
    const properties = this.#properties(shape, where);
    const content = JSON.stringify([proposals[0], description, properties]);
    const same = this.#briefs.get(content);
    const made = same ?? { name: this.names.nameOf(key, ...proposals), description, isModel: true, properties };
    this.#briefs.set(content, made);
    this.#planned.set(key, made);
    return made;
  }

  /** One property of a class. */
  propertyOf({ name, shape }: Field, required: boolean, where: Where): WrittenProperty {
    const type = this.typeOfShape(shape, { ...where, name: `${where.name}${pascal(wordsOf(name))}` });
    const text = this.#describe(shape, type, where.direction);
    const isFree = type.kind === 'any' || shape.enum?.includes(null) === true;
    return {
      name,
      // What a class says itself is not said again.
      description: type.kind === 'class' && type.class.description === text ? '' : text,
      required,
      nullable: shape.nullable && !isFree,
      type,
      initial: undefined,
    };
  }

  #properties(shape: Shape, where: Where): WrittenProperty[] {
    const inside = { ...where, depth: where.depth + (isWrapper(shape, this.pointers) && where.depth === 0 ? 0 : 1) };
    return this.#fields(shape, where).flatMap((field) => {
      const fields = where.fields?.get(field.name);
      const picked = fields && fields.size > 0 ? fields : undefined;
      // What a rule names within an object is wanted as if it stood at the top.
      const at = picked ? { ...inside, depth: 0, fields: picked } : { ...inside, fields: undefined };
      const property = this.propertyOf(field, shape.required.has(field.name), at);
      return isWorthIt(property, where) ? [property] : [];
    });
  }

  #fields(shape: Shape, where: Where): Field[] {
    const { direction, depth, fields, all, note } = where;
    const each = [...shape.properties].map(([name, schema]) => ({
      name,
      schema,
      shape: readShape(schema, this.pointers),
    }));
    const possible = each.filter(({ name }) => canBeProperty(name));
    for (const { name } of each)
      if (!canBeProperty(name)) note(`no class can have a member ${JSON.stringify(name.slice(0, 60))}: it is left out`);
    if (direction === 'input') return possible.filter((field) => !field.shape.readOnly);
    const readable = possible.filter((field) => !field.shape.writeOnly);
    if (all) return readable;
    if (fields) return readable.filter(({ name }) => fields.has(name));
    return cutFields(shape, depth === 0 ? 'whole' : 'brief', this.pointers).filter(({ name }) => canBeProperty(name));
  }

  #objectType(shape: Shape, where: Where): TypePlan {
    const { direction, depth, chain } = where;
    const isAround = shape.reference !== undefined && chain.has(shape.reference);
    if (direction === 'input' && depth > DEEPEST_INPUT && !isAround) return { kind: 'any', object: true };
    const planned = this.classOf(shape, where);
    return planned.properties.length > 0 || isAround
      ? { kind: 'class', class: planned }
      : { kind: 'any', object: true };
  }

  #arrayType({ items, keywords }: Shape, where: Where): TypePlan {
    const { minItems, maxItems, uniqueItems } = keywords;
    const limits = Object.fromEntries(
      Object.entries({ minItems, maxItems, uniqueItems }).filter(
        ([, value]) => value === true || (Number.isInteger(value) && Number(value) > 0),
      ),
    );
    const held = this.typeOf(items, { ...where, name: where.name.replace(/([^s])s$/, '$1') });
    // A list of lists has no decorator.
    const type: TypePlan = held.kind === 'array' || held.kind === 'record' ? { kind: 'any', object: false } : held;
    if (type !== held) where.note(`${where.name} holds lists or maps: its items are written as any value`);
    return { kind: 'array', items: type, keywords: where.direction === 'input' ? limits : {} };
  }

  #recordType({ additional }: Shape, where: Where): TypePlan {
    if (additional === undefined) return { kind: 'any', object: true };
    const values = this.typeOf(additional, { ...where, name: `${where.name}Value` });
    return values.kind === 'array' || values.kind === 'record' || values.kind === 'union'
      ? { kind: 'any', object: true }
      : { kind: 'record', values };
  }

  /** Two uses of a component are one class, unless they are cut in another way. */
  #levelOf(shape: Shape, { direction, depth, all, fields }: Where): string {
    if (direction === 'output') return all ? 'all' : fields ? 'picked' : depth === 0 ? 'whole' : 'brief';
    const height = this.#heightOf(shape);
    return depth + height <= DEEPEST_INPUT ? 'whole' : `from ${depth}`;
  }

  /** Levels of objects below a schema, up to a limit: a schema that refers to itself has more than any limit. */
  #heightOf(shape: Shape): number {
    const known = this.#heights.get(shape);
    if (known !== undefined) return known;
    // What refers to itself is met again below.
    this.#heights.set(shape, DEEPEST_INPUT + 1);
    const inside = [...shape.properties.values(), shape.items, shape.additional, ...shape.alternatives].filter(
      isObject,
    );
    const heights = inside.map((schema) => {
      const read = readShape(schema, this.pointers);
      return (read.properties.size > 0 ? 1 : 0) + this.#heightOf(read);
    });
    const height = Math.min(Math.max(0, ...heights), DEEPEST_INPUT + 1);
    this.#heights.set(shape, height);
    return height;
  }

  #describe(shape: Shape, type: TypePlan, direction: ValueDirection): string {
    const full = firstSentences(shape.description, direction === 'input' ? LONGEST_TEXT : LONGEST_OF_ANSWER);
    const text = direction === 'output' && full.endsWith('…') ? '' : full;
    const held = type.kind === 'array' ? readShape(shape.items, this.pointers) : shape;
    const plan = type.kind === 'array' ? type.items : type;
    if (!('values' in plan) || plan.kind === 'record' || plan.values) return text;
    const values = valuesOf(held, plan.kind);
    if (!values || values.length < 2) return text;
    const few = values.slice(0, values.length > 12 ? 4 : 12).map(String);
    const list =
      values.length > few.length ? `One of ${values.length}, such as ${few.join(', ')}` : `One of ${few.join(', ')}`;
    return few.every((value) => text.includes(value)) ? text : `${sentence(text)}${text === '' ? '' : ' '}${list}`;
  }
}

/** Within an answer, what has no type says too little to be there unasked. */
function isWorthIt({ type, required, nullable }: WrittenProperty, { direction, fields, all }: Where): boolean {
  if (direction === 'input' || fields || all) return true;
  if (type.kind === 'any') return required && !nullable && !type.object;
  return !(type.kind === 'array' && type.items.kind === 'any');
}

function proposalsFor(own: string, level: string, { direction, name }: Where): string[] {
  if (direction === 'input') return [own, `${own} input`, `${own} ${name}`];
  if (level === 'brief') return [`${own} brief`];
  return level === 'picked' || level === 'all' ? [`${name}`, `${own} ${level}`] : [own, `${own} result`];
}
