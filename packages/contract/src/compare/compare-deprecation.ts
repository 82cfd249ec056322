/** What is said of the versions of a tool: since when it is there, and whether it is deprecated. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject } from '@sigil-mcp/core';
import type { ContractEntry } from '../contract/contract';
import { change, type EntryChangeFound } from './contract-change';
import { canonicalText } from '../schema/canonical-text';

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

/**
 * Two texts, or objects with texts. Clients that pin definitions ask their user again when the sense of words changes; other letters,
 * spaces and punctuation do not change it.
 */
export function compareWords(what: string, before: unknown, after: unknown): readonly EntryChangeFound[] {
  const [old, now] = [canonicalText([before]), canonicalText([after])];
  if (old === now) return [];
  if (senseOf(old) === senseOf(now)) return [change('compatible', 'spelling', `${what} is spelled in another way`)];
  return [change('security', 'words', `${what} says something else: ${shown(after)}`)];
}

function senseOf(text: string): string {
  return text
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\\[nrt]/g, ' ')
    .replace(/[^\p{L}\p{N}]+/gu, ' ')
    .trim();
}

function shown(value: unknown): string {
  if (value === undefined) return 'nothing';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 120 ? `${text.slice(0, 120)}…` : text;
}
