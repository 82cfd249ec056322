/** Texts of tools and queries -> the words that an index has. */
import { segmentsOf } from '@sigil-mcp/base';

/** Words that say nothing about a tool. */
const EMPTY: ReadonlySet<string> = new Set(
  'a an and are as at be by can do for from how i if in is it its me my of on or that the this to use want what which with you your'.split(
    ' ',
  ),
);

/** Scripts that write no spaces between words. */
const WITHOUT_SPACES =
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}\p{Script=Khmer}\p{Script=Lao}]/u;

/** `getUserByID`, `get_user_by_id` and `get user by id` have the same words. */
export function wordsOf(text: string): string[] {
  const parted = text.replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1 $2').replace(/(\p{Lu})(\p{Lu}\p{Ll})/gu, '$1 $2');
  const words = parted.split(/[^\p{L}\p{M}\p{N}]+/u).filter((word) => word !== '');
  return words.flatMap((word) => (WITHOUT_SPACES.test(word) ? segmentsOf(word, segmenter()) : [word]));
}

/** A word as it is indexed and searched for; undefined for one that says nothing. */
export function termOf(word: string): string | undefined {
  const lower = word.toLowerCase();
  return EMPTY.has(lower) ? undefined : singular(lower);
}

/** English plurals are the same word. */
function singular(word: string): string {
  if (word.length < 4 || !word.endsWith('s') || /(?:ss|us|is)$/.test(word)) return word;
  if (word.length > 4 && word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  return /(?:ches|shes|xes|sses|zes)$/.test(word) ? word.slice(0, -2) : word.slice(0, -1);
}

function segmenter(): Intl.Segmenter {
  return new Intl.Segmenter(undefined, { granularity: 'word' });
}
