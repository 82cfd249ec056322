/** The examples of an entry as rows of a table. */
import { isObject } from '@sigil-mcp/base';
import { visible } from '@sigil-mcp/core/adapter';
import type { Cell } from '../terminal/columns';
import type { Styles } from '../terminal/styles';

/** The key of `_meta` under which a server of Sigil lists them. */
const META_KEY = 'dev.sigil/examples';

/** The rows: arguments as JSON, and what the call does. What a server lists in another form is left out. */
export function exampleRows({ _meta }: { readonly _meta?: unknown }, styles: Styles): Cell[][] {
  const listed: unknown = isObject(_meta) ? _meta[META_KEY] : undefined;
  if (!Array.isArray(listed)) return [];
  return listed
    .filter(isObject)
    .map(({ args, says }): Cell[] => [
      { text: visible(JSON.stringify(args ?? {})), style: styles.name },
      { text: typeof says === 'string' ? visible(says) : '' },
    ]);
}
