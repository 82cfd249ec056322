/** Several constraints on one value -> one set of keywords: the narrower limit wins, what cannot be merged stands in `allOf`. */
import { comparable, type Meaning } from './constraint-meaning';
import type { JsonSchema } from './json-schema';
import type { Kind } from './value-plan';

const stringKeywords = ['minLength', 'maxLength', 'pattern', 'format', 'contentEncoding', 'contentMediaType'];
const numberKeywords = ['minimum', 'maximum', 'exclusiveMinimum', 'exclusiveMaximum', 'multipleOf'];
const annotations = ['format', 'contentEncoding', 'contentMediaType'];
const lowerLimits = ['minimum', 'exclusiveMinimum', 'minLength', 'minItems', 'minProperties'];
const upperLimits = ['maximum', 'exclusiveMaximum', 'maxLength', 'maxItems', 'maxProperties'];

/** The keywords of all meanings, without those that say nothing about the accepted types. */
export function mergeKeywords(meanings: readonly Meaning[], kinds: ReadonlySet<Kind> | undefined): JsonSchema {
  const merged = new Map<string, unknown>();
  const apart: unknown[] = [];
  for (const [keyword, value] of meanings.flatMap(({ keywords }) => Object.entries(keywords ?? {}))) {
    if (!concerns(keyword, kinds)) continue;
    if (keyword === 'allOf' && Array.isArray(value)) apart.push(...(value as unknown[]));
    else if (!merged.has(keyword)) merged.set(keyword, value);
    else if (lowerLimits.includes(keyword)) merged.set(keyword, Math.max(Number(merged.get(keyword)), Number(value)));
    else if (upperLimits.includes(keyword)) merged.set(keyword, Math.min(Number(merged.get(keyword)), Number(value)));
    else if (!annotations.includes(keyword) && merged.get(keyword) !== value) apart.push({ [keyword]: value });
  }
  const excluded = comparable(meanings.flatMap((meaning) => meaning.excluded ?? []));
  if (excluded.length > 0) apart.push({ not: { enum: excluded } });
  return { ...Object.fromEntries(merged), ...placeApart(merged, apart) };
}

function concerns(keyword: string, kinds: ReadonlySet<Kind> | undefined): boolean {
  if (kinds === undefined) return true;
  if (stringKeywords.includes(keyword)) return kinds.has('string');
  return numberKeywords.includes(keyword) ? kinds.has('number') : true;
}

function placeApart(merged: ReadonlyMap<string, unknown>, apart: readonly unknown[]): JsonSchema {
  const [only] = apart;
  const standsAlone = apart.length === 1 && typeof only === 'object' && only !== null && !Object.keys(only).some((key) => merged.has(key));
  if (standsAlone) return { ...only };
  return apart.length > 0 ? { allOf: apart } : {};
}
