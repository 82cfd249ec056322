/** Entries described by data: for tools that are known only at run time, and for authors who prefer functions to classes. */
import type { Constructor } from '../container/provider';
import { isObject } from '@sigil-mcp/base';
import { ALL_KINDS, type RulesOf } from './all-kinds';
import type { PromptData } from './prompt';
import type { ResourceData } from './resource-contents';
import type { ToolData } from './tool';

/** One entry, described by data. */
export type EntryData = ToolData | ResourceData | PromptData;

/** An element of a server's `features`: a class with `@Feature`, or one entry that is described by data. */
export type FeatureSource = Constructor | EntryData;

/** Whether a value names the kind of entry that it describes; its other members are checked when it is planned. */
export function isEntryData(value: unknown): value is EntryData {
  return isObject(value) && ALL_KINDS.some(({ dataKind }) => dataKind === value['kind']);
}

/** The rules of the kind that data describes. */
export function rulesOfData(data: EntryData): RulesOf {
  // Where kinds share their data, one of them always fits.
  return ALL_KINDS.find((rules) => rules.dataKind === data.kind && (rules.fits?.(data) ?? true)) as RulesOf;
}
