/** What a server offers a model, read from its program or its lists: its definitions as lists have them, and who sees them. */
import type { LooseObject } from '../json-object';

/** One tool, resource, resource template or prompt. */
export interface OfferedEntry {
  readonly kind: OfferedKind;
  /** Name of a tool or prompt, URI of a resource, URI template of a template. */
  readonly key: string;
  /** The item of its list, in the newest revision that the server serves. */
  readonly listed: LooseObject;
  /** Such as `src/notes.feature.ts:12:3`; left out if the sources do not show it. */
  readonly place?: string;
  /** What only the program says: the scopes that it needs, and whether it asks the user; left out for a server that lists alone describe. */
  readonly access?: { readonly scopes: readonly string[]; readonly asks: boolean };
}

/** A kind of entries, as the protocol has it. */
export type OfferedKind = 'tool' | 'resource' | 'resource-template' | 'prompt';

/** The lists of a server, in the order of reports. */
export const LISTS: readonly { readonly kind: OfferedKind; readonly title: string }[] = [
  { kind: 'tool', title: 'tools' },
  { kind: 'resource', title: 'resources' },
  { kind: 'resource-template', title: 'resource templates' },
  { kind: 'prompt', title: 'prompts' },
];

/** Callers with the same rights, and what lists show them. */
export interface OfferAudience {
  /** Such as `everybody`, `without a token` or `notes:read`. */
  readonly name: string;
  readonly sees: readonly OfferedEntry[];
}

/** Everything that a server offers a model. */
export interface OfferedServer {
  readonly name: string;
  /** Its text for models; undefined if it has none. */
  readonly instructions: string | undefined;
  /** The revision whose lists these are; undefined if it is not known. */
  readonly revision: string | undefined;
  readonly entries: readonly OfferedEntry[];
  /** At least one. */
  readonly audiences: readonly OfferAudience[];
  /** Bytes of heap that its limits may need; `null` without a limit, left out for a server that lists alone describe. */
  readonly memory?: number | null;
}

/** The name of an entry in reports: `takeNote`, or `resource notes://all` for what is no tool. */
export function shownName({ kind, key }: Pick<OfferedEntry, 'kind' | 'key'>): string {
  return kind === 'tool' ? key : `${kind.replace('-', ' ')} ${key}`;
}
