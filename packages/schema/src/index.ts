/** From a class or a schema to its JSON Schema, its reader, its writer and its form. It depends on no protocol and on no server. */
export { formShape, inputShape, outputShape } from './one-shape';
export { Shapes } from './shapes';
export type { ShapeUser } from './shapes';
export type { ClassWarnings } from './shapes';
export type { FormShape, InputShape, OutputShape, Reading } from './compiled-shape';
export type { InputOptions } from './read/read-object';
export { NO_INPUT } from './no-input';

export { examineClass } from './examine-class';
export type { ExaminedClass } from './examine-class';

export type { FormSource, Infer, InferReturned, SchemaSource } from './shapes';
export type { InferJson, JsonSchemaOf } from './infer-json';
export type { JsonSchema } from './json-schema';
export { exceedsBounds } from './schema-bounds';
export { isStandardSchema } from './standard-schema';
export type { StandardIssue, StandardResult, StandardSchema, StandardTarget } from './standard-schema';

export { AnyOf } from './decorators/any-of';
export type { ValueType } from './decorators/any-of';
export { Describe } from './decorators/describe';
export type { DescribeDecorator } from './decorators/describe';
export { listKeywords } from './decorators/list-keywords';
export { Nullable } from './decorators/nullable';
export { RecordOf } from './decorators/record-of';
export type { Ref } from './decorators/ref';
export { Sensitive } from './decorators/sensitive';
export { Title, ValueTitles } from './decorators/title';

export { IntersectionType } from './mapped/intersection-type';
export type { Intersected } from './mapped/intersection-type';
export type { DataOf, MappedClass } from './mapped/mapped-class';
export { OmitType } from './mapped/omit-type';
export { PartialType } from './mapped/partial-type';
export { PickType } from './mapped/pick-type';

export { runsAway } from './patterns/runs-away';

export { ARGUMENT_MAPS } from './rules/argument-maps';
export type { ArgumentMap } from './rules/argument-maps';
export type { Constraint, FromArgument } from './rules/constraint';
export { CONSTRAINTS } from './rules/constraint-table';
export { findDecorators } from './rules/find-decorators';
export type { FoundDecorator, FoundDecorators } from './rules/find-decorators';

export { isSensitive, redact, sensitiveParts } from './sensitive/redact';

export { schemaWords } from './errors/errors';
export type { SchemaErrorCode } from './errors/errors';
