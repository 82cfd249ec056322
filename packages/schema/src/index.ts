/** From a class or a schema to its JSON Schema, its reader, its writer and its form. It depends on no protocol and on no server. */
export { formShape, inputShape, outputShape } from './one-shape';
export { Shapes } from './shapes';
export type { ShapeUser } from './shapes';
export type { ClassWarnings } from './shapes';
export type { FormShape, InputShape, JsonSchema, OutputShape, Reading } from './value-plan';
export type { InputOptions } from './read/read-object';
export { NO_INPUT } from './no-input';

export { examineClass, type ExaminedClass } from './examine-class';

export type { FormSource, Infer, InferReturned, SchemaSource } from './shapes';
export type { InferJson, JsonSchemaOf } from './infer-json';
export { exceedsBounds } from './schema-bounds';
export { isStandardSchema } from './standard-schema';
export type { StandardIssue, StandardResult, StandardSchema, StandardTarget } from './standard-schema';

export { AnyOf } from './decorators/schema-decorators';
export type { ValueType } from './decorators/schema-decorators';
export { Describe } from './decorators/schema-decorators';
export type { DescribeDecorator } from './decorators/schema-decorators';
export { listKeywords } from './decorators/schema-decorators';
export { Nullable } from './decorators/schema-decorators';
export { RecordOf } from './decorators/schema-decorators';
export type { Ref } from './decorators/schema-decorators';
export { Sensitive } from './decorators/schema-decorators';
export { Title, ValueTitles } from './decorators/schema-decorators';

export { IntersectionType, OmitType, PartialType, PickType } from './mapped/map-class';
export type { DataOf, Intersected, MappedClass } from './mapped/map-class';

export { runsAway } from './patterns/runs-away';

export { ARGUMENT_MAPS, type ArgumentMap, type Constraint, type FromArgument } from './rules/constraint';
export { CONSTRAINTS } from './rules/constraint-table';
export { findDecorators, type FoundDecorator, type FoundDecorators } from './rules/find-decorators';

export { isSensitive, redact, sensitiveParts } from './sensitive/redact';

export { schemaWords, type SchemaErrorCode } from './errors/errors';
