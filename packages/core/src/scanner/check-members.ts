/** Whether the data of an entry, or the options of its decorator, have only known members: a misspelt one would be ignored silently. */
import { wordsFor } from '../errors/catalogue';
import { isObject, nameValue, nearestNames, shorten } from '@sigil-mcp/base';
import type { RulesOf } from '../kinds/all-kinds';
import { reportMember, type Member } from '../members/member';

/** Whether all members are known; reports the others. */
export function checkMembers(member: Member, data: object, { members: known }: RulesOf): boolean {
  const unexpected = Object.keys(data).filter((name) => !Object.hasOwn(known, name));
  return unexpected.length === 0 || reportUnexpected(member, unexpected, Object.keys(known).slice(1));
}

/** Whether the options of a decorator are an object with known members; reports what is not. */
export function checkOptions(member: Member, options: unknown, { options: known }: RulesOf): boolean {
  if (!isObject(options)) {
    reportMember(member, wordsFor('SIGIL_DECORATOR_OPTIONS', { value: nameValue(options) }));
    return false;
  }
  const unexpected = Object.keys(options).filter((name) => !known.has(name));
  return unexpected.length === 0 || reportUnexpected(member, unexpected, [...known]);
}

function reportUnexpected(member: Member, unexpected: readonly string[], known: readonly string[]): false {
  const nearest = unexpected.flatMap((name) => nearestNames(name, known).slice(0, 1));
  const suggestion = nearest.length === 0 ? '' : ` Did you mean ${nearest.join(', ')}?`;
  const values = { members: shorten(unexpected.join(', '), 200), known: known.join(', '), suggestion };
  reportMember(member, wordsFor('SIGIL_ENTRY_MEMBER', values));
  return false;
}
