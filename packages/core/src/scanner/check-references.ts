/** Whether guards and interceptors are what their names say: JavaScript, a cast or a circular import may put anything in their place. */
import { problem } from '../errors/catalogue';
import { isClass, isObject, nameValue, type ReportProblem } from '@sigil-mcp/base';

/** The lists of a server, a module, a class, a method or an entry. */
export interface References {
  readonly guards?: readonly unknown[] | undefined;
  readonly interceptors?: readonly unknown[] | undefined;
}

/** Whether all of them can be used; reports the others. @param whereOf the place of one of them, by its list and position */
export function checkReferences(
  { guards = [], interceptors = [] }: References,
  whereOf: (list: keyof References, index: number) => string,
  report: ReportProblem,
): boolean {
  const problems = [
    ...unexpected(guards, 'allows').map(({ value, index }) =>
      problem('SIGIL_NOT_A_GUARD', whereOf('guards', index), { value: nameValue(value) }),
    ),
    ...unexpected(interceptors, 'intercept').map(({ value, index }) =>
      problem('SIGIL_NOT_AN_INTERCEPTOR', whereOf('interceptors', index), { value: nameValue(value) }),
    ),
  ];
  problems.forEach(report);
  return problems.length === 0;
}

function unexpected(references: readonly unknown[], method: string): { value: unknown; index: number }[] {
  // `Array.from` visits holes, too.
  return Array.from(references, (value, index) => ({ value, index })).filter(({ value }) => !has(value, method));
}

function has(value: unknown, method: string): boolean {
  if (isClass(value)) return method in value.prototype || isWrittenAsClass(value);
  return isObject(value) && typeof value[method] === 'function';
}

/** A class may have the method as a field, which only its instances show; a function like `Roles` is no class. */
function isWrittenAsClass(value: object): boolean {
  return Function.prototype.toString.call(value).startsWith('class');
}
