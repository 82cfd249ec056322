/**
 * For generated classes, what happens is what class-validator and class-transformer do with the same class, but for what `docs/dtos.md` names:
 * in each of those cases, it is what the page says, put together from the same libraries.
 */
import { instanceToPlain, plainToInstance, Type } from 'class-transformer';
import { validateSync, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import { compileInput, compileOutput } from '../src/compile-shapes';
import type { Reading } from '../src/value-plan';
import {
  authorField,
  converted,
  declare,
  itemsOf,
  moments,
  ruleAccepts,
  typed,
  type AuthorField,
  type SaidRule,
} from './generated-authors';
import { all, runs } from '../../../test/support/matrix';

const times = Number(process.env['AGREEMENT_RUNS'] ?? runs(5000));

type Constructor = new () => object;

/** A class with one such property; or with one that holds an instance of that class, alone or in a list. */
function build(field: AuthorField, nested: 'no' | 'one' | 'list', options = {}): Constructor {
  class Author {
    it: unknown;
  }
  declare(Author.prototype, 'it', field, options);
  if (nested === 'no') return Author;
  class Outer {
    held: unknown;
  }
  for (const decorate of [
    Reflect.metadata('design:type', nested === 'list' ? Array : Author),
    ValidateNested({ each: nested === 'list' }),
    Type(() => Author),
  ])
    decorate(Outer.prototype, 'held');
  return Outer;
}

const around = (nested: 'no' | 'one' | 'list', it: unknown): object => {
  const inner = it === undefined ? {} : { it };
  return nested === 'no' ? inner : { held: nested === 'list' ? [inner] : inner };
};

const within = (nested: 'no' | 'one' | 'list', instance: unknown): unknown => {
  const outer = instance as { it?: unknown; held?: unknown };
  const inner = nested === 'no' ? outer : nested === 'list' ? (outer.held as object[])[0] : outer.held;
  return (inner as { it?: unknown }).it;
};

const generated = authorField.chain((field) =>
  fc.record({ field: fc.constant(field), nested: fc.constantFrom('no', 'no', 'one', 'list'), sent: field.values }),
);

function isAboutText({ about }: SaidRule): boolean {
  return about === 'text' || about === 'dateText';
}

/** A date becomes a Date after all functions, unless @Type names the class, or rules say that a @Transform is given any text. */
function isLate({ isDate, type, convert, rules }: AuthorField): boolean {
  return (
    isDate &&
    type === undefined &&
    !(convert && rules.some(isAboutText) && !rules.some(({ about }) => about === 'date'))
  );
}

/** Whether two values are of one type, as the page means it: the Date of a text of a date is no other type. */
function isSameType(field: AuthorField, before: unknown, after: unknown): boolean {
  const nameOf = (value: unknown): string =>
    value instanceof Date && isLate(field) ? 'String' : (value as object).constructor.name;
  if (nameOf(before) !== nameOf(after)) return false;
  if (!Array.isArray(before) || !Array.isArray(after)) return true;
  const names = new Set(before.map(nameOf));
  return after.every((item) => names.has(nameOf(item)));
}

/** What the page says of a value that was sent: whether it is accepted, and whether that may differ from what the libraries say. */
function judge(field: AuthorField, sent: unknown): { readonly accepts: boolean; readonly isNamed: boolean } {
  const { holder, kind, rules, optional, convert, isDate, type } = field;
  if (sent === undefined || sent === null) return { accepts: optional, isNamed: true };
  const fits =
    isDate && type === undefined && !isLate(field) ? (value: unknown) => typeof value === 'string' : kind.fits;
  const items = itemsOf(holder, sent);
  if (!items?.every(fits)) return { accepts: false, isNamed: true };
  const before = typed(field, holder, sent);
  const accepts = (value: unknown, text: unknown): boolean =>
    rules.every((rule) => {
      const asked = { date: moments(value), dateText: text, text, any: value }[rule.about];
      // Rules about texts are not about the Date that a @Transform makes.
      const isOther = isAboutText(rule) && [asked].flat().some((item) => item instanceof Date);
      return isOther || ruleAccepts(field, rule, asked);
    });
  const first = accepts(before, holder === 'one' ? sent : items);
  const after = converted(field, before);
  // NaN is no value: the text could not be converted.
  if (convert && [after].flat().some((made) => Number.isNaN(made instanceof Date ? made.getTime() : made)))
    return { accepts: false, isNamed: true };
  const isSame = isSameType(field, before, after);
  const isAgain = convert !== undefined && isSame && !(after instanceof Set || after instanceof Map);
  const isNamed =
    rules.some((rule) => rule.about === 'date' || (isAboutText(rule) && type === Date)) ||
    (convert !== undefined && (!isAgain || !first));
  return { accepts: first && (!isAgain || accepts(after, after)), isNamed };
}

/** As JSON has it; a Map is an object and a Set a list. */
function toJson(value: unknown): unknown {
  const open = (_name: string, member: unknown): unknown => {
    if (member instanceof Set) return [...(member as Set<unknown>)];
    return member instanceof Map ? Object.fromEntries(member as Map<string, unknown>) : member;
  };
  return JSON.parse(JSON.stringify(value, open)) as unknown;
}

/** What a handler returns for a property, made of what a client could have sent. */
function returned(field: AuthorField, sent: unknown): unknown {
  const { holder, isDate } = field;
  const held = holder === 'set' ? new Set(sent as unknown[]) : holder === 'map' ? new Map(Object.entries(sent as object)) : sent; // prettier-ignore
  return isDate ? moments(held) : held;
}

/** Whether the page says that a value is written: the rules are about it, but for those about the Date that a @Transform was given. */
function isWritten(field: AuthorField, written: unknown): boolean {
  const { holder, kind, rules, convert, isDate, type } = field;
  const items = itemsOf(holder, written);
  const isText = rules.some(isAboutText);
  const fits = (item: unknown): boolean =>
    isDate && convert
      ? typeof item === 'string' || (!isText && ['number', 'boolean'].includes(typeof item))
      : kind.fits(item);
  if (!items?.every(fits)) return false;
  const whole = holder === 'one' ? written : items;
  const any = type === Date && !convert ? moments(whole) : whole;
  const asked = { date: moments(whole), dateText: whole, text: whole, any };
  return rules.every((rule) => (rule.about === 'date' && convert) || ruleAccepts(field, rule, asked[rule.about]));
}

describe('class-validator and class-transformer', () => {
  it('accept the same, call the same functions with the same, and give the same', () => {
    const seen = { classes: 0, accepted: 0, refused: 0, unnamed: 0 };
    fc.assert(
      fc.property(generated, ({ field, nested, sent }) => {
        const Author = build(field, nested);
        const shape = compileInput(Author, {}, () => undefined, 'Generated');
        if (!shape) return;
        seen.classes += 1;
        const given = around(nested, sent);
        const [ours, theirs] = [
          watch(field, () => shape.read(structuredClone(given)) as Reading<object>),
          watch(field, () => {
            const instance = plainToInstance(Author, structuredClone(given));
            return { instance, accepts: validateSync(instance).length === 0 };
          }),
        ];
        const { accepts, isNamed } = judge(field, sent);
        expect(ours.result.ok).toBe(accepts);
        if (!isNamed) expect(ours.result.ok).toBe(theirs.result.accepts);
        seen[accepts ? 'accepted' : 'refused'] += 1;
        if (!isNamed) seen.unnamed += 1;
        if (!ours.result.ok || sent === undefined || sent === null) return;
        expect(ours.transform).toEqual(theirs.transform);
        const [before, after] = [typed(field, field.holder, sent), within(nested, theirs.result.instance)];
        const isOther = field.convert !== undefined && !isSameType(field, before, after);
        expect(ours.custom).toEqual(
          isOther ? [...itemsOf(field.holder, sent)!].map((item) => typed(field, 'one', item)) : theirs.custom,
        );
        const made = within(nested, ours.result.value);
        // Without @Type, class-transformer leaves a Set as the list that was sent.
        const wanted = field.holder === 'set' && Array.isArray(after) ? new Set<unknown>(after) : after;
        expect(field.isDate ? moments(made) : made).toEqual(field.isDate ? moments(wanted) : wanted);
      }),
      { numRuns: times },
    );
    expect(Math.min(seen.accepted, seen.refused, seen.unnamed)).toBeGreaterThan(all ? times / 10 : 0);
    expect(seen.classes).toBeGreaterThan(times / 2);
  }, 3_600_000);

  it('write the same', () => {
    const seen = { written: 0, refused: 0 };
    fc.assert(
      fc.property(generated, ({ field, nested, sent }) => {
        if (sent === undefined || sent === null || !itemsOf(field.holder, sent)?.every(field.kind.fits)) return;
        const Author = build(field, nested, { toPlainOnly: true });
        const shape = compileOutput(Author, () => undefined, 'Generated');
        if (!shape) return;
        const value = returned(field, sent);
        const instance = plainToInstance(Author, around(nested, sent));
        const holder = nested === 'no' ? instance : [(instance as { held: object }).held].flat()[0]!;
        Object.assign(holder, { it: value });
        const wanted = toJson(converted(field, value));
        const writing = shape.write(instance) as Reading<unknown>;
        expect([writing.ok, wanted]).toEqual([isWritten(field, wanted), wanted]);
        seen[writing.ok ? 'written' : 'refused'] += 1;
        if (!writing.ok) return;
        expect(within(nested, writing.value)).toEqual(wanted);
        // What @Transform makes where @Type stands, class-transformer converts once more.
        if (field.type === undefined || !field.convert)
          expect(writing.value).toEqual(toJson(instanceToPlain(instance)));
      }),
      { numRuns: times },
    );
    expect(seen.written).toBeGreaterThan(times / 8);
  }, 3_600_000);
});

function watch<T>({ seen }: AuthorField, run: () => T): { result: T; custom: unknown[]; transform: unknown[] } {
  seen.custom = [];
  seen.transform = [];
  const result = run();
  return { result, custom: seen.custom, transform: seen.transform };
}
