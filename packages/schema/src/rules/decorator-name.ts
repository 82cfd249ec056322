/** The name of a rule in messages: that of its decorator. */
import { isPlain, type Rule } from './rule';

/** Where the decorator is called otherwise than the constraint. */
const OTHERS: ReadonlyMap<string, string> = new Map([
  ['isLength', 'Length'],
  ['isUuid', 'IsUUID'],
  ['isIso8601', 'IsISO8601'],
  ['isIp', 'IsIP'],
  ['isFqdn', 'IsFQDN'],
  ['isJson', 'IsJSON'],
  ['isJwt', 'IsJWT'],
  ['isIsin', 'IsISIN'],
  ['isIsbn', 'IsISBN'],
]);

/** `@IsInt()`; of a custom validator its own name, in quotes. */
export function decoratorName(rule: Rule): string {
  const { name } = rule;
  if (!isPlain(rule)) return `'${name}'`;
  return `@${OTHERS.get(name) ?? name.charAt(0).toUpperCase() + name.slice(1)}()`;
}
