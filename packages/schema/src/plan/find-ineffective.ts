/** Finds decorators that do not do what they say: rules of groups that nobody requests, and rules about items of a single value. */
import { decoratorName } from '../rules/decorator-name';
import { dtoProblems, type DtoProblem } from './dto-problems';
import { containerOf, type PropertySource } from './property-source';

const NOTHING: readonly DtoProblem[] = [];

/** What of a property does not do what it says. */
export function findIneffective(source: PropertySource): readonly DtoProblem[] {
  const { rules, transformer } = source;
  const [grouped, each]: [string[], string[]] = [[], rules.nested === 'items' ? ['@ValidateNested()'] : []];
  for (const rule of rules.rules) {
    if (rule.isGrouped) grouped.push(decoratorName(rule));
    if (rule.each) each.push(decoratorName(rule));
  }
  // Nearly every property is asked for nothing else.
  if (grouped.length + each.length === 0 && !transformer.hasGroups) return NOTHING;
  return [
    ...(grouped.length > 0 ? [dtoProblems.rulesOfGroups(grouped)] : []),
    ...(transformer.hasGroups ? [dtoProblems.transformOfGroups()] : []),
    ...(each.length > 0 && !containerOf(source) ? [dtoProblems.eachOfOne(each)] : []),
  ];
}
