/**
 * What the author of a class keeps back, in the words of class-transformer: `@Exclude()`, and `@Expose({ groups })`, because nobody
 * asks for a group here. Versions (`since`, `until`) keep nothing back where no version is asked for.
 */
import type { Class } from '../values/class';
import { transformationOf, transformerStorage as storage, type Direction } from './transformer-storage';

/** What passes of a class, in one direction. */
export interface Exposure {
  readonly direction: Direction;
  /** The names that are exposed one by one; a method or a getter may be among them. */
  readonly exposed: ReadonlySet<string>;
  /** Nothing else passes: the class itself is excluded. */
  readonly onlyExposed: boolean;
  /** Whether a member is kept back. */
  hides(name: string): boolean;
  /** What a member is called outside. */
  wireName(name: string): string;
}

/** Asks class-transformer about a class. */
export function exposureOf(dto: Class, direction: Direction): Exposure {
  // As class-transformer types it.
  const target = dto as unknown as Function; // eslint-disable-line @typescript-eslint/no-unsafe-function-type
  const exposed = new Set(storage.getExposedProperties(target, transformationOf(direction)));
  const excluded = new Set(storage.getExcludedProperties(target, transformationOf(direction)));
  const onlyExposed = storage.getStrategy(target) === 'excludeAll';
  const isGrouped = (name: string): boolean => {
    // It types them as there; they may be missing.
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
