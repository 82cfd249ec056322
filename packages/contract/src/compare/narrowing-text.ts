/** What a narrowing means, in words. */
import type { Narrowing } from '../schema/narrowings';

/** What a schema is of: what clients send, or what they get. */
export type Side = 'input' | 'output';

/**
 * @param isWider whether `from` and `to` are swapped: the new schema accepts what the old one refused
 * @returns for example `year: at most 2100 (was 3000)`
 */
export function narrowingText({ rule, path, from, to }: Narrowing, side: Side, isWider: boolean): string {
  const name = path === '' ? (side === 'input' ? 'the arguments' : 'the result') : path;
  const [before, after] = isWider ? [to, from] : [from, to];
  const limit = (words: string): string => `${name}: ${words} ${limitText(after)} (was ${limitText(before)})`;
  switch (rule) {
    case 'required':
      return isRequiredNow(side, isWider)
        ? `${name} ${side === 'input' ? 'is required now' : 'is always there now'}`
        : `${name} may be left out now`;
    case 'property':
      if (side === 'input') return isWider ? `${name} is new` : `${name} is no longer accepted`;
      return isWider ? `${name} is no longer there` : `${name} is new`;
    case 'type':
      return `${name} is ${listText(after)} now (was ${listText(before)})`;
    case 'values':
      return valuesText(name, { from, to }, isWider === (side === 'input') ? 'more' : 'fewer');
    case 'minimum':
      return limit('at least');
    case 'maximum':
      return limit('at most');
    case 'minSize':
      return limit('a length of at least');
    case 'maxSize':
      return limit('a length of at most');
    case 'step':
      return limit('in steps of');
    case 'pattern':
      return limit('the pattern');
    case 'format':
      return limit('the format');
    case 'unique':
      return after === true ? `${name}: no item twice` : `${name}: items may be there twice`;
    case 'other':
      return `${name}: a rule changed that cannot be compared (${String(to).slice(0, 80)})`;
  }
}

function isRequiredNow(side: Side, isWider: boolean): boolean {
  return side === 'input' ? !isWider : isWider;
}

function valuesText(name: string, { from, to }: Pick<Narrowing, 'from' | 'to'>, direction: 'more' | 'fewer'): string {
  if (from === undefined)
    return direction === 'more'
      ? `${name} is any value now (was one of ${listText(to)})`
      : `${name} is one of ${listText(to)} now`;
  return direction === 'more' ? `${name} may be ${listText(from)} now` : `${name} may no longer be ${listText(from)}`;
}

function limitText(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}` : 'any';
}

/** `string or null` for types, `"a", "b"` for values. */
function listText(value: unknown): string {
  const values = Array.isArray(value) ? (value as unknown[]) : [value];
  const texts = values
    .slice(0, 8)
    .map((one) => (typeof one === 'string' && /^[a-z]+$/.test(one) ? one : JSON.stringify(one)));
  return `${texts.join(', ')}${values.length > 8 ? ' and others' : ''}` || 'nothing';
}
