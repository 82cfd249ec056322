/** The options of `apps`, as JavaScript or a cast may pass them. */
import { isObject, nameValue, type ReportProblem } from '@sigil-mcp/base';
import type { AppsOptions } from './apps-options';
import { problem } from './errors';

const OPTIONS: Readonly<Record<keyof AppsOptions, true>> = { oldHosts: true, chatgpt: true };

/** Reports options that do not exist, and values that do not fit. */
export function checkOptions(options: unknown, report: ReportProblem): void {
  const note = (option: string, value: unknown, wanted: string): void =>
    report(problem('SIGIL_APPS_SERVER', 'createServer({ extensions })', { option, value: nameValue(value), wanted }));
  if (!isObject(options)) return note('…', options, 'an object');
  const known = Object.keys(OPTIONS).join(' and ');
  for (const [option, value] of Object.entries(options)) {
    if (!Object.hasOwn(OPTIONS, option)) note(option, value, `only the options ${known}`);
    else if (value !== undefined && typeof value !== 'boolean') note(option, value, 'true or false');
  }
}
