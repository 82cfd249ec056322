/** The options that `apps()` adds to tools. */
import { nameValue } from '@sigil-mcp/base';
import { entryOption, type EntryOption } from '@sigil-mcp/core';
import { words } from '../errors';
import { isAudience } from './audience';
import { VIEW_OF, VISIBLE_TO } from './view-fact';

/** Options of views: on a tool, hosts would ignore them. */
const OF_VIEWS = ['csp', 'permissions', 'domain', 'border'];

/** The options that `apps()` adds to tools. */
export const TOOL_OPTIONS: readonly EntryOption[] = [
  entryOption({
    kind: 'tool',
    name: 'view',
    fact: VIEW_OF,
    read(value, report) {
      if (typeof value === 'string') return value;
      report(words('SIGIL_APPS_UNKNOWN', { view: nameValue(value), near: '' }));
      return undefined;
    },
  }),
  entryOption({
    kind: 'tool',
    name: 'visibleTo',
    fact: VISIBLE_TO,
    read(value, report) {
      if (isAudience(value)) return value;
      report(words('SIGIL_APPS_AUDIENCE', { value: nameValue(value) }));
      return undefined;
    },
  }),
  ...OF_VIEWS.map((option) =>
    entryOption({
      kind: 'tool',
      name: option,
      fact: VIEW_OF,
      read: (_value, report) => void report(words('SIGIL_APPS_ON_TOOL', { option })),
    }),
  ),
];
