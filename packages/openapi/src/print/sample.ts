/** A value that a type accepts, for the tests that are written. */
import type { WrittenClass, ScalarPlan, TypePlan } from '../plan/type-plan';

/** Says that no value was found. */
export const NO_SAMPLE = Symbol('no sample');

/** A value with as few members as are required; `NO_SAMPLE` if a pattern cannot be satisfied. */
export function sampleOf(type: TypePlan, depth = 0): unknown {
  if (depth > 8) return NO_SAMPLE;
  switch (type.kind) {
    case 'class':
      return sampleObject(type.class, depth + 1);
    case 'array': {
      const least = Number(type.keywords['minItems'] ?? 1);
      const one = sampleOf(type.items, depth + 1);
      if (one === NO_SAMPLE || (least > 1 && type.keywords['uniqueItems'] === true)) return NO_SAMPLE;
      return Array.from({ length: Math.max(1, least) }, () => one);
    }
    case 'record':
      return {};
    case 'union': {
      const [first] = type.members;
      return first ? sampleOf(first, depth + 1) : NO_SAMPLE;
    }
    case 'any':
      return type.object ? {} : 'any';
    default:
      return sampleScalar(type);
  }
}

/** The required members of an object. */
export function sampleObject({ properties }: WrittenClass, depth = 0): unknown {
  const members = properties
    .filter(({ required }) => required)
    .map(({ name, type, nullable }) => {
      const value = sampleOf(type, depth);
      return [name, value === NO_SAMPLE && nullable ? null : value] as const;
    });
  return members.some(([, value]) => value === NO_SAMPLE) ? NO_SAMPLE : Object.fromEntries(members);
}

function sampleScalar({ kind, values, keywords }: ScalarPlan): unknown {
  if (values) return values[0];
  if (kind === 'boolean') return true;
  return kind === 'string' ? sampleText(keywords) : sampleNumber(keywords, kind === 'integer');
}

function sampleNumber(keywords: ScalarPlan['keywords'], isWhole: boolean): unknown {
  const { minimum, maximum, exclusiveMinimum, exclusiveMaximum, multipleOf } = keywords as Record<
    string,
    number | undefined
  >;
  const step = multipleOf ?? 1;
  const candidates = [1, minimum, (exclusiveMinimum ?? 0) + step, maximum, (exclusiveMaximum ?? 0) - step, step, 0.5];
  const found = candidates.find(
    (value) =>
      value !== undefined &&
      (!isWhole || Number.isInteger(value)) &&
      value >= (minimum ?? -Infinity) &&
      value <= (maximum ?? Infinity) &&
      value > (exclusiveMinimum ?? -Infinity) &&
      value < (exclusiveMaximum ?? Infinity) &&
      value % step === 0,
  );
  return found ?? NO_SAMPLE;
}

const FORMATS: Readonly<Record<string, string>> = {
  'date-time': '2026-01-31T12:00:00Z',
  uuid: '123e4567-e89b-42d3-a456-426614174000',
  email: 'ada@example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
};
const TEXTS = [
  'text',
  'a',
  'abcdefgh',
  '1',
  '12345678',
  'A',
  'ABC',
  'abc_123',
  'a/b',
  'a-b',
  'deadbeef',
  'a.b',
  '+1',
  '#aabbcc',
];

function sampleText({ format, pattern, minLength = 0, maxLength = Infinity }: ScalarPlan['keywords']): unknown {
  if (typeof format === 'string' && FORMATS[format] !== undefined && pattern === undefined) return FORMATS[format];
  const expression = typeof pattern === 'string' ? new RegExp(pattern, 'u') : /(?:)/u;
  const least = Number(minLength);
  const texts = [...TEXTS, 'a'.repeat(Math.min(least, 10_000)), 'a'.repeat(40), '0'.repeat(least), 'a1'.repeat(least)];
  const fits = (text: string): boolean =>
    text.length >= least && text.length <= Number(maxLength) && expression.test(text);
  return texts.find(fits) ?? NO_SAMPLE;
}
