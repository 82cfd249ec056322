/** Several constraints on one value -> one set of keywords: the narrower limit wins; keywords that cannot be merged go to `allOf`. */
import { comparable, type Meaning } from '../rules/constraint-meaning';
import type { JsonSchema } from '../json-schema';
import type { Kind } from '../value-plan';
import { kindOf } from './value-types';

const stringKeywords = new Set(['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType']);
const numberKeywords = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
const annotations = new Set(['format', 'contentEncoding', 'contentMediaType']);
const lowerLimits = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const upperLimits = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** The keywords of all meanings, without those that say nothing about the accepted types. */
export function mergeKeywords(meanings: readonly Meaning[], kinds: ReadonlySet<Kind> | undefined): JsonSchema {
  const merged: Record<string, unknown> = {};
  const apart: unknown[] = [];
  for (const { keywords, loose } of meanings) {
    // A format that is too narrow is described in words.
    if (!keywords || loose !== undefined) continue;
    for (const keyword of Object.keys(keywords)) {
      const value = keywords[keyword];
      if (!concerns(keyword, kinds)) continue;
      if (keyword === 'allOf' && Array.isArray(value)) apart.push(...(value as unknown[]));
      else if (!(keyword in merged)) merged[keyword] = value;
      else if (lowerLimits.has(keyword)) merged[keyword] = Math.max(Number(merged[keyword]), Number(value));
      else if (upperLimits.has(keyword)) merged[keyword] = Math.min(Number(merged[keyword]), Number(value));
      else if (!annotations.has(keyword) && merged[keyword] !== value) apart.push({ [keyword]: value });
    }
  }
  if ('exclusiveMinimum' in merged || 'exclusiveMaximum' in merged) mergeBounds(merged, meanings.some(isInteger));
  if (meanings.some(({ excluded }) => excluded)) apart.push(...exclude(meanings, kinds));
  return apart.length > 0 ? { ...merged, ...placeApart(merged, apart) } : merged;
}

function isInteger({ integer }: Meaning): boolean {
  return integer === true;
}

/** One word for each bound: some models and clients know no others than `minimum` and `maximum`, and whole numbers need no others. */
function mergeBounds(merged: Record<string, unknown>, areIntegers: boolean): void {
  const { minimum, exclusiveMinimum: above, maximum, exclusiveMaximum: below } = merged as Record<string, number>;
  if (areIntegers) {
    if (above !== undefined) merged['minimum'] = Math.max(minimum ?? -Infinity, Math.floor(above) + 1);
    if (below !== undefined) merged['maximum'] = Math.min(maximum ?? Infinity, Math.ceil(below) - 1);
  }
  if (above !== undefined) delete merged[areIntegers || (minimum ?? above) > above ? 'exclusiveMinimum' : 'minimum'];
  if (below !== undefined) delete merged[areIntegers || (maximum ?? below) < below ? 'exclusiveMaximum' : 'maximum'];
}

/** What is of no accepted type need not be excluded. */
function exclude(meanings: readonly Meaning[], kinds: ReadonlySet<Kind> | undefined): JsonSchema[] {
  const values = comparable(meanings.flatMap((meaning) => meaning.excluded ?? []));
  const excluded = values.filter((value) => kinds?.has(kindOf(value)) ?? true);
  return excluded.length > 0 ? [{ not: { enum: excluded } }] : [];
}

function concerns(keyword: string, kinds: ReadonlySet<Kind> | undefined): boolean {
  if (kinds === undefined) return true;
  if (stringKeywords.has(keyword)) return kinds.has('string');
  return numberKeywords.has(keyword) ? kinds.has('number') : true;
}

function placeApart(merged: JsonSchema, apart: readonly unknown[]): JsonSchema {
  const [only] = apart;
  const standsAlone =
    apart.length === 1 && typeof only === 'object' && only !== null && !Object.keys(only).some((key) => key in merged);
  return standsAlone ? { ...only } : { allOf: apart };
}
