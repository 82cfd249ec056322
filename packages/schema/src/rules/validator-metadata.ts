/** The port to class-validator: its global metadata storage is read here, at start-up. */
import { withBases, type Class } from '@sigil-mcp/base';
import type { ValidatorMetadata } from './rule';
import { getMetadataStorage } from './validator-storage';

/** What class-validator knows by property, base classes first. Only the nearest class that decorates a property speaks for it. */
export function findMetadata(dto: Class): ReadonlyMap<string, ValidatorMetadata[]> {
  let all: Map<string, ValidatorMetadata[]> | undefined;
  for (const each of withBases(dto).reverse()) {
    const own = groupByProperty(ownMetadata(each));
    all = all && all.size > 0 ? new Map([...all, ...own]) : own;
  }
  return all ?? new Map<string, ValidatorMetadata[]>();
}

function groupByProperty(metadata: readonly ValidatorMetadata[]): Map<string, ValidatorMetadata[]> {
  const groups = new Map<string, ValidatorMetadata[]>();
  for (const each of metadata) {
    const group = groups.get(each.propertyName);
    if (group) group.push(each);
    else groups.set(each.propertyName, [each]);
  }
  return groups;
}

function ownMetadata(dto: Class): readonly ValidatorMetadata[] {
  const storage = getMetadataStorage();
  const all = openStorage();
  if (all) return all.get(dto) ?? [];
  return storage.getTargetValidationMetadatas(dto, '', false, false).filter(({ target }) => target === dto);
}

/**
 * The other classes that have a rule of a property, and not just a rule that says the same: each use of a decorator makes a
 * validator of its own, which stays with a rule that is copied.
 */
export function findSharing(dto: Class, property: string): Class[] {
  const validators = new Set(
    findMetadata(dto)
      .get(property)
      ?.map(({ constraintCls }): unknown => constraintCls),
  );
  validators.delete(undefined);
  return [...(openStorage() ?? [])].flatMap(([target, all]) =>
    target !== dto && all.some((each) => each.propertyName === property && validators.has(each.constraintCls))
      ? [target]
      : [],
  );
}

/** The cast opens a private member; where a version of class-validator lacks it, its slower search does for most. */
function openStorage(): ReadonlyMap<Class, ValidatorMetadata[]> | undefined {
  const { validationMetadatas } = getMetadataStorage() as unknown as {
    validationMetadatas?: ReadonlyMap<Class, ValidatorMetadata[]>;
  };
  return validationMetadatas;
}
