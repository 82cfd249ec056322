/** What is said of the versions of a tool: since when it is there, and whether it is deprecated. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject } from '@sigil-mcp/core';
import type { ContractEntry } from '../contract/contract';
import { compareWords } from './compare-words';
import { change, type EntryChangeFound } from './contract-change';

/** What changed of it. */
export function compareDeprecation(
  { since, deprecated }: ContractEntry,
  { since: sinceNow, deprecated: now }: ContractEntry,
): readonly EntryChangeFound[] {
  const moved =
    since === sinceNow ? [] : [change('compatible', 'since', `it is there since ${sinceNow ?? 'ever'} now`)];
  return [...moved, ...compareReasons(deprecated, now)];
}

function compareReasons(before: string | undefined, after: string | undefined): readonly EntryChangeFound[] {
  if (before === undefined)
    return after === undefined ? [] : [change('compatible', 'deprecated', 'it is deprecated now')];
  if (after === undefined) return [change('compatible', 'deprecated', 'it is no longer deprecated')];
  return compareWords('why it is deprecated', before, after);
}

/** The item of a list without what these members say, which is compared once, and in words of its own. */
export function withoutDeprecation(wire: JsonObject, { deprecated }: ContractEntry): JsonObject {
  const { description, _meta } = wire;
  const ending = deprecated === undefined ? '' : `\n\nDeprecated: ${deprecated}`;
  const isEnded = ending !== '' && typeof description === 'string' && description.endsWith(ending);
  return {
    ...wire,
    ...(isEnded && { description: description.slice(0, -ending.length) }),
    ...(isObject(_meta) && {
      _meta: Object.fromEntries(Object.entries(_meta).filter(([key]) => !KEYS.includes(key))),
    }),
  };
}

const KEYS: readonly string[] = ['dev.sigil/since', 'dev.sigil/deprecated'];
