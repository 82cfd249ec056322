/** Rules about the whole server. */
import { toolsOf, type DefinitionRule } from '../definition-rule';

/** The number of entries above which agent-scan warns. */
const MOST_ENTRIES = 100;

/** Servers that show a caller too much. */
export const manyEntries: DefinitionRule = {
  name: 'many-entries',
  asks: `A caller sees at most ${MOST_ENTRIES} tools, resources and prompts`,
  severity: 'warning',
  dimension: 'usage',
  snyk: 'W002',
  find: ({ audiences }) => {
    const most = Math.max(0, ...audiences.map(({ sees }) => sees.length));
    if (most <= MOST_ENTRIES) return [];
    return [
      {
        problem: `a caller sees ${most} tools, resources and prompts, among which a model chooses worse`,
        fix: "Hide what a caller does not need with @Scopes('...', { listed: false }), make one tool of several, or split the server.",
      },
    ];
  },
};

/** Names of tools that hosts have themselves, without separators. */
const WELL_KNOWN = new Set(
  'bash shell terminal computer task todowrite todoread webfetch websearch strreplaceeditor strreplacebasededittool applypatch grep glob ls'.split(
    ' ',
  ),
);

/** Names that hosts have for tools of their own. */
export const wellKnownNames: DefinitionRule = {
  name: 'well-known-name',
  asks: 'No tool has the name of a tool that hosts bring with them',
  severity: 'hint',
  dimension: 'safety',
  snyk: 'E002',
  find: (server) =>
    toolsOf(server)
      .filter(({ key }) => WELL_KNOWN.has(key.toLowerCase().replace(/[^a-z]/g, '')))
      .map((entry) => ({
        entry,
        problem: 'hosts have a tool of this name, which it may be confused with',
        fix: 'Name it after what only your server does.',
      })),
};
