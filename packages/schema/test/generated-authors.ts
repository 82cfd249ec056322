/** Properties as authors write them: rules, a @Transform and a custom rule, of one value or of many; and what the page says of them. */
import 'reflect-metadata';
import { plainToInstance, Transform, Type } from 'class-transformer';
import * as cv from 'class-validator';
import fc from 'fast-check';
import type { Class } from '@sigil-mcp/base';
import { isDateText, readDateText } from '../src/date-text';

/** A rule, and what it is about. */
export interface SaidRule {
  readonly about: 'date' | 'dateText' | 'text' | 'any';
  readonly decorate: (options: { each?: boolean }) => PropertyDecorator;
}

const rule =
  (about: SaidRule['about']) =>
  (decorate: SaidRule['decorate']): SaidRule => ({ about, decorate });
const [ofDates, ofDateTexts, ofTexts, ofAny] = [rule('date'), rule('dateText'), rule('text'), rule('any')];
const from = new Date('2026-01-01');

const TEXT_RULES = [
  ofTexts((o) => cv.IsString(o)), ofTexts((o) => cv.Length(2, 12, o)), ofTexts((o) => cv.Matches(/^\S*$/, o)), ofAny((o) => cv.IsNotEmpty(o)),
  ofAny((o) => cv.NotEquals('abc', o)), ofTexts((o) => cv.Contains('2', o)), ofTexts((o) => cv.IsIn(['abc', '2026-02-03', '12'], o)),
  ofTexts((o) => cv.IsNumberString({}, o)), ofDateTexts((o) => cv.IsISO8601({}, o)),
]; // prettier-ignore
const NUMBER_RULES = [
  ofAny((o) => cv.IsNumber({}, o)), ofAny((o) => cv.IsInt(o)), ofAny((o) => cv.Min(0, o)), ofAny((o) => cv.Max(10, o)),
  ofAny((o) => cv.IsIn([1, 5, 12], o)), ofAny((o) => cv.NotEquals(5, o)), ofAny((o) => cv.IsPositive(o)),
]; // prettier-ignore
const DATE_RULES = [
  ofDates((o) => cv.IsDate(o)), ofDates((o) => cv.MinDate(from, o)), ofDates((o) => cv.MaxDate(from, o)), ofDateTexts((o) => cv.IsDateString({}, o)),
  ofAny((o) => cv.IsNotEmpty(o)), ofAny((o) => cv.NotEquals('2026-02-03', o)),
]; // prettier-ignore
/** Rules about texts, which a property that is declared as a Date may have where no @Type makes a Date of it. */
const DATE_TEXT_RULES = [
  ofTexts((o) => cv.IsString(o)), ofTexts((o) => cv.Matches(/^\d{4}-\d\d-\d\d$/, o)), ofTexts((o) => cv.Length(10, 20, o)),
  ofTexts((o) => cv.IsIn(['2026-02-03', '2025-01-01'], o)), ofDateTexts((o) => cv.IsRFC3339(o)),
]; // prettier-ignore

const TEXTS = fc.constantFrom('abc', ' abc ', '', 'a', '12', '2026-02-03', '2026-02-03T10:00:00Z', 'x'.repeat(13));
const NUMBERS = fc.constantFrom(0, 1, 5, 12, -1.5, 2.5);
const DATE_TEXTS = fc.constantFrom('2026-02-03', '2025-01-01', '2026-02-03T10:00:00Z', '2025-12-31T23:59:59+02:00');
const STRANGERS = fc.constantFrom<unknown>('abc', '2026', 7, true, { a: 1 }, null, undefined);

type Convert = (value: unknown) => unknown;

/** What a kind of values is declared as, its rules, its values, and functions that make something of one. */
interface Kind {
  readonly declared: unknown;
  readonly rules: readonly SaidRule[];
  readonly textRules?: readonly SaidRule[];
  readonly types: readonly unknown[];
  readonly values: fc.Arbitrary<unknown>;
  readonly fits: (value: unknown) => boolean;
  readonly converts: readonly Convert[];
}

const same: Convert = (value) => value;
const isText = (value: unknown): value is string => typeof value === 'string';
const dateOf = (value: unknown): Date => (value instanceof Date ? value : new Date(String(value)));
const textOf = (value: unknown): string =>
  value instanceof Date && Number.isFinite(value.getTime()) ? value.toISOString() : String(value);

