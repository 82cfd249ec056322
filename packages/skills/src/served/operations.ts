/**
 * The methods of the extension.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
import { ProtocolError, type CacheHints, type EntryFacts, type JsonObject, type Operation } from '@sigil-mcp/core';
import type { ServedSkill } from '../skill';

/** The parameters of a list. */
export interface PageParams {
  readonly cursor?: string;
}

/** The parameters of a method about one URI. */
export interface UriParams {
  readonly uri: string;
}

/** A page of skills. */
export interface SkillsPage extends CacheHints {
  readonly skills: readonly ServedSkill[];
  readonly nextCursor?: string;
}

/** One skill. */
export interface FoundSkill extends CacheHints {
  readonly skill: ServedSkill;
}

/** A page of the files and folders in a folder. The specification knows no hints for it, but the official client refuses it without. */
export interface FolderPage extends CacheHints {
  readonly resources: readonly EntryFacts<'resource'>['definition'][];
  readonly nextCursor?: string;
}

type OperationWire = Parameters<Operation['compile']>[0];

/** `skills/list`. */
export const SKILLS_LIST: Operation<'skills/list', PageParams, SkillsPage> = {
  method: 'skills/list',
  isCacheable: true,
  compile: (wire) => ({
    readParams: readPage,
    writeParams: same,
    writeResult: ({ skills, nextCursor, ...hints }) => ({
      skills: skills.map(writeSkill),
      ...(nextCursor !== undefined && { nextCursor }),
      ...writeHints(hints, wire),
    }),
    readResult: asGiven<SkillsPage>,
  }),
};

/** `skills/get`. */
export const SKILLS_GET: Operation<'skills/get', UriParams, FoundSkill> = {
  method: 'skills/get',
  isCacheable: true,
  compile: (wire) => ({
    readParams: readUri,
    writeParams: same,
    writeResult: ({ skill, ...hints }) => ({ skill: writeSkill(skill), ...writeHints(hints, wire) }),
    readResult: asGiven<FoundSkill>,
  }),
};

/** `resources/directory/read`. */
export const DIRECTORY_READ: Operation<'resources/directory/read', PageParams & UriParams, FolderPage> = {
  method: 'resources/directory/read',
  isCacheable: true,
  compile: (wire) => ({
    readParams: (params) => ({ ...readPage(params), ...readUri(params) }),
    writeParams: same,
    writeResult: ({ resources, nextCursor, ...hints }) => ({
      resources: resources.map(wire.find('Resource') ?? same),
      ...(nextCursor !== undefined && { nextCursor }),
      ...writeHints(hints, wire),
    }),
    readResult: asGiven<FolderPage>,
  }),
};

function readPage({ cursor }: JsonObject): PageParams {
  if (cursor === undefined) return {};
  if (typeof cursor !== 'string') throw new ProtocolError('invalid-params', 'params.cursor must be a string');
  return { cursor };
}

function readUri({ uri }: JsonObject): UriParams {
  if (typeof uri !== 'string') throw new ProtocolError('invalid-params', 'params.uri must be a string');
  return { uri };
}

/** An entry of the specification. */
function writeSkill({ uri, frontMatter, files }: ServedSkill): JsonObject {
  const resources = files.map((file) => ({ uri: file.uri, digest: file.digest, size: file.bytes.length }));
  return { uri, frontmatter: frontMatter, resources };
}

/** The hints of a list, in revisions that have them. */
function writeHints({ ttlMs, cacheScope }: CacheHints, { rules }: OperationWire): JsonObject {
  const { ListResourcesResult: known = [] } = rules.fields;
  return known.includes('ttlMs') ? { ttlMs, cacheScope } : {};
}

function same(value: object): JsonObject {
  return { ...value };
}

/** Clients of this package read what the server wrote, as JSON. */
function asGiven<R>(result: JsonObject): R {
  return result as R;
}
