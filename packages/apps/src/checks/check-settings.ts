/** Whether the options of a view are what they should be; each mistake is reported. */
import { isObject, nameValue, type ReportProblem } from '@sigil-mcp/base';
import { CSP_LISTS, PERMISSIONS, VIEW_OPTIONS, type ViewOptions } from '../declared/view-options';
import { problem } from '../errors';
import { isLoopback, readOrigin } from '../policy/origin';

/** What an option must be. */
interface Shape {
  readonly fits: (value: unknown) => boolean;
  readonly wanted: string;
}

const TEXT: Shape = { fits: (value) => typeof value === 'string' && value !== '', wanted: 'a text' };
const CHECKED_ELSEWHERE: Shape = { fits: () => true, wanted: '' };

const SHAPES: Readonly<Record<keyof ViewOptions, Shape>> = {
  file: TEXT,
  csp: { fits: isPolicy, wanted: `an object with ${CSP_LISTS.join(', ')}, each an array` },
  permissions: {
    fits: (value) => Array.isArray(value) && value.every((name) => PERMISSIONS.some((known) => known === name)),
    wanted: `an array of ${PERMISSIONS.join(', ')}`,
  },
  border: { fits: (value) => typeof value === 'boolean', wanted: 'true or false' },
  domain: TEXT,
  // What every resource has is checked by the server.
  name: CHECKED_ELSEWHERE,
  title: CHECKED_ELSEWHERE,
  description: CHECKED_ELSEWHERE,
  cache: CHECKED_ELSEWHERE,
  icons: CHECKED_ELSEWHERE,
};

/** Reports what is wrong with the options of a view. */
export function checkSettings(options: ViewOptions, where: string, report: ReportProblem): void {
  // The types promise what each is; JavaScript, or a cast, may pass any value.
  const given: Readonly<Record<string, unknown>> = { ...options };
  const unexpected = Object.keys(given).filter((name) => !Object.hasOwn(VIEW_OPTIONS, name));
  if (unexpected.length > 0) {
    const known = Object.keys(VIEW_OPTIONS).join(', ');
    report(problem('SIGIL_APPS_OPTIONS', where, { options: unexpected.join(', '), known }));
  }
  for (const [option, { fits, wanted }] of Object.entries(SHAPES)) {
    const value = given[option];
    if (value !== undefined && !fits(value))
      report(problem('SIGIL_APPS_OPTION', where, { option, value: nameValue(value), wanted }));
  }
  if (isPolicy(given['csp'])) checkOrigins(given['csp'], where, report);
}

/** Reports the origins of a policy that are malformed or not encrypted. */
export function checkOrigins(
  policy: Readonly<Record<string, readonly unknown[]>>,
  where: string,
  report: ReportProblem,
): void {
  for (const [list, origins] of Object.entries(policy)) {
    for (const text of origins) {
      const origin = readOrigin(text);
      if (!origin) report(problem('SIGIL_APPS_ORIGIN', where, { list, origin: nameValue(text) }));
      else if (!origin.scheme.endsWith('s') && !isLoopback(origin))
        report(problem('SIGIL_APPS_ORIGIN_PLAIN', where, { list, origin: nameValue(text) }));
    }
  }
}

/** Whether a value is a policy: known lists, each an array. */
export function isPolicy(value: unknown): value is Readonly<Record<string, readonly unknown[]>> {
  if (!isObject(value)) return false;
  const lists: readonly string[] = CSP_LISTS;
  return Object.entries(value).every(([list, origins]) => lists.includes(list) && Array.isArray(origins));
}