const KINDS: Readonly<Record<'text' | 'number' | 'date' | 'anyDate', Kind>> = {
  text: {
    declared: String, rules: TEXT_RULES, types: [undefined, String], values: TEXTS, fits: isText,
    converts: [same, (value) => textOf(value).trim(), (value) => textOf(value).length, (value) => textOf(value).split(',')],
  },
  number: {
    declared: Number, rules: NUMBER_RULES, types: [undefined, Number], values: NUMBERS, fits: Number.isFinite,
    converts: [same, (value) => Number(value) + 1, String, (value) => [value]],
  },
  date: {
    declared: Date, rules: DATE_RULES, textRules: DATE_TEXT_RULES, types: [undefined, undefined, Date], values: DATE_TEXTS, fits: isDateText,
    converts: [
      same, (value) => dateOf(value), (value) => textOf(value).slice(0, 10), (value) => dateOf(value).getTime(),
      (value) => new Date(dateOf(value).getTime() + 86_400_000), (value) => `on ${textOf(value)}`, (value) => dateOf(value).getTime() > 0,
    ],
  },
  // The compiler writes no type: @IsDate() says it.
  anyDate: {
    declared: Object, rules: DATE_RULES.slice(0, 3), types: [undefined, Date], values: DATE_TEXTS, fits: isDateText,
    converts: [same, (value) => dateOf(value), (value) => textOf(value).slice(0, 10)],
  },
}; // prettier-ignore

/** What holds the values of a property. */
export type Holder = 'one' | 'list' | 'set' | 'map';
const HOLDERS = { one: undefined, list: Array, set: Set, map: Map } as const;

/** A property, as plain data. */
export interface AuthorField {
  readonly kind: Kind;
  readonly isDate: boolean;
  readonly holder: Holder;
  readonly type: unknown;
  readonly rules: readonly SaidRule[];
  readonly convert: Convert | undefined;
  readonly optional: boolean;
  readonly values: fc.Arbitrary<unknown>;
  /** What the custom rule and the @Transform were given; each run empties both. */
  readonly seen: { custom: unknown[]; transform: unknown[] };
}

const pick = <T>(list: readonly T[], most: number): fc.Arbitrary<T[]> =>
  fc.subarray([...list], { maxLength: Math.min(most, list.length) });

/** A property of any kind, in any holder. */
export const authorField: fc.Arbitrary<AuthorField> = fc
  .tuple(
    fc.constantFrom<keyof typeof KINDS>('text', 'number', 'date', 'date', 'anyDate'),
    fc.constantFrom<Holder>('one', 'one', 'list', 'set', 'map'),
    fc.nat(),
    fc.boolean(),
    fc.boolean(),
  )
  .chain(([name, holder, at, isTransformed, optional]) => {
    const kind = KINDS[name];
    const isDate = kind.values === DATE_TEXTS;
    const type = kind.types[at % kind.types.length];
    // Without a rule or a @Type nothing says what a list, or a value without a type, holds.
    const mustSay = type === undefined && (holder !== 'one' || name === 'anyDate');
    const texts = type === undefined && holder === 'one' ? (kind.textRules ?? []) : [];
    const rules = fc.tuple(pick(kind.rules, 2), pick(texts, 1)).map(([some, more]) => [...some, ...more]);
    const first = kind.rules[0]!;
    // class-transformer makes a Map only with @Type, and without it a list of a Set.
    const held = holder === 'map' && type === undefined ? 'list' : holder;
    const transforms = isTransformed && !(held === 'set' && type === undefined);
    return fc.record({
      kind: fc.constant(kind),
      isDate: fc.constant(isDate),
      holder: fc.constant(held),
      type: fc.constant(type),
      rules: mustSay ? rules.map((some) => [first, ...some.filter((one) => one !== first)]) : rules,
      convert: transforms ? fc.constantFrom(...kind.converts) : fc.constant(undefined),
      optional: fc.constant(optional),
      values: fc.constant(heldBy(held, kind.values)),
      seen: fc.constant(null).map(() => ({ custom: [], transform: [] })),
      [fc.toStringMethod]: fc.constant(toText),
    });
  });

