/** What the options of `skills` may be. */
import { isObject, OPTION_RULES, wholeNumber, type OptionRule, type OptionRules } from '@sigil-mcp/core/adapter';

const TEXTS = (wanted: string): OptionRule => ({
  wanted,
  fits: (value) => Array.isArray(value) && value.every(OPTION_RULES.text.fits),
});

/** What each option may be. */
export const SKILLS_OPTIONS: OptionRules = {
  folders: TEXTS("an array of paths, such as ['./skills']"),
  elsewhere: TEXTS("an array of names, such as ['create_issue']"),
  directoryRead: OPTION_RULES.flag,
  isForEveryRevision: OPTION_RULES.flag,
  public: OPTION_RULES.flag,
  guards: OPTION_RULES.list,
  scopes: OPTION_RULES.list,
  cache: { wanted: "{ ttlMs: 60000, cacheScope: 'private' }", fits: isHints },
  pageSize: wholeNumber(1, 1000),
};

function isHints(value: unknown): boolean {
  if (!isObject(value)) return false;
  const { ttlMs, cacheScope } = value;
  return Number.isInteger(ttlMs) && Number(ttlMs) >= 0 && (cacheScope === 'public' || cacheScope === 'private');
}
