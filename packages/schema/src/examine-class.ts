/** A class without a server: what a server would refuse, and what it would guess. */
import { isBuiltIn, isClass, type Class, type DefinitionProblem } from '@sigil-mcp/base';
import { loadCompiler } from './load-compiler';

/** The problems of a class at start. */
export interface ExaminedClass {
  /** Problems with which a server does not start. */
  readonly refused: readonly DefinitionProblem[];
  /** Problems with which a server starts, after a warning. */
  readonly guessed: readonly DefinitionProblem[];
}

/**
 * Examines a class as arguments and as a result, and returns the problems of the use that fits better.
 * @param value any export of a file
 * @param where the file, for messages
 * @returns undefined for a value that is not a class with rules
 */
export function examineClass(value: unknown, where: string): ExaminedClass | undefined {
  if (!isClass(value) || isBuiltIn(value) || !loadCompiler().hasRules(value)) return undefined;
  const asArguments = examine(value, 'input', where);
  return asArguments.refused.length === 0 ? asArguments : fewer(asArguments, examine(value, 'output', where));
}

function examine(dto: Class, direction: 'input' | 'output', where: string): ExaminedClass {
  const refused: DefinitionProblem[] = [];
  const report = (problem: DefinitionProblem): void => void refused.push(problem);
  const { compileInput, compileOutput } = loadCompiler();
  const shape = direction === 'input' ? compileInput(dto, {}, report, where) : compileOutput(dto, report, where);
  return { refused, guessed: shape?.vague ?? [] };
}

function fewer(one: ExaminedClass, other: ExaminedClass): ExaminedClass {
  return other.refused.length < one.refused.length ? other : one;
}
