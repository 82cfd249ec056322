/** Several constraints on one value -> one set of keywords: the narrower limit wins; keywords that cannot be merged go to `allOf`. */
import { comparable, type Meaning } from '../rules/constraint-meaning';
import type { JsonSchema } from '../json-schema';
import type { Kind } from '../value-plan';

const stringKeywords = new Set(['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType']);
const numberKeywords = new Set(['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf']);
const annotations = new Set(['format', 'contentEncoding', 'contentMediaType']);
const lowerLimits = new Set(['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties']);
const upperLimits = new Set(['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties']);

/** The keywords of all meanings, without those that say nothing about the accepted types. */
export function mergeKeywords(meanings: readonly Meaning[], kinds: ReadonlySet<Kind> | undefined): JsonSchema {
  const merged: Record<string, unknown> = {};
  const apart: unknown[] = [];
  for (const { keywords } of meanings) {
    if (!keywords) continue;
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
  if (meanings.some(({ excluded }) => excluded)) apart.push(...exclude(meanings));
  return apart.length > 0 ? { ...merged, ...placeApart(merged, apart) } : merged;
}

function exclude(meanings: readonly Meaning[]): JsonSchema[] {
  const excluded = comparable(meanings.flatMap((meaning) => meaning.excluded ?? []));
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
