/** A class, compiled alone as a server compiles it: what it is listed as, reads, refuses and writes. */
import { compileInput } from '../src/schema/compile-input';
import { compileOutput } from '../src/schema/compile-output';
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import type { InputShape, Reading } from '../src/schema/compiled-shape';

/** The shape of arguments of a class with which nothing is wrong. */
export function compile(dto: Class, options = {}): InputShape {
  const problems: DefinitionProblem[] = [];
  const shape = compileInput(dto, options, (problem) => problems.push(problem), 'Test.method(query)');
  expect(problems).toEqual([]);
  return shape!;
}

/** What is said of a class at start. */
export function problemsOf(dto: Class, options = {}): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  compileInput(dto, options, (problem) => problems.push(problem), 'Test.method(query)');
  return problems;
}

/** What a handler is given; throws where the value is refused. */
export function read<T>(dto: Class<T & object>, value: unknown, options = {}): T {
  const reading = compile(dto, options).read(value) as Reading<T>;
  if (!reading.ok) throw new Error(JSON.stringify(reading.failures));
  return reading.value;
}

/** The codes of what is said of a class at start. */
export function codesOf(dto: Class, options = {}): string[] {
  return problemsOf(dto, options).map(({ code }) => code);
}

/** `path message` of each failure of a value. */
export function refusals(dto: Class, value: unknown): string[] {
  const reading = compile(dto).read(value) as Reading<unknown>;
  return reading.ok ? [] : reading.failures.map(({ path, message }) => `${path} ${message}`);
}

/** What is sent of a value that a handler returned, or its failures. */
export function write(dto: Class, value: unknown): unknown {
  const problems: unknown[] = [];
  const shape = compileOutput(dto, (problem) => problems.push(problem), 'Test.method');
  expect(problems).toEqual([]);
  const writing = shape!.write(value) as Reading<unknown>;
  return writing.ok ? writing.value : writing.failures;
}