/** What a failure shows of a property. */
function toText(this: AuthorField): string {
  const { kind, holder, type, rules, convert, optional } = this;
  const words = [...rules.map(({ decorate }) => decorate), ...(convert ? [convert] : [])].map(String);
  return `${nameOf(kind.declared)} ${holder}, @Type ${nameOf(type)}${optional ? ', optional' : ''}: ${words.join('; ')}`;
}

function nameOf(type: unknown): string {
  return typeof type === 'function' ? type.name : String(type);
}

function heldBy(holder: Holder, values: fc.Arbitrary<unknown>): fc.Arbitrary<unknown> {
  const items = fc.oneof({ weight: 15, arbitrary: values }, { weight: 1, arbitrary: fc.constantFrom('abc', 7) });
  const list = fc.uniqueArray(items, { maxLength: 3 });
  const map = list.map((all) => Object.fromEntries(all.map((item, index) => [`k${index}`, item])));
  const held = { one: values, list, set: list, map }[holder];
  return fc.oneof({ weight: 8, arbitrary: held }, { weight: 1, arbitrary: STRANGERS });
}

/** What a @Transform makes of a whole value: of each item, where there are several. */
export function converted({ convert = same }: AuthorField, value: unknown): unknown {
  if (Array.isArray(value)) return value.map(convert);
  if (value instanceof Set) return new Set([...(value as Set<unknown>)].map(convert));
  if (value instanceof Map)
    return new Map([...(value as Map<unknown, unknown>)].map(([key, item]) => [key, convert(item)]));
  return convert(value);
}

/** Writes a property into a class, with a custom rule that only writes down what it is given. */
export function declare(prototype: object, name: string, field: AuthorField, options = {}): void {
  const { kind, holder, type, rules, convert, optional, seen } = field;
  const each = holder !== 'one';
  const note = cv.ValidateBy(
    { name: 'note', validator: { validate: (value) => seen.custom.push(value) > 0 } },
    { each },
  );
  const decorators = [
    // @Type reads what the compiler has written.
    Reflect.metadata('design:type', HOLDERS[holder] ?? kind.declared),
    ...rules.map(({ decorate }) => decorate({ each })),
    note,
    ...(type === undefined ? [] : [Type(() => type as Class)]),
    ...(optional ? [cv.IsOptional()] : []),
    ...(convert ? [Transform(({ value }) => (seen.transform.push(value), converted(field, value)), options)] : []),
  ];
  for (const decorate of decorators) decorate(prototype, name);
}

type Bare = new () => { it: unknown };

/** One class for each rule and holder: class-validator searches all rules that it knows. */
const bare = new Map<unknown, Bare>();

function bareClass(key: string, decorators: readonly PropertyDecorator[]): Bare {
  const known = bare.get(key);
  if (known) return known;
  class Sent {
    it: unknown;
  }
  for (const decorate of decorators) decorate(Sent.prototype, 'it');
  bare.set(key, Sent);
  return Sent;
}

/** Whether class-validator's rules accept a value, of each item where there are several. */
export function ruleAccepts({ holder }: AuthorField, { decorate }: SaidRule, value: unknown): boolean {
  const each = holder !== 'one';
  const Sent = bareClass(`${String(decorate)} ${each}`, [cv.Allow(), decorate({ each })]);
  return cv.validateSync(Object.assign(new Sent(), { it: value })).length === 0;
}

/** What class-transformer makes of a value before @Transform. */
export function typed({ type }: AuthorField, holder: Holder, sent: unknown): unknown {
  const declared = Reflect.metadata('design:type', HOLDERS[holder] ?? Object);
  const types = type === undefined ? [] : [Type(() => type as Class)];
  return plainToInstance(bareClass(`${nameOf(type)} ${holder}`, [declared, ...types]), { it: sent }).it;
}

/** The items of a value; the value itself where there is one. */
export function itemsOf(holder: Holder, value: unknown): readonly unknown[] | undefined {
  if (holder === 'one') return [value];
  if (holder !== 'map') return Array.isArray(value) ? (value as unknown[]) : undefined;
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.values(value) : undefined;
}

/** A value of which each date is a Date. */
export function moments(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(moments);
  if (value instanceof Set) return new Set([...(value as Set<unknown>)].map(moments));
  if (value instanceof Map)
    return new Map([...(value as Map<unknown, unknown>)].map(([key, item]) => [key, moments(item)]));
  return isDateText(value) ? readDateText(String(value)) : value;
}
