/** One class or schema -> its shape: what a server does for all its handlers at start, for a single value. */
import { DefinitionError, type DefinitionProblem } from '@sigil-mcp/base';
import type { FormShape, InputShape, OutputShape } from './value-plan';
import type { InputOptions } from './read/read-object';
import { Shapes, type ShapeUser, type FormSource, type Infer, type SchemaSource } from './shapes';

/**
 * The JSON Schema of a class or a schema, and the function that reads a value: into an instance, or into the failures of the value.
 * @param options `strings`: the values arrive as text; `coerce`: values of another type are converted if their meaning is unambiguous
 * @throws DefinitionError with everything that is wrong with the class or the schema
 * @example
 * const order = inputShape(Order);
 * const reading = await order.read(JSON.parse(text)); // order.schema is its JSON Schema
 */
export function inputShape<S extends SchemaSource>(
  source: S,
  options: Pick<InputOptions, 'strings' | 'coerce'> = {},
): InputShape<Infer<S>> {
  // Its reader makes what the source describes; the compiler cannot follow it there.
  return compileOne((shapes, user) => shapes.input(source, options, user)) as InputShape<Infer<S>>;
}

/**
 * The JSON Schema of a class or a schema, and the function that writes a value as plain JSON data, with the declared members only.
 * @throws DefinitionError with everything that is wrong with the class or the schema
 */
export function outputShape(source: SchemaSource): OutputShape {
  return compileOne((shapes, user) => shapes.output(source, user));
}

/**
 * A form: the flat JSON Schema that a client shows to a user, and the function that reads the answer.
 * @throws DefinitionError with everything that is wrong with the class or the schema, or that a form cannot show
 */
export function formShape<S extends FormSource>(source: S): FormShape<Infer<S>> {
  return compileOne((shapes, user) => shapes.form(source, user)) as FormShape<Infer<S>>;
}

function compileOne<Shape>(compile: (shapes: Shapes, user: ShapeUser) => Shape | undefined): Shape {
  const problems: DefinitionProblem[] = [];
  const shape = compile(new Shapes(), { where: 'schema', report: (problem) => problems.push(problem) });
  if (shape === undefined || problems.length > 0) throw new DefinitionError(problems, 'The schema');
  return shape;
}
