/** A value of several types -> its plan, and its possible problems. */
import { isContradictory, planValue } from './plan-value';
import { dtoProblems, type DtoProblem } from './dto-problems';
import { acceptsWhole } from '../read/accept-kinds';
import { isOwnClass, kindsOfType } from './value-types';
import { unionMembers, type PropertySource } from './property-source';
import type { Rule } from '../rules/rule';
import { isObject, type Class } from '@sigil-mcp/base';
import type { Kind, Tag, UnionPlan, ValuePlan } from '../value-plan';

/** Whether options are passed among the types of `@AnyOf`, where they have no effect. */
export function hasLostOptions(source: PropertySource): boolean {
  return unionMembers(source)?.some((member) => isObject(member)) === true;
}

/** The first problem of the types of `@AnyOf`. */
export function findUnionProblem(source: PropertySource): DtoProblem | undefined {
  const members = unionMembers(source);
  if (!members || members.length < 2) return dtoProblems.union('needs at least two types that are there');
  const stranger = members.find((member) => !kindsOfType(member) && !isOwnClass(member));
  if (stranger !== undefined || members.includes(undefined))
    return dtoProblems.union(`cannot hold ${nameOf(stranger)}, only String, Number, Boolean, Date and classes`);
  if (source.transformer.type !== undefined)
    return dtoProblems.union('names its types already, so that @Type says too much');
  const spoken = new Set(members.flatMap((member) => kindsOf(member)));
  const lost = rulesAbout(source).find(
    ({ meaning }) => meaning?.kinds && !meaning.kinds.some((kind) => spoken.has(kind)),
  );
  return lost && dtoProblems.union(`holds no type that ${lost.name} speaks of`);
}

function nameOf(value: unknown): string {
  return typeof value === 'function' ? value.name : String(value);
}

function rulesAbout({ rules, union }: PropertySource): readonly Rule[] {
  return rules.rules.filter(({ each }) => each === union?.each);
}

function kindsOf(member: unknown): readonly Kind[] {
  return kindsOfType(member) ?? ['object'];
}

/** Plans `@AnyOf`: the other rules apply to their own types only. */
export function planAnyOf(source: PropertySource, nullable: boolean): ValuePlan {
  const options = (unionMembers(source) ?? []).map((member) => {
    const kinds = kindsOf(member);
    const rules = rulesAbout(source).filter(
      ({ meaning }) => !meaning?.kinds || meaning.kinds.some((kind) => kinds.includes(kind)),
    );
    const nested = isOwnClass(member) ? source.planning.planClass(member) : undefined;
    return planValue(rules, {
      nullable: false,
      transformed: source.transformer.transform !== undefined,
      kinds,
      namesDate: member === Date,
      nested,
      returned: source.planning.direction === 'output',
    });
  });
  const possible = options.filter((option) => !isContradictory(option));
  const kinds = [...new Set(possible.flatMap((option) => [...(option.kinds ?? [])]))];
  // The options have the rules; this plan only describes them together.
  return {
    ...planValue([], { nullable, kinds, union: { options: possible, discriminator: undefined } }),
    integer: possible.some(({ integer }) => integer),
  };
}

interface SubType {
  readonly value: Class;
  readonly name: string;
}

/** The first problem of the discriminator of `@Type`. */
export function findDiscriminatorProblem({ transformer }: PropertySource): DtoProblem | undefined {
  const { property, subTypes } = transformer.discriminator ?? {};
  if (typeof property !== 'string' || property === '') return dtoProblems.discriminated('its property has no name');
  const given: readonly unknown[] = Array.isArray(subTypes) ? subTypes : [];
  if (given.length === 0) return dtoProblems.discriminated('it has no subTypes');
  if (!given.every(isSubType))
    return dtoProblems.discriminated('each of its subTypes needs a class that is there as its value, and a name');
  const names = given.map(({ name }) => name);
  const twice = names.find((name, index) => names.indexOf(name) < index);
  return twice === undefined ? undefined : dtoProblems.discriminated(`it has the name '${twice}' twice`);
}

function isSubType(given: unknown): given is SubType {
  if (typeof given !== 'object' || given === null || !('value' in given) || !('name' in given)) return false;
  return isOwnClass(given.value) && typeof given.name === 'string';
}

/** Plans the choice of a discriminator; undefined without a discriminator. Its problems were reported before. */
export function planDiscriminated({ dto, name, transformer, planning }: PropertySource): UnionPlan | undefined {
  const { property, subTypes, kept } = transformer.discriminator ?? {};
  if (typeof property !== 'string' || !Array.isArray(subTypes)) return undefined;
  const options = subTypes.filter(isSubType).map((subType) => {
    const tag: Tag = { property, value: subType.name, kept: kept === true };
    const nested = planning.planClass(subType.value, tag);
    planning.later(() => {
      const declared = nested.properties.find(({ wireName }) => wireName === property);
      if (declared && !acceptsWhole(declared.value, subType.name))
        planning.report(
          dto,
          name,
          dtoProblems.discriminated(
            `${subType.value.name}.${declared.name} does not accept its name '${subType.name}'`,
          ),
        );
    });
    return planValue([], { nullable: false, kinds: ['object'], nested });
  });
  return { options, discriminator: property };
}
