/** `resources/directory/read`: the folders of skills, as they were read. */
import type { EntryFacts, ExtensionServices } from '@sigil-mcp/core';
import { DIRECTORY_TYPE } from '../names';
import type { SkillFolder } from '../skill';
import type { FolderPage } from './operations';
import { readPage } from './page';

type Definition = EntryFacts<'resource'>['definition'];

/** The folder with a URI, within a skill. */
export function findFolder(folder: SkillFolder, uri: string): SkillFolder | undefined {
  if (folder.uri === uri) return folder;
  // Only a folder around the wanted one can have it.
  const within = folder.folders.find((each) => uri === each.uri || uri.startsWith(`${each.uri}/`));
  return within && findFolder(within, uri);
}

/** The direct children of a folder; a disabled file does not count. */
export async function readFolderPage(
  { uri, files, folders }: SkillFolder,
  {
    services,
    cursor,
    size,
  }: {
    readonly services: Pick<ExtensionServices, 'entries' | 'seal'>;
    readonly cursor: string | undefined;
    readonly size: number;
  },
): Promise<Omit<FolderPage, 'ttlMs' | 'cacheScope'>> {
  const children = [
    ...files.flatMap((file) => services.entries.find('resource', file.uri)?.definition ?? []),
    ...folders.map((folder): Definition => ({ uri: folder.uri, name: folder.name, mimeType: DIRECTORY_TYPE })),
  ].sort((one, other) => (one.uri < other.uri ? -1 : 1));
  const { items, ...page } = await readPage(
    { items: children, list: uri, size, sealer: services, keyOf: (child) => child.uri, isVisible: () => true },
    cursor,
  );
  return { resources: items, ...page };
}
