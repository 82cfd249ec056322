/** What a server offers, from the description that its program gives of it. */
import type { DescribedEntry, DescribedServer } from '@sigil-mcp/core';
import { EntryPlaces, type EntryPosition } from '../causes/entry-places';
import type { OfferedEntry, OfferedServer } from './offered-server';

/** A description whose entries have their positions in the sources. */
export interface PlacedDescription extends DescribedServer {
  readonly entries: readonly PlacedEntry[];
}

/** A described entry, and where it stands. */
export interface PlacedEntry extends DescribedEntry {
  readonly source: DescribedEntry['source'] & Partial<Omit<EntryPosition, 'shown'>>;
}

/** A description with the positions of its entries, whose files are paths below the project. @param folder of the project */
export function placedDescription(description: DescribedServer, folder: string): PlacedDescription {
  const sought = description.entries.map(({ key, source: { feature, member } }) => ({
    key,
    feature,
    member,
    guard: undefined,
    missing: [],
  }));
  const positions = new EntryPlaces(folder).find(sought);
  const entries = description.entries.map((entry, index): PlacedEntry => {
    const place = positions[index]?.place;
    if (!place) return entry;
    return { ...entry, source: { ...entry.source, file: place.shown, line: place.line, column: place.column } };
  });
  return { ...description, entries };
}

/** The offer of a described server, in its newest revision. */
export function offerOfDescription({
  server,
  instructions,
  revisions,
  entries,
  audiences,
  memory,
}: PlacedDescription): OfferedServer {
  const [revision = ''] = revisions;
  const offered = new Map(entries.map((entry) => [keyOf(entry), offeredEntry(entry, revision)]));
  return {
    name: server.name,
    instructions,
    memory,
    revision,
    entries: [...offered.values()],
    audiences: audiences.map(({ name, sees }) => ({
      name,
      sees: sees.flatMap((each) => offered.get(keyOf(each)) ?? []),
    })),
  };
}

function keyOf({ kind, key }: Pick<DescribedEntry, 'kind' | 'key'>): string {
  return `${kind} ${key}`;
}

function offeredEntry({ kind, key, wire, source, access, asks }: PlacedEntry, revision: string): OfferedEntry {
  const { file, line, column } = source;
  return {
    kind,
    key,
    listed: wire[revision] ?? {},
    ...(file !== undefined && { place: `${file}:${line}:${column}` }),
    access: { scopes: access.scopes, asks: asks.length > 0 },
  };
}
