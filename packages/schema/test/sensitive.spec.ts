/** What is not recorded: properties with `@Sensitive`, wherever they are in a value, and whatever was sent in their place. */
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import { Expose, Type } from 'class-transformer';
import { IsArray, IsOptional, IsString, ValidateNested } from 'class-validator';
import fc from 'fast-check';
import {
  AnyOf,
  formShape,
  inputShape,
  outputShape,
  PartialType,
  RecordOf,
  redact,
  Sensitive,
  sensitiveParts,
} from '../src';
import { compileInput } from '../src/compile-shapes';

class Card {
  @IsString() owner!: string;
  @Sensitive() @IsString() number!: string;
}
class Cash {
  @IsString() currency!: string;
}
class Payment {
  @Expose({ name: 'pin' }) @Sensitive() @IsOptional() @IsString() code?: string;
  @ValidateNested() @Type(() => Card) card!: Card;
  @IsArray() @ValidateNested({ each: true }) @Type(() => Card) others!: Card[];
  @RecordOf(() => Card) byName!: Record<string, Card>;
  @AnyOf(() => [Cash, Card]) with!: Cash | Card;
}
const CARD = { owner: 'Ada', number: '4242' };
const HIDDEN = { owner: 'Ada', number: '[sensitive]' };

class Folder {
  @IsString() name!: string;
  @Sensitive() @IsOptional() @IsString() key?: string;
  @IsOptional() @IsArray() @ValidateNested({ each: true }) @Type(() => Folder) inside?: Folder[];
}

it('replaces values of a class in each of its places, under the names of the wire', () => {
  const value = { pin: '1234', card: CARD, others: [CARD], byName: { work: CARD }, with: CARD };
  expect(redact(value, inputShape(Payment))).toEqual({
    ...{ pin: '[sensitive]', card: HIDDEN, others: [HIDDEN] },
    ...{ byName: { work: HIDDEN }, with: HIDDEN },
  });
  expect(value.card.number).toBe('4242');
  expect(redact({ card: CARD }, outputShape(Payment))).toEqual({ card: HIDDEN });
  expect(sensitiveParts(inputShape(Payment))).toContainEqual(['others', '*', 'number']);
});

it('replaces them at every depth of a class that contains itself', () => {
  const value = { name: 'a', key: '1', inside: [{ name: 'b', key: '2', inside: [{ name: 'c', key: '3' }] }] };
  expect(JSON.stringify(redact(value, inputShape(Folder)))).toBe(
    '{"name":"a","key":"[sensitive]","inside":[{"name":"b","key":"[sensitive]","inside":[{"name":"c","key":"[sensitive]"}]}]}',
  );
});

it('replaces them in schemas that are marked with writeOnly or the format password', () => {
  const schema = {
    type: 'object',
    properties: {
      user: { type: 'string' },
      secret: { $ref: '#/$defs/secret' },
      pins: { type: 'array', items: { format: 'password' } },
    },
    $defs: { secret: { type: 'string', writeOnly: true } },
  } as const;
  expect(redact({ user: 'a', secret: 'b', pins: ['1', '2'] }, inputShape(schema))).toEqual({
    ...{ user: 'a', secret: '[sensitive]', pins: ['[sensitive]', '[sensitive]'] },
  });
});

