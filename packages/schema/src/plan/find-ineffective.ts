/** Finds decorators that do not do what they say: rules of groups that nobody requests, and rules about items of a single value. */
import { decoratorName } from '../rules/decorator-name';
import { dtoProblems, type DtoProblem } from './dto-problems';
import { containerOf, type PropertySource } from './property-source';

/** What of a property does not do what it says. */
export function findIneffective(source: PropertySource): DtoProblem[] {
  const { rules, transformer } = source;
  const grouped = rules.rules.filter(({ isGrouped }) => isGrouped).map(decoratorName);
  const groups = [
    ...(grouped.length > 0 ? [dtoProblems.rulesOfGroups(grouped)] : []),
    ...(transformer.hasGroups ? [dtoProblems.transformOfGroups()] : []),
  ];
  const each = rules.rules.filter((rule) => rule.each).map(decoratorName);
  const about = [...(rules.nested === 'items' ? ['@ValidateNested()'] : []), ...each];
  return about.length > 0 && !containerOf(source) ? [...groups, dtoProblems.eachOfOne(about)] : groups;
}
