/** A class, compiled alone as a server compiles it: what it is listed as, reads, refuses and writes. */
import type { Class, DefinitionProblem } from '@sigil-mcp/base';
import { Shapes, type InputOptions, type InputShape, type Reading } from '@sigil-mcp/schema';

const WHERE = 'Test.method(query)';

/** The shape of arguments of a class with which nothing is wrong. */
export function compile(dto: Class, options: InputOptions = {}): InputShape {
  const problems: DefinitionProblem[] = [];
  const shape = new Shapes().input(dto, options, { where: WHERE, report: (problem) => problems.push(problem) });
  expect(problems).toEqual([]);
  return shape!;
}

/** What is said of a class at start. */
export function problemsOf(dto: Class, options: InputOptions = {}): DefinitionProblem[] {
  const problems: DefinitionProblem[] = [];
  new Shapes().input(dto, options, { where: WHERE, report: (problem) => problems.push(problem) });
  return problems;
}

/** What a handler is given; throws where the value is refused. */
export function read<T>(dto: Class<T & object>, value: unknown, options: InputOptions = {}): T {
  const reading = compile(dto, options).read(value) as Reading<T>;
  if (!reading.ok) throw new Error(JSON.stringify(reading.failures));
  return reading.value;
}

/** The codes of what is said of a class at start. */
export function codesOf(dto: Class, options: InputOptions = {}): string[] {
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
  const shape = new Shapes().output(dto, { where: 'Test.method', report: (problem) => problems.push(problem) });
  expect(problems).toEqual([]);
  const writing = shape!.write(value) as Reading<unknown>;
  return writing.ok ? writing.value : writing.failures;
}
