/** The port to class-transformer: its metadata of all classes. */
import type { TransformationType as TransformationTypes } from 'class-transformer';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage';
import type { Class } from '@sigil-mcp/base';

// class-transformer has no public access to its metadata, and its main entry loads all of it. The casts replace the type
// declarations that these files lack.
/* eslint-disable @typescript-eslint/no-require-imports -- no types to import, and bundlers follow a plain require */
const { defaultMetadataStorage: storage } = require('class-transformer/cjs/storage') as {
  defaultMetadataStorage: MetadataStorage;
};
const { TransformationType } = require('class-transformer/cjs/enums/transformation-type.enum') as {
  TransformationType: typeof TransformationTypes;
};
/* eslint-enable @typescript-eslint/no-require-imports */

/** The metadata of class-transformer for all classes. */
export const transformerStorage: MetadataStorage = storage;

/** Whether a value is read from what a client sent, or written from what a handler returned. */
export type Direction = 'input' | 'output';

/** A `@Transform`: the value of a property, and the object that holds it, before -> the value after. */
export type TransformValue = (value: unknown, object: object) => unknown;

/** The metadata of class-transformer for one `@Transform`. */
export type TransformMetadata = ReturnType<typeof storage.findTransformMetadatas>[number];

/** The name of a direction in class-transformer. */
export function transformationOf(direction: Direction): TransformationTypes {
  return direction === 'input' ? TransformationType.PLAIN_TO_CLASS : TransformationType.CLASS_TO_PLAIN;
}

/** Whether class-transformer has metadata for a class or its base classes; most classes have none. */
export function isTransformed(dto: Class): boolean {
  // The cast opens private members; if a version of class-transformer lacks one, its slower searches give the same result.
  const { _typeMetadatas, _transformMetadatas, _exposeMetadatas, _excludeMetadatas } =
    storage as unknown as StorageMaps;
  const maps = [_typeMetadatas, _transformMetadatas, _exposeMetadatas, _excludeMetadatas];
  for (let next: unknown = dto; next !== Function.prototype && next !== null; next = Object.getPrototypeOf(next)) {
    for (const known of maps) if (!known || known.has(next)) return true;
  }
  return false;
}

interface StorageMaps {
  readonly _typeMetadatas?: ReadonlyMap<unknown, unknown>;
  readonly _transformMetadatas?: ReadonlyMap<unknown, unknown>;
  readonly _exposeMetadatas?: ReadonlyMap<unknown, unknown>;
  readonly _excludeMetadatas?: ReadonlyMap<unknown, unknown>;
}

/** The transformations of a property in one direction, except those of a group: Sigil requests no groups. */
export function findTransforms(dto: Class, property: string, direction: Direction): readonly TransformMetadata[] {
  const found = storage.findTransformMetadatas(dto, property, transformationOf(direction));
  return found.filter(({ options }) => !options?.groups?.length);
}

/** Whether a property has a transformation of a group, which is not among those. */
export function hasGroupedTransforms(dto: Class, property: string, direction: Direction): boolean {
  const found = storage.findTransformMetadatas(dto, property, transformationOf(direction));
  return found.some(({ options }) => options?.groups?.length);
}

/** Several transformations as one; undefined if the list is empty. */
export function composeTransforms(
  transforms: readonly TransformMetadata[],
  key: string,
  direction: Direction,
): TransformValue | undefined {
  if (transforms.length === 0) return undefined;
  const type = transformationOf(direction);
  return (value, obj) =>
    transforms.reduce<unknown>(
      (current, { transformFn }) => transformFn({ value: current, key, obj, type, options: {} }),
      value,
    );
}
