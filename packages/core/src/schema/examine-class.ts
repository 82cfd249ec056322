/** A class by itself, without a server: what a server would refuse of it, and what it would guess. */
import type { DefinitionProblem } from '../errors/definition-error';
import { isBuiltIn, isClass, type Class } from '../values/class';
import { compileInput } from './compile-input';
import { compileOutput } from './compile-output';
import { hasRules } from './plan/dto-rules';

/** What is said of a class at start. */
export interface ExaminedClass {
  /** What a server does not start with. */
  readonly refused: readonly DefinitionProblem[];
  /** What a server starts with, and warns of. */
  readonly guessed: readonly DefinitionProblem[];
}

/**
 * Examines a class as arguments and as a result, and says what is said of the one for which it is fit.
 * @param value whatever a file exports
 * @param where the file, for what is said
 * @returns undefined for what is no class with rules
 */
export function examineClass(value: unknown, where: string): ExaminedClass | undefined {
  if (!isClass(value) || isBuiltIn(value) || !hasRules(value)) return undefined;
  const asArguments = examine(value, 'input', where);
  return asArguments.refused.length === 0 ? asArguments : fewer(asArguments, examine(value, 'output', where));
}

function examine(dto: Class, direction: 'input' | 'output', where: string): ExaminedClass {
  const refused: DefinitionProblem[] = [];
  const report = (problem: DefinitionProblem): void => void refused.push(problem);
  const shape = direction === 'input' ? compileInput(dto, {}, report, where) : compileOutput(dto, report, where);
  return { refused, guessed: shape?.vague ?? [] };
}

function fewer(one: ExaminedClass, other: ExaminedClass): ExaminedClass {
  return other.refused.length < one.refused.length ? other : one;
}
