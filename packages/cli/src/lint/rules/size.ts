/** Rules about the whole server. */
import { heapOfProcess } from '@sigil-mcp/core/internal';
import type { DefinitionRule } from '../definition-rule';

/** The number of entries above which agent-scan warns. */
const MOST_ENTRIES = 100;

/** Servers that show a caller too much. */
export const manyEntries: DefinitionRule = {
  name: 'many-entries',
  asks: `A caller sees at most ${MOST_ENTRIES} tools, resources and prompts`,
  severity: 'warning',
  dimension: 'usage',
  snyk: 'W002',
  looksAt: 'server',
  *find({ audiences }) {
    const most = Math.max(0, ...audiences.map(({ sees }) => sees.length));
    if (most > MOST_ENTRIES)
      yield {
        problem: `a caller sees ${most} tools, resources and prompts, among which a model chooses worse`,
        fix: "Hide what a caller does not need with @Scopes('...', { listed: false }), make one tool of several, or split the server.",
      };
  },
};

const MEBIBYTE = 1024 * 1024;

/** Servers whose limits allow clients to hold more than the process has. */
export const littleMemory: DefinitionRule = {
  name: 'little-memory',
  asks: 'The heap of the process has room for what the limits of the server allow',
  severity: 'warning',
  dimension: 'safety',
  looksAt: 'server',
  *find({ memory }) {
    const heap = heapOfProcess()?.limit;
    if (memory === undefined || memory === null || heap === undefined || memory <= heap) return;
    const [needed, had] = [memory, heap].map((bytes) => Math.ceil(bytes / MEBIBYTE));
    yield {
      problem: `its limits may need ${needed} MiB of heap, and Node has ${had} MiB here`,
      fix: `Start it with NODE_OPTIONS=--max-old-space-size=${needed}, or lower limits.held and limits.messageBytes.`,
    };
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
  looksAt: 'tools',
  judge: ({ key }) =>
    WELL_KNOWN.has(key.toLowerCase().replace(/[^a-z]/g, '')) && {
      problem: 'hosts have a tool of this name, which it may be confused with',
      fix: 'Name it after what only your server does.',
    },
};
