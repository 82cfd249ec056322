/**
 * Makes a class from the properties of others. All metadata of a property is copied to the new class at once: ours, and that of
 * class-validator, class-transformer and the compiler. From then on it is a class like any other.
 */
import {
  addClassFact,
  copyMemberFacts,
  emittedPropertyType,
  factsByMember,
  membersWithFacts,
  removeMemberFacts,
} from '@sigil-mcp/base/facts';
import { schemaError } from '../errors/errors';
import { isClass, withBases, type Class } from '@sigil-mcp/base';
import { mappings, nullables } from '../dto-facts';
import { copyApiProperty } from '../rules/api-properties';
import { copyRules, findOverridden, validatedNames, type Part } from '../rules/copy-rules';
import { copyTransformerRules, transformedNames } from '../rules/copy-transformer-rules';

/** The properties of one source class, and how they are mapped. */
export interface Mapped {
  readonly source: Class;
  /** Whether a property is copied; all are if left out. */
  readonly keeps?: (name: string) => boolean;
  /** The names that `keeps` selects or excludes: each must exist. */
  readonly named?: readonly string[];
  /** All properties become optional, without defaults. */
  readonly partial?: boolean;
}

/**
 * Makes the class.
 * @param call the call that makes it, for messages: `PartialType(Book)`
 */
export function mapClass(call: string, mapped: readonly Mapped[]): Class {
  const helper = call.slice(0, call.indexOf('('));
  for (const { source } of mapped) if (!isClass(source)) throw schemaError('SIGIL_MAPPED_NO_CLASS', { helper });
  const parts = mapped.map(openPart);
  const made = createClass(parts);
  Object.defineProperty(made, 'name', { value: call });
  for (const { source, known } of parts) for (const name of known) copyMember(source, made, name);
  for (const name of factsByMember(nullables, made).keys()) {
    const having = parts.filter(({ known }) => known.has(name));
    if (!having.every(({ source }) => factsByMember(nullables, source).has(name)))
      removeMemberFacts(nullables, made, name);
  }
  copyRules(
    parts.map(({ source, known, partial }) => ({ source, names: known, optional: partial }) satisfies Part),
    made,
  );
  addClassFact(mappings, made, { unknown: parts.flatMap(({ unknown }) => unknown) });
  return made;
}

/** The copied properties of a class. */
interface OpenPart {
  readonly source: Class;
  readonly partial: boolean;
  readonly keeps: (name: string) => boolean;
  /** Those with metadata. */
  readonly known: ReadonlySet<string>;
  /** Those that only the constructor defines: the new class has them, too, so that they are reported. */
  readonly undecorated: readonly string[];
  readonly unknown: readonly string[];
}

function openPart({ source, keeps = () => true, named = [], partial = false }: Mapped): OpenPart {
  const constructed = constructedNames(source);
  const decorated = [...validatedNames(source), ...transformedNames(source), ...membersWithFacts(source)];
  const all = new Set([...decorated, ...constructed.filter((name) => emittedPropertyType(source, name) !== undefined)]);
  return {
    source,
    partial,
    keeps,
    known: new Set([...all].filter(keeps)),
    undecorated: constructed.filter((name) => keeps(name) && !all.has(name)),
    unknown: named.filter((name) => !all.has(name) && !constructed.includes(name)),
  };
}

/** The members of a new instance; empty if the class cannot be constructed, which is reported when it is used. */
function constructedNames(source: Class): string[] {
  try {
    return Object.entries(construct(source)).flatMap(([name, value]) => (typeof value === 'function' ? [] : [name]));
  } catch {
    return [];
  }
}

function construct(source: Class): object {
  // A DTO is constructed without arguments; an abstract class as a DTO is a mistake of its author.
  return new (source as unknown as new () => object)();
}

function createClass(parts: readonly OpenPart[]): Class {
  return class {
    constructor() {
      // The members are the ones that the decorators of this class declare.
      const made = this as Record<string, unknown>;
      for (const { source, partial, keeps, undecorated } of parts) {
        if (partial) for (const name of undecorated) made[name] = undefined;
        else
          for (const [name, value] of Object.entries(construct(source)))
            // If several classes have a property, the last default applies; a field without a value is not a default.
            if (keeps(name) && typeof value !== 'function' && (value !== undefined || !(name in made)))
              made[name] = value;
      }
    }
  };
}

function copyMember(source: Class, made: Class, name: string): void {
  copyMemberFacts(source, made, name);
  for (const kind of findOverridden(source, name)) removeMemberFacts(kind, made, name);
  copyTransformerRules(source, made, name);
  copyApiProperty(source, made, name);
  for (const each of withBases(source)) {
    const accessor = Object.getOwnPropertyDescriptor(each.prototype as object, name);
    // A read-only accessor stays read-only. A setter may use a private field, which the new class does not have.
    if (accessor?.get && !accessor.set) Object.defineProperty(made.prototype as object, name, accessor);
    if (accessor) return;
  }
}
