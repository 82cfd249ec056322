/**
 * The border to class-transformer: what `@Type`, `@Expose`, `@Exclude` and `@Transform` say about a property, read at
 * start-up. Its own conversion is not used: it drops keys before anybody could refuse them, and costs more than a call.
 */
import { types } from 'node:util';
import type { TransformationType as TransformationTypes } from 'class-transformer';
import type { MetadataStorage } from 'class-transformer/types/MetadataStorage';
import type { Class } from '../../values/class';
import type { TransformValue } from '../value-plan';

// class-transformer has no public way to its metadata, and its main entry loads all of it. The casts stand for the type
// declarations that these files lack.
/* eslint-disable @typescript-eslint/no-require-imports -- no types to import, and bundlers follow a plain require */
const { defaultMetadataStorage: storage } = require('class-transformer/cjs/storage') as {
  defaultMetadataStorage: MetadataStorage;
};
const { TransformationType } = require('class-transformer/cjs/enums/transformation-type.enum') as {
  TransformationType: typeof TransformationTypes;
};
/* eslint-enable @typescript-eslint/no-require-imports */

/** What class-transformer knows of all classes. */
export const transformerStorage: MetadataStorage = storage;

/** Whether a shape reads what a client sent or writes what a handler returned. */
export type Direction = 'input' | 'output';

/** What class-transformer knows about one property, in one direction. */
export interface TransformerRules {
  /** The class named by `@Type`: `undefined` where there is none, `null` where its function does not give a class. */
  readonly type: unknown;
  /** The class whose `@Type` it is. */
  readonly typedBy: unknown;
  /** Of `@Type`, as its author wrote it; undefined where there is none. */
  readonly discriminator: Discriminator | undefined;
  readonly wireName: string;
  readonly excluded: boolean;
  readonly transform: TransformValue | undefined;
  /** One of the functions of `@Transform` is async. */
  readonly isAsync: boolean;
}

/** How class-transformer chooses a class: nothing of it was looked at. */
export interface Discriminator {
  readonly property: unknown;
  readonly subTypes: unknown;
  /** The instance has the property, also where its class does not declare it. */
  readonly kept: boolean;
}

/** The direction that a rule is about; both where neither or each is named. */
export interface SidedOptions {
  readonly toClassOnly?: boolean;
  readonly toPlainOnly?: boolean;
}

/** Whether class-transformer knows anything about a class or its base classes; most classes need none of it. */
export function isTransformed(dto: Class): boolean {
  // The cast opens private members; where a version of class-transformer lacks one, its slower searches say the same.
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

/** The rules of a property of a class that class-transformer does not know. */
export function untransformed(property: string): TransformerRules {
  return {
    type: undefined,
    typedBy: undefined,
    discriminator: undefined,
    wireName: property,
    excluded: false,
    transform: undefined,
    isAsync: false,
  };
}

/** Reads the rules of one property. */
export function readTransformerRules(dto: Class, property: string, direction: Direction): TransformerRules {
  const typed = storage.findTypeMetadata(dto, property);
  const exposed = storage.findExposeMetadata(dto, property);
  const isExposed = exposed !== undefined && holds(exposed.options, direction);
  const excluded = storage.findExcludeMetadata(dto, property);
  const transforms = findTransforms(dto, property, direction);
  return {
    type: typed && callTypeFunction(typed.typeFunction, property),
    typedBy: typed?.target,
    discriminator: readDiscriminator(typed),
    wireName: (isExposed ? exposed.options?.name : undefined) ?? property,
    excluded:
      (excluded !== undefined && holds(excluded.options, direction)) ||
      (!isExposed && storage.getStrategy(dto) === 'excludeAll'),
    transform: transforms.length > 0 ? compose(transforms, property, typeOf(direction)) : undefined,
    isAsync: transforms.some(({ transformFn }) => types.isAsyncFunction(transformFn)),
  };
}

function readDiscriminator(typed: ReturnType<typeof storage.findTypeMetadata> | undefined): Discriminator | undefined {
  const { discriminator, keepDiscriminatorProperty: kept = false } = typed?.options ?? {};
  return discriminator && { property: discriminator.property, subTypes: discriminator.subTypes, kept };
}

function holds(options: SidedOptions | undefined, direction: Direction): boolean {
  const { toClassOnly = false, toPlainOnly = false } = options ?? {};
  return toClassOnly === toPlainOnly || (direction === 'input' ? toClassOnly : toPlainOnly);
}

function callTypeFunction(typeFunction: (help: TypeHelp) => unknown, property: string): unknown {
  try {
    return typeFunction({ newObject: {}, object: {}, property }) ?? null;
  } catch {
    // A class that is not there yet; reported as a definition error by the one who asked.
    return null;
  }
}

interface TypeHelp {
  readonly newObject: object;
  readonly object: Record<string, unknown>;
  readonly property: string;
}

type TransformMetadata = ReturnType<typeof storage.findTransformMetadatas>[number];

function typeOf(direction: Direction): TransformationTypes {
  return direction === 'input' ? TransformationType.PLAIN_TO_CLASS : TransformationType.CLASS_TO_PLAIN;
}

function findTransforms(dto: Class, property: string, direction: Direction): readonly TransformMetadata[] {
  const found = storage.findTransformMetadatas(dto, property, typeOf(direction));
  return found.filter(({ options }) => !options?.groups?.length);
}

function compose(transforms: readonly TransformMetadata[], key: string, type: TransformationTypes): TransformValue {
  return (value, obj) =>
    transforms.reduce<unknown>(
      (current, { transformFn }) => transformFn({ value: current, key, obj, type, options: {} }),
      value,
    );
}
