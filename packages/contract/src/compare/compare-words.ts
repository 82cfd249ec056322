/** Words for models and people: whether they still say the same. */
import { canonicalText } from '../schema/canonical-text';
import { change, type EntryChangeFound } from './contract-change';

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