describe('a mark that is reached', () => {
  const marked = { type: 'string', format: 'password' };
  const { properties } = { properties: { user: { type: 'string' } } };
  const hidden = { user: 'a', pin: '[sensitive]' };
  // Rather too many than too few.
  const all = { user: '[sensitive]', pin: '[sensitive]' };
  const rows: readonly (readonly [string, object, unknown])[] = [
    [
      'by an anchor',
      { properties: { ...properties, pin: { $ref: '#pw' } }, $defs: { p: { ...marked, $anchor: 'pw' } } },
      hidden,
    ],
    [
      'by an address',
      {
        properties: { ...properties, pin: { $ref: 'https://e.example/pw' } },
        $defs: { p: { ...marked, $id: 'https://e.example/pw' } },
      },
      hidden,
    ],
    [
      'by an address that is relative to another one',
      {
        $id: 'https://e.example/a/root',
        properties: { ...properties, pin: { $ref: 'pw#/$defs/x' } },
        $defs: { p: { $id: 'pw', $defs: { x: marked } } },
      },
      hidden,
    ],
    [
      'by a reference that the way to it decides',
      { properties: { ...properties, pin: { $dynamicRef: '#pw' } }, $defs: { p: { ...marked, $dynamicAnchor: 'pw' } } },
      hidden,
    ],
    ['in dependentSchemas', { properties, dependentSchemas: { user: { properties: { pin: marked } } } }, hidden],
    ['in unevaluatedProperties', { properties, unevaluatedProperties: marked }, all],
    ['in if and then', { properties, if: { required: ['user'] }, then: { properties: { pin: marked } } }, hidden],
    ['in patternProperties', { properties, patternProperties: { '^p': marked } }, all],
    [
      'in the JSON of a text, directly',
      { properties: { ...properties, pin: { type: 'string', contentSchema: { properties: { code: marked } } } } },
      hidden,
    ],
    [
      'in the JSON of a text, by a reference',
      {
        properties: { ...properties, pin: { type: 'string', contentSchema: { $ref: '#/$defs/card' } } },
        $defs: { card: { properties: { code: { items: marked } } } },
      },
      hidden,
    ],
    [
      'under a keyword that is not known',
      { properties: { ...properties, pin: {} }, 'x-also': { properties: { pin: marked } } },
      '[sensitive]',
    ],
    [
      'by nothing that is there',
      { properties: { ...properties, pin: { $ref: 'https://e.example/' } }, $defs: { p: marked } },
      '[sensitive]',
    ],
    [
      'nowhere',
      { properties: { ...properties, pin: { type: 'string' } }, $defs: { p: marked }, default: { pin: marked } },
      { user: 'a', pin: '1' },
    ],
  ];
  it.each(rows)('%s hides the value', (_, schema, expected) => {
    expect(redact({ user: 'a', pin: '1' }, { schema: { type: 'object', ...schema } })).toEqual(expected);
  });
});

it('keeps the mark in classes that are made of others', () => {
  expect(redact({ number: '1' }, inputShape(PartialType(Card)))).toEqual({ number: '[sensitive]' });
});

it('returns a value as it is if nothing in its class is sensitive', () => {
  const value = { currency: 'EUR', other: 1 };
  expect(redact(value, inputShape(Cash))).toBe(value);
});

it('shows no sensitive text, whatever else is sent in its place or under whatever name', () => {
  const SECRET = 'of-nobody-else';
  const holding = fc.letrec<{ value: unknown }>((tie) => ({
    value: fc.oneof(
      { depthSize: 'small' },
      fc.constant(SECRET),
      fc.array(tie('value'), { maxLength: 2 }),
      fc.dictionary(fc.constantFrom('number', 'Number', 'key', 'pin', 'code', '__proto__', 'x'), tie('value'), {
        maxKeys: 3,
      }),
    ),
  })).value;
  const sent = fc.dictionary(fc.constantFrom('number', 'numbr', 'pin', 'key', 'inside', 'byName', 'others'), holding);
  fc.assert(
    fc.property(sent, fc.constantFrom<Class>(Card, Folder), (value, dto) => {
      const { name: _, ...rest } = value;
      expect(JSON.stringify(redact(rest, inputShape(dto)))).not.toContain(SECRET);
    }),
  );
});

it('lets no form ask for one', () => {
  expect(() => formShape(Card)).toThrow(/SIGIL_DTO_FORM_SENSITIVE|must not ask for sensitive values/);
});

it('does not change what is listed, read or written', async () => {
  class Plain {
    @IsString() owner!: string;
    @IsString() number!: string;
  }
  const problems: DefinitionProblem[] = [];
  const [plain, marked] = [Plain, Card].map((dto) =>
    compileInput(dto, {}, (problem) => problems.push(problem), 'Test'),
  );
  expect(problems).toEqual([]);
  expect(marked?.schema).toEqual(plain?.schema);
  expect(await marked?.read(CARD)).toMatchObject({ ok: true, value: CARD });
});

it('looks at each member of a value once, however many there are', () => {
  const shape = {
    schema: { type: 'object', additionalProperties: { type: 'object', properties: { key: { writeOnly: true } } } },
  };
  const readsOf = (count: number): number => {
    let reads = 0;
    const member = (): object =>
      new Proxy(
        { key: 'secret', other: 1 },
        { get: (target, name) => ((reads += 1), Reflect.get(target, name) as unknown) },
      );
    const value = Object.fromEntries(Array.from({ length: count }, (_, index) => [`m${index}`, member()]));
    expect(JSON.stringify(redact(value, shape as never))).not.toContain('"secret"');
    return reads;
  };
  expect(readsOf(400)).toBeLessThanOrEqual(2.2 * readsOf(200));
});
