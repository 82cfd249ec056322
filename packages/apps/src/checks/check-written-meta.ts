/** `_meta` and resources of views that an author wrote by hand, without `@View`: the rules of the specification hold for them, too. */
import {
  isObject,
  nameValue,
  type ReportProblem,
  OPTION_RULES,
  checkOptions,
  membersOf,
  type OptionRule,
} from '@sigil-mcp/base';
import type { EntryFacts, JsonObject } from '@sigil-mcp/core';
import { PERMISSIONS, CSP_LISTS, type ViewOptions } from '../declared/view-options';
import { problem } from '../errors';
import { FLAT_KEY, VIEW_SCHEME, VIEW_TYPE } from '../names';
import { isAudience } from '../declared/audience';
import { VIEW_OF, VISIBLE_TO } from '../declared/view-fact';
import { whereOf } from './where';
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

/** What belongs to views and is ignored on tools, and the option of `@View` for it. */
const OF_VIEWS: Readonly<Record<string, string>> = {
  csp: 'csp',
  permissions: 'permissions',
  domain: 'domain',
  prefersBorder: 'border',
};
const ASK_VIEW = '@View, which writes it';

/** Reports what is wrong with a resource that looks like a view. */
export function checkWrittenResource(entry: EntryFacts<'resource' | 'resource-template'>, report: ReportProblem): void {
  const where = whereOf(entry);
  const { mimeType, _meta: meta } = entry.definition;
  const uri = nameValue(entry.key);
  const ui = meta?.['ui'];
  if (!entry.key.startsWith(VIEW_SCHEME)) {
    if (mimeType === VIEW_TYPE || ui !== undefined) report(problem('SIGIL_APPS_SCHEME', where, { uri }));
    return;
  }
  if (entry.kind === 'resource-template') report(problem('SIGIL_APPS_URI', where, { uri }));
  if (mimeType !== VIEW_TYPE) report(problem('SIGIL_APPS_TYPE', where, { uri, type: nameValue(mimeType) }));
  if (ui !== undefined) checkUi(ui, where, report);
}

/** Reports what is wrong with `_meta.ui` of a resource, whose type only its author knows. */
function checkUi(ui: unknown, where: string, report: ReportProblem): void {
  const note = (path: string, value: unknown, wanted: string): void =>
    report(problem('SIGIL_APPS_META', where, { entry: 'the resource', path, value: nameValue(value), wanted }));
  if (!isObject(ui)) return note('ui', ui, ASK_VIEW);
  const { csp, permissions, domain, prefersBorder } = ui;
  if (isPolicy(csp)) checkOrigins(csp, where, report);
  else if (csp !== undefined) note('ui.csp', csp, ASK_VIEW);
  const isPermissions = isObject(permissions) && Object.entries(permissions).every(isPermission);
  if (permissions !== undefined && !isPermissions)
    note('ui.permissions', permissions, `an object with ${PERMISSIONS.join(', ')}, each an empty object`);
  if (domain !== undefined && typeof domain !== 'string') note('ui.domain', domain, 'a text');
  if (prefersBorder !== undefined && typeof prefersBorder !== 'boolean')
    note('ui.prefersBorder', prefersBorder, 'true or false');
}

function isPermission([name, value]: readonly [string, unknown]): boolean {
  return PERMISSIONS.some((known) => known === name) && isObject(value);
}

/** Reports what is wrong with `_meta` of a tool. */
export function checkWrittenTool(entry: EntryFacts<'tool'>, report: ReportProblem): void {
  const where = whereOf(entry);
  const meta: JsonObject = entry.definition._meta ?? {};
  const note = (path: string, value: unknown, wanted: string): void =>
    report(problem('SIGIL_APPS_META', where, { entry: 'the tool', path, value: nameValue(value), wanted }));
  const { ui } = meta;
  const flat = meta[FLAT_KEY];
  if (ui !== undefined && !isObject(ui)) return note('ui', ui, 'the options view and visibleTo');
  if (ui !== undefined && (VIEW_OF.of(entry) ?? VISIBLE_TO.of(entry)) !== undefined)
    return note('ui', ui, 'the options view and visibleTo alone: they write it');
  const { resourceUri, visibility, ...others } = ui ?? {};
  for (const member of Object.keys(others)) {
    const option = Object.hasOwn(OF_VIEWS, member) ? OF_VIEWS[member] : undefined;
    if (option !== undefined) report(problem('SIGIL_APPS_ON_TOOL', where, { option }));
  }
  const deprecated = 'the option view, which also writes this key for old hosts: alone it is deprecated';
  if (flat !== undefined && resourceUri === undefined) note(FLAT_KEY, flat, deprecated);
  if (resourceUri !== undefined && !(typeof resourceUri === 'string' && resourceUri.startsWith(VIEW_SCHEME)))
    note('ui.resourceUri', resourceUri, 'the option view, or the ui:// URI of a view');
  if (visibility !== undefined && !isAudience(visibility))
    report(problem('SIGIL_APPS_AUDIENCE', where, { value: shown(visibility) }));
}

/** A value of which an array shows what is in it. */
function shown(value: unknown): string {
  return Array.isArray(value) ? `[${value.map(nameValue).join(', ')}]` : nameValue(value);
}

/** Reports what is wrong with the options of a view. */
export function checkSettings(options: ViewOptions, where: string, report: ReportProblem): void {
  checkOptions(`${where}: View`, options, OPTIONS, report);
  // JavaScript may pass null.
  const csp: unknown = isObject(options) ? options['csp'] : undefined;
  if (isPolicy(csp)) checkOrigins(csp, where, report);
}

/** Reports the origins of a policy that are malformed or not encrypted. */
function checkOrigins(
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
