/** Two schemas of the same place -> changes: what accepts less is breaking for arguments, and what may be more is for results. */
import { isObject } from '@sigil-mcp/base';
import type { Schema } from '../schema/json-document';
import { narrowings } from '../schema/narrowings';
import { withoutWords } from '../schema/words';
import { compareDefaults } from './compare-defaults';
import { change, type EntryChangeFound } from './contract-change';
import { narrowingText, type Side } from './narrowing-text';

/** What is wrong with new values for old readers, or with old values for new ones. */
export function compareSchemas(before: Schema, after: Schema, side: Side): readonly EntryChangeFound[] {
  const [from, to] = side === 'input' ? [before, after] : [opened(before), opened(after)];
  const [broken, wider] =
    side === 'input' ? [narrowings(from, to), narrowings(to, from)] : [narrowings(to, from), narrowings(from, to)];
  const isSwapped = side === 'output';
  return [
    ...broken.map((each) =>
      change('breaking', `${side}-${each.rule}`, narrowingText(each, side, isSwapped), each.path),
    ),
    ...wider.map((each) =>
      change('compatible', `${side}-${each.rule}`, narrowingText(each, side, !isSwapped), each.path),
    ),
    ...(side === 'input' ? compareDefaults(before, after) : []),
  ];
}

/** Clients do not mind members that they do not know: an object of a result is open. */
function opened(schema: Schema): Schema {
  return openedPart(withoutWords(schema)) as Schema;
}

function openedPart(part: unknown): unknown {
  if (Array.isArray(part)) return part.map(openedPart);
  if (!isObject(part)) return part;
  const members = Object.entries(part).filter(([name, value]) => name !== 'additionalProperties' || value !== false);
  return Object.fromEntries(
    members.map(([name, value]) => [name, name === 'enum' || name === 'const' ? value : openedPart(value)]),
  );
}
