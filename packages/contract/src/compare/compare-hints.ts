/** The annotations of a tool: a client that trusts them lets more through than it should if they become worse. */
import { isObject } from '@sigil-mcp/base';
import type { JsonObject } from '@sigil-mcp/core';
import { change, type EntryChangeFound } from './contract-change';

/** What a client assumes of a tool. */
interface Hints {
  readonly isReadOnly: boolean;
  readonly isHarmless: boolean;
  readonly isIdempotent: boolean;
  readonly isClosedWorld: boolean;
}

/** @param before the definition of a tool */
export function compareHints(before: JsonObject, after: JsonObject): readonly EntryChangeFound[] {
  const [old, now] = [hintsOf(before), hintsOf(after)];
  return HINTS.flatMap(({ hint, code, level, better, worse }) => {
    if (old[hint] === now[hint]) return [];
    return [now[hint] ? change('compatible', code, better) : change(level, code, worse)];
  });
}

const HINTS = [
  {
    hint: 'isReadOnly',
    code: 'read-only',
    level: 'security',
    better: 'it only reads now',
    worse: 'it no longer only reads',
  },
  {
    hint: 'isHarmless',
    code: 'destructive',
    level: 'security',
    better: 'it destroys nothing now',
    worse: 'it may destroy something now',
  },
  {
    hint: 'isIdempotent',
    code: 'idempotent',
    level: 'breaking',
    better: 'it may be called again without another effect now',
    worse: 'it may no longer be called again without another effect',
  },
  {
    hint: 'isClosedWorld',
    code: 'open-world',
    level: 'security',
    better: 'it stays within the server now',
    worse: 'it reaches out of the server now',
  },
] as const;

/** With the defaults of the specification. */
function hintsOf({ annotations }: JsonObject): Hints {
  const given = isObject(annotations) ? annotations : {};
  const isReadOnly = given['readOnlyHint'] === true;
  return {
    isReadOnly,
    isHarmless: isReadOnly || given['destructiveHint'] === false,
    isIdempotent: isReadOnly || given['idempotentHint'] === true,
    isClosedWorld: given['openWorldHint'] === false,
  };
}
