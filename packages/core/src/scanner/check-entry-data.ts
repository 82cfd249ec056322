/** Whether a value that is added to the registry is an entry: JavaScript, or a cast, may pass any value. */
import { problem } from '../errors/catalogue';
import { isObject, nameValue, type ReportProblem } from '@sigil-mcp/base';
import { isEntryData } from '../kinds/entry-data';

/**
 * Whether data says what kind of entry it describes; reports why not.
 * @param where the method of the registry that was given the data, or the function that made it
 */
export function checkEntryData(data: unknown, where: string, report: ReportProblem): boolean {
  if (isEntryData(data)) return true;
  report(problem('SIGIL_NOT_AN_ENTRY', where, { value: describe(data) }));
  return false;
}

function describe(data: unknown): string {
  if (!isObject(data)) return nameValue(data);
  const { kind } = data;
  return `${nameValue(data)} ${kind === undefined ? 'without a kind' : `of the kind ${nameValue(kind)}`}`;
}

/** The argument of `registry.add(...)`. */
export function describePlace(data: unknown): string {
  return nameValue(isObject(data) && typeof data['name'] === 'string' ? data['name'] : data);
}
