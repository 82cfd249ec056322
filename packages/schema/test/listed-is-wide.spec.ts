/**
 * A listed schema is never narrower than what is read, also for clients that check formats: they check arguments before they send them, so a
 * text that the server accepts would never arrive.
 */
import Ajv from 'ajv/dist/2020';
import addFormats from 'ajv-formats';
import { Type } from 'class-transformer';
import * as cv from 'class-validator';
import fc from 'fast-check';
import type { Class } from '@sigil-mcp/base';
import { AnyOf, CONSTRAINTS, Describe, Nullable } from '../src';
import { compileInput } from '../src/compile-shapes';
import type { Reading } from '../src/value-plan';
import { runs } from '../../../test/support/matrix';

const ajv = new Ajv({ strict: false, validateFormats: true });
addFormats(ajv, { mode: 'full' });

type Decorate = (...parameters: never[]) => PropertyDecorator;
const decorators = cv as unknown as Readonly<Record<string, Decorate>>;

/** The arguments of decorators that need some, and others that change what they accept. */
const PARAMETERS: Readonly<Record<string, readonly (readonly unknown[])[]>> = {
  IsInstance: [[Date], [Set], [Map]], IsIn: [[['a', 1]]], IsEnum: [[{ A: 'a' }]], Equals: [['a']], IsNotIn: [[['a']]], NotEquals: [['a']],
  Min: [[1]], Max: [[1]], IsDivisibleBy: [[3]], ArrayMinSize: [[1]], ArrayMaxSize: [[2]], ArrayContains: [[['a']]], ArrayNotContains: [[['a']]],
  MinDate: [[new Date(0)]], MaxDate: [[new Date(2e12)]], Length: [[1, 3]], MinLength: [[2]], MaxLength: [[2]], Matches: [[/^.a/], [/a/i], [/a/u]],
  Contains: [['a']], NotContains: [['a']], IsHash: [['md5']], IsByteLength: [[1, 4]], IsNumber: [[], [{ maxDecimalPlaces: 2 }], [{ maxDecimalPlaces: 0 }]],
  IsIP: [[], [4], ['4'], [6], ['6']], IsUUID: [[], ['4'], ['all'], ['loose'], ['max'], ['nil']], IsUrl: [[], [{ require_tld: false }], [{ require_protocol: true }]],
  IsEmail: [[], [{ allow_display_name: true }], [{ allow_ip_domain: true, allow_utf8_local_part: true }]], IsFQDN: [[], [{ require_tld: false, allow_underscores: true }]],
  IsISO8601: [[], [{ strict: true }]], IsDateString: [[], [{ strict: true, strictSeparator: true }]], IsNumberString: [[], [{ no_symbols: true }]],
  IsAlpha: [[], ['de-DE']], IsAlphanumeric: [[], ['de-DE']], IsIdentityCard: [['any']], IsPostalCode: [['DE']], IsMobilePhone: [['de-DE']], IsTaxId: [['de-DE']],
  IsPassportNumber: [['DE']], IsISSN: [[]], IsNotEmptyObject: [[], [{ nullable: false }]],
}; // prettier-ignore

const SAMPLES: readonly unknown[] = [
  'a', 'ba', 'abc', '', '1', '-1.5', 'true', 'DE', '{"a":1}', 'YQ==', 'MFRGGZDF', '0x1f', 'f'.repeat(24), '23:59', 'UPPER', 'ü', '字', '😀',
  'a@b.co', 'ü@ö.de', 'Ann <a@b.co>', 'a@[127.0.0.1]', '"a b"@c.de', 'a.b+c@sub.example.museum',
  'example.com', 'https://example.com/a?b=c#d', 'ftp://a.de', 'http://ü.de/ö', 'localhost', '//cdn.example.com', 'http://a.de/x y', 'https://[::1]/', 'mailto:a@b.co',
  'a_b.example.com', 'xn--4ca.de', 'münchen.de', 'host', '127.0.0.1', '01.2.3.4', '::1', 'fe80::1%eth0', '::ffff:1.2.3.4', '2001:db8::',
  'a0eebc99-9c0b-4ef8-bb6d-6bb9bd380a11', '00000000-0000-0000-0000-000000000000', 'ffffffff-ffff-ffff-ffff-ffffffffffff', 'A0EEBC99-9C0B-0EF8-0B6D-6BB9BD380A11',
  '2026-01-31', '2026-01-31T12:00:00Z', '2026-01-31 12:00:00', '2026-01-31T12:00Z', '2026-W05-1', '2026-031', '2026', '20260131T120000Z', '2026-02-31T00:00:00Z',
  0, 1, 3, -2.5, 0.07, true, false, ['a'], [], ['a', 'b'], {}, { a: 1 },
  '2016-12-31T23:59:60Z', '2026-01-31t12:00:00z', '2026-01-31T12:00:00+0200', '2026-01-31T24:00:00Z', '2026-01-31T12:00:60Z',
]; // prettier-ignore

