/** The border to class-transformer, the other way: what it knows of a property of some class is said of another class. */
import { withBases, type Class } from '@sigil-mcp/base';
import { findMetadata, findSpeaker, isAbove } from './validator-metadata';
import { exposureOf } from '../plain/exposure';
import { transformerStorage as storage, type Direction } from '../plain/transformer-storage';

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
