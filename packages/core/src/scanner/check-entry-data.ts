/** Whether a value that is added to the registry is an entry: JavaScript, or a cast, may pass any value. */
import { problem } from '../errors/catalogue';
import { isObject, nameValue, type ReportProblem } from '@sigil-mcp/base';

const KINDS: readonly unknown[] = ['tool', 'resource', 'prompt'];

/**
 * Whether data can be scanned as an entry of its kind; reports why not.
 * @param where the method of the registry that was given the data, or the function that made it
 */
export function checkEntryData(data: unknown, where: string, report: ReportProblem): boolean {
  const value = notAnEntry(data);
  if (value !== undefined) report(problem('SIGIL_NOT_AN_ENTRY', where, { value }));
  if (value !== undefined || !isObject(data)) return false;
  const { kind, uri } = data;
  if (kind !== 'resource' || typeof uri === 'string') return true;
  report(problem('SIGIL_RESOURCE_URI', where, { uri: nameValue(uri) }));
  return false;
}

function notAnEntry(data: unknown): string | undefined {
  if (!isObject(data)) return nameValue(data);
  const { kind } = data;
  if (kind === undefined) return `${nameValue(data)} without a kind`;
  return KINDS.includes(kind) ? undefined : `${nameValue(data)} of the kind ${nameValue(kind)}`;
}

/** The argument of `registry.add(...)`. */
export function describePlace(data: unknown): string {
  return nameValue(isObject(data) && typeof data['name'] === 'string' ? data['name'] : data);
}
