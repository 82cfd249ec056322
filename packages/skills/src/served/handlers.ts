/** The handlers of the methods: each finds the skills of the server in its entries, and asks whether the caller may see them. */
import { shorten } from '@sigil-mcp/core/internal';
import {
  ProtocolError,
  type CacheHints,
  type ExtensionCall,
  type ExtensionServices,
  type EntryFacts,
  type MaybePromise,
} from '@sigil-mcp/core';
import type { ServedSkill, SkillFolder } from '../skill';
import { NO_CACHE, type SkillsOptions } from '../skills-options';
import {
  SKILLS_LIST,
  type FolderPage,
  type FoundSkill,
  type PageParams,
  type SkillsPage,
  type UriParams,
} from './operations';
import { skillsOf } from './audience';
import { DIRECTORY_TYPE } from '../names';

/**
 * What cursors are sealed with.
 *
 * Pages of what one caller may see. Cursors name the last item, so that they stay valid while items come and go; sealed, so that only those
 * that were issued are accepted, and nobody reads in them what another caller sees.
 */
type CursorSealer = Pick<ExtensionServices, 'seal'>;

/** A list of which one page is read. */
interface Paged<T> {
  /** In the order of their keys. */
  readonly items: readonly T[];
  /** The name of the list: a cursor of another list is refused. */
  readonly list: string;
  readonly size: number;
  readonly sealer: CursorSealer;
  keyOf(item: T): string;
  /** Whether the caller may see it. */
  isVisible(item: T): MaybePromise<boolean>;
}

/** A page. */
interface PageOf<T> {
  readonly items: readonly T[];
  readonly nextCursor?: string;
}

type ResourceList = Pick<Paged<unknown>, 'list' | 'sealer'>;

/** One for all lists: a cursor says which one it is of. */
const PURPOSE = 'cursors of skills';

type ResourceDefinition = EntryFacts<'resource'>['definition'];

const PAGE_SIZE = 100;

type Services = Pick<ExtensionServices, 'entries' | 'allows'>;

/** Whether the caller may see the SKILL.md of a skill. */
async function isOffered(uri: string, { context }: ExtensionCall, { entries, allows }: Services): Promise<boolean> {
  const entry = entries.find('resource', uri);
  return entry !== undefined && (await allows(context, entry));
}

/** Answers `skills/list`. */
export async function listSkills(
  call: ExtensionCall<PageParams>,
  services: ExtensionServices,
  { pageSize = PAGE_SIZE, cache = NO_CACHE }: SkillsOptions,
): Promise<SkillsPage> {
  const paged = {
    items: skillsOf(services.entries),
    list: SKILLS_LIST.method,
    size: pageSize,
    sealer: services,
    keyOf: ({ uri }: ServedSkill) => uri,
    isVisible: ({ uri }: ServedSkill) => isOffered(uri, call, services),
  };
  const { items, ...page } = await readPage(paged, call.params.cursor);
  return { skills: items, ...page, ...privately(cache) };
}

/** Answers `skills/get`. */
export async function getSkill(
  call: ExtensionCall<UriParams>,
  services: ExtensionServices,
  { cache = NO_CACHE }: SkillsOptions,
): Promise<FoundSkill> {
  const { uri } = call.params;
  const skill = skillsOf(services.entries).find((one) => one.uri === uri);
  if (!skill || !(await isOffered(uri, call, services)))
    throw unknownUri(`No skill is served at ${shorten(uri, 200)}`, uri);
  return { skill, ...privately(cache) };
}

/** Answers `resources/directory/read`. */
export async function readDirectory(
  call: ExtensionCall<PageParams & UriParams>,
  services: ExtensionServices,
  { pageSize = PAGE_SIZE, cache = NO_CACHE }: SkillsOptions,
): Promise<FolderPage> {
  const { uri, cursor } = call.params;
  const { entries } = services;
  for (const skill of skillsOf(entries)) {
    const folder = findFolder(skill.folder, uri);
    if (folder && (await isOffered(skill.uri, call, services)))
      return { ...(await readFolderPage(folder, { services, cursor, size: pageSize })), ...privately(cache) };
  }
  throw unknownUri(`${shorten(uri, 200)} is not a directory resource`, uri);
}

/** The refusal of a URI, as that of a resource: a URI has any length, and is not sent back whole. */
function unknownUri(message: string, uri: string): ProtocolError {
  return new ProtocolError('invalid-params', message, { uri: shorten(uri, 2000) });
}

/** What one caller may see must not be served to another. */
function privately({ ttlMs }: CacheHints): CacheHints {
  return { ttlMs, cacheScope: 'private' };
}

/** The folder with a URI, within a skill. */
function findFolder(folder: SkillFolder, uri: string): SkillFolder | undefined {
  if (folder.uri === uri) return folder;
  // Only a folder around the wanted one can have it.
  const within = folder.folders.find((each) => uri === each.uri || uri.startsWith(`${each.uri}/`));
  return within && findFolder(within, uri);
}

/** The direct children of a folder; a disabled file does not count. */
async function readFolderPage(
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
    ...folders.map((folder): ResourceDefinition => ({ uri: folder.uri, name: folder.name, mimeType: DIRECTORY_TYPE })),
  ].sort((one, other) => (one.uri < other.uri ? -1 : 1));
  const { items, ...page } = await readPage(
    { items: children, list: uri, size, sealer: services, keyOf: (child) => child.uri, isVisible: () => true },
    cursor,
  );
  return { resources: items, ...page };
}

/** Reads the page after a cursor, or the first. @throws ProtocolError for a cursor that no server wrote for this list */
async function readPage<T>(paged: Paged<T>, cursor: string | undefined): Promise<PageOf<T>> {
  const after = cursor === undefined ? '' : readCursor(cursor, paged);
  const page: T[] = [];
  for (const item of paged.items) {
    if (paged.keyOf(item) <= after || !(await paged.isVisible(item))) continue;
    const last = page.at(-1);
    if (page.length === paged.size && last !== undefined)
      return { items: page, nextCursor: writeCursor(paged.keyOf(last), paged) };
    page.push(item);
  }
  return { items: page };
}

function writeCursor(last: string, { list, sealer }: ResourceList): string {
  return sealer.seal(PURPOSE).seal(`${list} ${last}`);
}

function readCursor(cursor: string, { list, sealer }: ResourceList): string {
  const text = sealer.seal(PURPOSE).open(cursor);
  if (text?.startsWith(`${list} `)) return text.slice(list.length + 1);
  throw new ProtocolError('invalid-params', 'Invalid cursor. Ask for the first page without one.');
}
