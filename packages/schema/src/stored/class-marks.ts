/** The rules of a class as one text, which is another one when values that its decorators receive are different. */
import type { Class } from '@sigil-mcp/base';
import { findMetadata } from '../rules/validator-metadata';

/** The rules of class-validator on a class and its bases, with their arguments. Cheap, because each start computes it. */
export function marksOf(dto: Class): string {
  let marks = '';
  for (const [property, rules] of findMetadata(dto)) {
    marks += property;
    for (const { type, name, each, constraints } of rules) {
      marks += ` ${name ?? type}${each ? '*' : ''}`;
      // class-validator types the arguments of its decorators as any; they may be missing.
      for (const given of (constraints as unknown[] | undefined) ?? []) marks += `,${textOf(given)}`;
    }
    marks += ';';
  }
  return marks;
}

function textOf(given: unknown): string {
  if (typeof given === 'number') return String(given);
  try {
    return JSON.stringify(given, (_, value: unknown) => (isJson(value) ? value : textOfOther(value)));
  } catch {
    // An object that contains itself: the first call compares the whole schema.
    return '?';
  }
}

function isJson(value: unknown): boolean {
  return typeof value !== 'function' && typeof value !== 'bigint' && !(value instanceof RegExp);
}

/** Of a function only its name: a bundle with short names has another text. */
function textOfOther(value: unknown): string {
  return typeof value === 'function' ? `function ${value.name}` : String(value);
}
