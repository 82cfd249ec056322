/** The options of `skills`, as JavaScript or a cast may pass them. */
import { isObject, nameValue } from '@sigil-mcp/core/adapter';
import type { ReportProblem } from '@sigil-mcp/core';
import { skillProblem } from './errors';

interface Kind {
  readonly wanted: string;
  readonly fits: (value: unknown) => boolean;
}

const isText = (value: unknown): boolean => typeof value === 'string' && value !== '';
const TEXTS = (wanted: string): Kind => ({ wanted, fits: (value) => Array.isArray(value) && value.every(isText) });
const FLAG: Kind = { wanted: 'true or false', fits: (value) => typeof value === 'boolean' };
const ANY: Kind = { wanted: 'an array', fits: Array.isArray };

const OPTIONS: Readonly<Record<string, Kind>> = {
  folders: TEXTS("an array of paths, such as ['./skills']"),
  elsewhere: TEXTS("an array of names, such as ['create_issue']"),
  directoryRead: FLAG,
  isForEveryRevision: FLAG,
  public: FLAG,
  guards: ANY,
  scopes: ANY,
  cache: { wanted: "{ ttlMs: 60000, cacheScope: 'private' }", fits: isHints },
  pageSize: { wanted: 'a whole number from 1 to 1000', fits: isPageSize },
};

/** Reports options that do not exist, and values that do not fit. */
export function checkOptions(options: unknown, report: ReportProblem): boolean {
  const where = 'createServer({ extensions })';
  if (!isObject(options)) {
    const values = { option: '…', value: nameValue(options), wanted: 'an object' };
    report(skillProblem('SIGIL_SKILLS_OPTION', where, values));
    return false;
  }
  const wrong = Object.entries(options).filter(([name, value]) => value !== undefined && !kindOf(name)?.fits(value));
  for (const [option, value] of wrong) {
    const wanted = kindOf(option)?.wanted ?? `one of the options ${Object.keys(OPTIONS).join(', ')}`;
    report(skillProblem('SIGIL_SKILLS_OPTION', where, { option, value: nameValue(value), wanted }));
  }
  return wrong.length === 0;
}

function kindOf(option: string): Kind | undefined {
  return Object.hasOwn(OPTIONS, option) ? OPTIONS[option] : undefined;
}

function isPageSize(value: unknown): boolean {
  return Number.isInteger(value) && Number(value) >= 1 && Number(value) <= 1000;
}

function isHints(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { ttlMs, cacheScope } = value;
  return Number.isInteger(ttlMs) && Number(ttlMs) >= 0 && (cacheScope === 'public' || cacheScope === 'private');
}