const values = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...SAMPLES) },
  fc.emailAddress(),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
  fc.domain(),
  fc.ipV4Extended(),
  fc.ipV6(),
  fc.uuid(),
  fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
);

function classOf(emitted: unknown, rules: readonly PropertyDecorator[]): Class<{ it: unknown }> {
  class Sent {
    it!: unknown;
  }
  for (const decorate of [Reflect.metadata('design:type', emitted), ...rules]) decorate(Sent.prototype, 'it');
  return Sent;
}

const EMITTED = { string: String, number: Number, boolean: Boolean, date: Date, array: Array, object: Object } as const;

/** The classes of a decorator: of one value, of a list, nullable, and of a Date. */
function classesOf(name: string, emitted: unknown, parameters: readonly unknown[]): [string, Class][] {
  const said = (options?: object): PropertyDecorator => decorators[name]!(...([...padded(name, parameters), ...(options ? [options] : [])] as never[])); // prettier-ignore
  return [
    ['of one value', classOf(emitted, [said()])],
    ['described', classOf(emitted, [said(), Describe('What it is.')])],
    ['nullable', classOf(emitted, [said(), Nullable()])],
    ['of a list', classOf(Array, [said({ each: true })])],
    ['of a Date', classOf(Date, [said()])],
    ['of a Date that @Type makes', classOf(Date, [said(), Type(() => Date)])],
    ['of one of two types', classOf(Object, [said(), AnyOf(String, Date)])],
  ];
}

/** The options of a rule follow all of its parameters. */
function padded(name: string, parameters: readonly unknown[]): readonly unknown[] {
  const { length } = decorators[name]!;
  return [...parameters, ...Array.from({ length: Math.max(0, length - 1 - parameters.length) }, () => undefined)];
}

const table = CONSTRAINTS.flatMap(({ decorator, kinds, fixed, taken }) =>
  (PARAMETERS[decorator] ?? [[]]).map((parameters) => {
    const isListed = fixed !== undefined || taken !== undefined;
    return { decorator, kind: kinds?.[0] ?? 'string', parameters, isListed };
  }),
);

it('has every constraint and its samples', () => {
  expect(CONSTRAINTS.map(({ decorator }) => typeof decorators[decorator])).toEqual(CONSTRAINTS.map(() => 'function'));
});

describe.each(table)('@$decorator of a $kind, given $parameters', ({ decorator, kind, parameters, isListed }) => {
  const compiled = classesOf(decorator, EMITTED[kind as keyof typeof EMITTED], parameters).flatMap(([words, dto]) => {
    const shape = compileInput(dto, {}, () => undefined, 'Test.method');
    return shape ? [[words, shape] as const] : [];
  });

  it('is listed as wide as it reads', () => {
    let accepted = 0;
    for (const [words, shape] of compiled) {
      const isValid = ajv.compile(shape.schema);
      const check = (value: unknown): void => {
        for (const sent of [{ it: value }, { it: [value] }]) {
          if (!(shape.read(structuredClone(sent)) as Reading<unknown>).ok) continue;
          accepted += 1;
          expect([words, sent, isValid(sent), isValid.errors]).toEqual([words, sent, true, null]);
        }
      };
      for (const value of SAMPLES) check(value);
      fc.assert(fc.property(values, check), { numRuns: runs(400) });
    }
    // A rule that accepts none of the values would prove nothing.
    if (isListed) expect(accepted).toBeGreaterThan(0);
  });
});

it('says in words what it listed as a format', () => {
  class Guest {
    @Describe('Where to write.') @cv.IsEmail() mail!: string;
    @cv.IsUrl() site!: string;
    @cv.IsDateString() @Nullable() since!: string | null;
    @cv.IsDate() @Type(() => Date) until!: Date;
    @cv.IsRFC3339({ each: true }) seen!: string[];
    @cv.IsIn(['2026-01-31']) day!: Date;
    @cv.IsIP(4) address!: string;
  }
  const shape = compileInput(Guest, {}, () => undefined, 'Test.method');
  const date = 'a date: 2026-01-31 or 2026-01-31T12:00:00Z';
  expect(shape?.schema['properties']).toEqual({
    mail: { type: 'string', description: 'Where to write (an e-mail address)' },
    site: { type: 'string', description: 'a URL' },
    since: { type: ['string', 'null'], description: date },
    until: { type: 'string', description: date },
    seen: { type: 'array', items: { type: 'string', description: 'a date and time: 2026-01-31T12:00:00Z' } },
    day: { type: 'string', enum: ['2026-01-31'] },
    address: { type: 'string', format: 'ipv4' },
  });
});
