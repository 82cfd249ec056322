/** Writes to class-validator: copies its metadata for the properties of some classes to another class. */
import { withBases, type Class } from '@sigil-mcp/base';
import { exposureOf } from '../plain/exposure';
import { transformerStorage as storage, type Direction } from '../plain/transformer-storage';
import type { ValidatorMetadata } from './rule';
import {
  findMetadata,
  findSpeaker,
  getMetadataStorage,
  isAbove,
  IsOptional,
  overriddenFacts,
  ValidationTypes,
} from './validator-metadata';

/** Some properties of a class that another one takes over. */
export interface Part {
  readonly source: Class;
  readonly names: ReadonlySet<string>;
  /** All of them may be left out. */
  readonly optional: boolean;
}

/** Our facts of a property that a subclass of the class which has them overrides. */
export function findOverridden(source: Class, property: string): ReturnType<typeof overriddenFacts> {
  const speaker = findSpeaker(source, property, findMetadata(source).get(property)?.[0]?.target);
  return overriddenFacts(source, property, speaker);
}

/** The properties that class-validator knows of a class and its base classes. */
export function validatedNames(dto: Class): readonly string[] {
  return [...findMetadata(dto).keys()];
}

/**
 * Says of the properties of `to` what is known of them in its parts. Where several parts have a property, the rules of all
 * hold, each once; it is optional if it is so in all of them.
 */
export function copyRules(parts: readonly Part[], to: Class): void {
  const known = parts.map((part) => ({ ...part, rules: findMetadata(part.source) }));
  for (const name of new Set(parts.flatMap(({ names }) => [...names]))) {
    const having = known.filter(({ names }) => names.has(name));
    const groups = having.map(({ source, rules }) => {
      const group = rules.get(name) ?? [];
      const [first] = group;
      return isAbove(first?.target, findSpeaker(source, name, first?.target)) ? [] : group;
    });
    for (const metadata of eachOnce(groups.flat())) if (!saysOptional(metadata)) copyTo(to, metadata);
    if (having.every(({ optional }, index) => optional || groups[index]?.some(saysOptional)))
      IsOptional()(to.prototype as object, name);
  }
}

function copyTo(to: Class, metadata: ValidatorMetadata): void {
  // Of the same class as before: class-validator calls a method of it.
  const copy = Object.create(Object.getPrototypeOf(metadata) as object) as ValidatorMetadata;
  getMetadataStorage().addValidationMetadata(Object.assign(copy, metadata, { target: to }));
}

/** The same property of one class may come on two ways. */
function eachOnce(group: readonly ValidatorMetadata[]): Iterable<ValidatorMetadata> {
  const rules = new Map<unknown, ValidatorMetadata>();
  for (const metadata of group) {
    const { type, constraintCls, constraints } = metadata;
    // class-validator types its constraints as any; that of a condition is its function.
    const condition = (constraints as unknown[] | undefined)?.[0];
    const identity: unknown = constraintCls ?? condition ?? type;
    if (!rules.has(identity)) rules.set(identity, metadata);
  }
  return rules.values();
}

function saysOptional({ type, name }: ValidatorMetadata): boolean {
  return type === ValidationTypes.CONDITIONAL_VALIDATION && name === 'isOptional';
}

// The border to class-transformer, the other way: what it knows of a property of some class is said of another class.

/** What class-transformer keeps of classes, by property. The cast opens private members that all its versions 0.5 have. */
const { _typeMetadatas, _transformMetadatas, _exposeMetadatas, _excludeMetadatas } = storage as unknown as Readonly<
  Record<
    '_typeMetadatas' | '_transformMetadatas' | '_exposeMetadatas' | '_excludeMetadatas',
    ReadonlyMap<unknown, ReadonlyMap<string | undefined, unknown>> | undefined
  >
>;

/** The properties that class-transformer knows of a class and its base classes. */
export function transformedNames(dto: Class): readonly string[] {
  const maps = [_typeMetadatas, _transformMetadatas, _exposeMetadatas, _excludeMetadatas];
  const names = withBases(dto).flatMap((each) => maps.flatMap((map) => [...(map?.get(each)?.keys() ?? [])]));
  return names.filter((name) => name !== undefined);
}

/** Says of a property of `to` what is known of it in `from`; also what that says of all its properties. */
export function copyTransformerRules(from: Class, to: Class, property: string): void {
  const speaker = findSpeaker(from, property, findMetadata(from).get(property)?.[0]?.target);
  const target = to as unknown as Function; // eslint-disable-line @typescript-eslint/no-unsafe-function-type -- as class-transformer types it
  const typed = storage.findTypeMetadata(from, property);
  if (typed && !isAbove(typed.target, speaker)) storage.addTypeMetadata({ ...typed, target });
  const exposed = storage.findExposeMetadata(from, property);
  if (exposed) storage.addExposeMetadata({ ...exposed, target });
  const [toClassOnly, toPlainOnly] = [isHidden(from, property, 'input'), isHidden(from, property, 'output')];
  if (toClassOnly || toPlainOnly)
    storage.addExcludeMetadata({ target, propertyName: property, options: { toClassOnly, toPlainOnly } });
  for (const each of withBases(from)) {
    // Its own type for what it keeps of @Transform.
    const transforms = _transformMetadatas?.get(each)?.get(property) as
      Parameters<typeof storage.addTransformMetadata>[0][] | undefined;
    for (const transform of transforms ?? []) storage.addTransformMetadata({ ...transform, target });
  }
}

/** Whether a class hides a property in one direction, by any decorator. */
function isHidden(from: Class, property: string, direction: Direction): boolean {
  return exposureOf(from, direction).hides(property);
}
