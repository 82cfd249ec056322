/** The name of a rule in messages: that of its decorator. */
import { findConstraint } from './find-meaning';
import { isPlain, type Rule } from './rule';

/** `@IsInt()`; of a custom validator its own name, in quotes. */
export function decoratorName(rule: Rule): string {
  const { name } = rule;
  if (!isPlain(rule)) return `'${name}'`;
  return `@${findConstraint(name)?.decorator ?? name}()`;
}
