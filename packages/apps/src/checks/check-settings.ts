/** Whether the options of a view are what they should be; each mistake is reported. */
import {
  OPTION_RULES,
  checkOptions,
  isObject,
  membersOf,
  nameValue,
  type OptionRule,
  type ReportProblem,
} from '@sigil-mcp/base';
import { CSP_LISTS, PERMISSIONS, type ViewOptions } from '../declared/view-options';
import { problem } from '../errors';
import { isLoopback, readOrigin } from '../policy/origin';

/** What every resource has is checked by the server. */
const OPTIONS: Readonly<Record<keyof ViewOptions, OptionRule | undefined>> = {
  file: OPTION_RULES.text,
  csp: membersOf(Object.fromEntries(CSP_LISTS.map((list) => [list, OPTION_RULES.list]))),
  permissions: {
    fits: (value) => Array.isArray(value) && value.every((name) => PERMISSIONS.some((known) => known === name)),
    wanted: `an array of ${PERMISSIONS.join(', ')}`,
  },
  border: OPTION_RULES.flag,
  domain: OPTION_RULES.text,
  ...{ name: undefined, title: undefined, description: undefined, cache: undefined, icons: undefined },
};

/** Reports what is wrong with the options of a view. */
export function checkSettings(options: ViewOptions, where: string, report: ReportProblem): void {
  checkOptions(`${where}: View`, options, OPTIONS, report);
  // JavaScript may pass null.
  const csp: unknown = isObject(options) ? options['csp'] : undefined;
  if (isPolicy(csp)) checkOrigins(csp, where, report);
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
