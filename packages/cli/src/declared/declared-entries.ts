/** What a server declares about its entries and the protocol does not list, as its process reports it to sigil. */
import { isObject } from '@sigil-mcp/base';
import type { LooseObject } from '../json-object';

/** The beginning of the line on stderr; it begins with a character that no log contains. */
export const ENTRIES_MARK = '\u001esigil-entries:';

/** One tool, resource, resource template or prompt. */
export interface DeclaredEntry {
  readonly kind: string;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** For each guard made by `Roles`: the roles of which a caller needs one. */
  readonly roles: readonly (readonly string[])[];
  /** The schema of its arguments, with the defaults and choices that lists of prompts leave out. */
  readonly input?: LooseObject;
  /** What the option `task` of a tool says; absent if its calls are never tasks. */
  readonly task?: LooseObject;
  /** The schemas of the forms that it may ask the user. */
  readonly asks: readonly LooseObject[];
}

/** The entries that a line of stderr reports; undefined for every other line. */
export function readEntries(line: string): readonly DeclaredEntry[] | undefined {
  if (!line.startsWith(ENTRIES_MARK)) return undefined;
  try {
    const read: unknown = JSON.parse(line.slice(ENTRIES_MARK.length));
    // Written by report-entries.ts, in the process that we started.
    return Array.isArray(read) ? read.filter((one): one is DeclaredEntry => isObject(one)) : undefined;
  } catch {
    return undefined;
  }
}
