/** The handlers of the methods: each finds the skills of the server in its entries, and asks whether the caller may see them. */
import { shorten } from '@sigil-mcp/core/adapter';
import { ProtocolError, type CacheHints, type ExtensionCall, type ExtensionServices } from '@sigil-mcp/core';
import type { ServedSkill } from '../skill';
import { NO_CACHE, type SkillsOptions } from '../skills-options';
import { findFolder, readFolderPage } from './folders';
import {
  SKILLS_LIST,
  type FolderPage,
  type FoundSkill,
  type PageParams,
  type SkillsPage,
  type UriParams,
} from './operations';
import { readPage } from './page';
import { skillsOf } from './skill-fact';

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
