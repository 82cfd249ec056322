/**
 * The members that a class hides, by the decorators of class-transformer: `@Exclude()`, and `@Expose({ groups })`, because Sigil requests
 * no group. Versions (`since`, `until`) hide nothing, because Sigil requests no version.
 */
import type { Class } from '@sigil-mcp/base';
import { transformationOf, transformerStorage as storage, type Direction } from './transformer-storage';

/** The visible members of a class, in one direction. */
export interface Exposure {
  readonly direction: Direction;
  /** The names that are exposed one by one; a method or a getter may be among them. */
  readonly exposed: ReadonlySet<string>;
  /** Only exposed members are visible: the class itself is excluded. */
  readonly onlyExposed: boolean;
  /** Whether a member is hidden. */
  hides(name: string): boolean;
  /** The name of a member in JSON. */
  wireName(name: string): string;
}

/** Reads the metadata of class-transformer for a class. */
export function exposureOf(dto: Class, direction: Direction): Exposure {
  // As class-transformer types it.
  const target = dto as unknown as Function; // eslint-disable-line @typescript-eslint/no-unsafe-function-type
  const exposed = new Set(storage.getExposedProperties(target, transformationOf(direction)));
  const excluded = new Set(storage.getExcludedProperties(target, transformationOf(direction)));
  const onlyExposed = storage.getStrategy(target) === 'excludeAll';
  const isGrouped = (name: string): boolean => {
    // The library types them as present; they may be missing.
    const options = storage.findExposeMetadata(target, name)?.options as { readonly groups?: unknown[] } | undefined;
    return (options?.groups?.length ?? 0) > 0;
  };
  return {
    direction,
    exposed,
    onlyExposed,
    hides: (name) => excluded.has(name) || (onlyExposed && !exposed.has(name)) || isGrouped(name),
    wireName: (name) => wireName(target, name, direction === 'output' || exposed.has(name)),
  };
}

/** Of a result class-transformer takes the name that an `@Expose` has for any direction. */
// eslint-disable-next-line @typescript-eslint/no-unsafe-function-type -- as class-transformer types it
function wireName(target: Function, name: string, isNamed: boolean): string {
  const options = isNamed
    ? (storage.findExposeMetadata(target, name)?.options as { name?: string } | undefined)
    : undefined;
  return options?.name ?? name;
}
