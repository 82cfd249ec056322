/** The imports that docs/dtos.md shows: all of these decorators exist in these packages. */
// #region imports
import { AnyOf, Describe, Feature, Nullable, RecordOf, Tool } from '@sigil-mcp/core';
import { Expose, Transform, Type } from 'class-transformer';
import { IsArray, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested } from 'class-validator';
// #endregion imports

/** Every decorator of the examples. */
export const DECORATORS = [
  ...[AnyOf, Describe, Feature, Nullable, RecordOf, Tool, Expose, Transform, Type],
  ...[IsArray, IsInt, IsOptional, IsString, Max, MaxLength, Min, ValidateNested],
];
