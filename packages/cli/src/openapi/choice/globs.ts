/** Patterns for operations: an operationId, a method with a path, or a path, with `*` for a part and `**` for everything. */
import type { ApiOperation } from '../operations/operation';

/** Whether one of the patterns fits an operation. */
export function matchesAny({ id, key, path }: ApiOperation, patterns: readonly string[]): boolean {
  const names = [key, path, ...(id === undefined ? [] : [id])];
  return patterns.some((pattern) => {
    if (names.includes(pattern)) return true;
    const expression = toExpression(pattern);
    return names.some((name) => expression.test(name));
  });
}

/** `*` stops at a slash, `**` does not. Upper and lower case are the same. */
function toExpression(pattern: string): RegExp {
  const parts = pattern.split(/(\*+)/).map((part) => {
    if (part.startsWith('**')) return '.*';
    return part === '*' ? '[^/]*' : part.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
  });
  return new RegExp(`^${parts.join('')}$`, 'i');
}
