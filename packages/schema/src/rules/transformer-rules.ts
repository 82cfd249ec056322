/**
 * The port to class-transformer: `@Type`, `@Expose`, `@Exclude` and `@Transform` of a property, read at start-up. Its own conversion is
 * not used: it drops unknown keys before they can be refused, and costs more than a call.
 */
import { types } from 'node:util';
import type { Class } from '@sigil-mcp/base';
import type { Exposure } from '../plain/exposure';
import {
  composeTransforms, findTransforms, hasGroupedTransforms, transformerStorage as storage, type TransformValue,
} from '../plain/transformer-storage'; // prettier-ignore

/** The metadata of class-transformer for one property, in one direction. */
export interface TransformerRules {
  /** The class named by `@Type`: `undefined` without a `@Type`, `null` if its function does not return a class. */
  readonly type: unknown;
  /** The function of `@Type` names no class, but chooses one by the value. */
  readonly choosesType: boolean;
  /** The class that has the `@Type`. */
  readonly typedBy: unknown;
  /** Of `@Type`, unchecked; undefined if it has no discriminator. */
  readonly discriminator: Discriminator | undefined;
  readonly wireName: string;
  readonly transform: TransformValue | undefined;
  /** One of its `@Transform` is of a group, and never runs: Sigil requests no group. */
  readonly hasGroups: boolean;
  /** One of the functions of `@Transform` is async. */
  readonly isAsync: boolean;
}

/** How class-transformer chooses a class; the members are unchecked. */
export interface Discriminator {
  readonly property: unknown;
  readonly subTypes: unknown;
  /** The instance has the property, even if its class does not declare it. */
  readonly kept: boolean;
}

/** The rules of a property of a class without metadata of class-transformer. */
export function untransformed(property: string): TransformerRules {
  return {
    type: undefined,
    choosesType: false,
    typedBy: undefined,
    discriminator: undefined,
    wireName: property,
    transform: undefined,
    hasGroups: false,
    isAsync: false,
  };
}

/** Reads the rules of one property. */
export function readTransformerRules(dto: Class, property: string, exposure: Exposure): TransformerRules {
  const { direction } = exposure;
  const typed = storage.findTypeMetadata(dto, property);
  const transforms = findTransforms(dto, property, direction);
  const type = typed && callTypeFunction(typed.typeFunction, property);
  return {
    type,
    choosesType: type === null && (typed?.typeFunction.length ?? 0) > 0,
    typedBy: typed?.target,
    discriminator: readDiscriminator(typed),
    wireName: exposure.wireName(property),
    transform: composeTransforms(transforms, property, direction),
    hasGroups: hasGroupedTransforms(dto, property, direction),
    isAsync: transforms.some(({ transformFn }) => types.isAsyncFunction(transformFn)),
  };
}

function readDiscriminator(typed: ReturnType<typeof storage.findTypeMetadata> | undefined): Discriminator | undefined {
  const { discriminator, keepDiscriminatorProperty: kept = false } = typed?.options ?? {};
  return discriminator && { property: discriminator.property, subTypes: discriminator.subTypes, kept };
}

function callTypeFunction(typeFunction: (help: TypeHelp) => unknown, property: string): unknown {
  try {
    return typeFunction({ newObject: {}, object: {}, property }) ?? null;
  } catch {
    // A class that does not exist yet; the caller reports it as a definition error.
    return null;
  }
}

interface TypeHelp {
  readonly newObject: object;
  readonly object: Record<string, unknown>;
  readonly property: string;
}
