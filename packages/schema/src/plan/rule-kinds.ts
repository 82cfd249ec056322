/** The types that a rule accepts, as data and as text. */
import { comparable } from '../rules/constraint-meaning';
import { decoratorName } from '../rules/decorator-name';
import { isPlain, type PlainRule, type Rule } from '../rules/rule';
import type { Kind } from '../value-plan';
import { kindOf, kindWords } from './value-types';

/** The types that a rule lets pass; undefined where it says nothing of types. */
export function kindsOfRule(rule: Rule): readonly Kind[] | undefined {
  if (!isPlain(rule)) return undefined;
  const { kinds, allowed } = rule.meaning;
  return kinds ?? (allowed && [...new Set(comparable(allowed).map(kindOf))]);
}

/** `@IsInt() lets only a number pass`. */
export function lettingOnly(rule: PlainRule): string {
  return `${decoratorName(rule)} lets only ${kindWords(kindsOfRule(rule) ?? [])} pass`;
}
