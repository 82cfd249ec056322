/** Skills -> one resource for each of their files. */
import { resource, type CacheHints, type FeatureSource, type GuardReference, type ScopeList } from '@sigil-mcp/core';
import { isText } from '../scan/mime-types';
import type { ServedSkill, SkillFile } from '../skill';
import { SKILL_FILE, type SkillAudience } from './audience';

/** What the resources of all files have in common. */
export interface FilePolicy {
  readonly audience: SkillAudience;
  readonly cache: CacheHints;
  readonly guards?: readonly GuardReference[];
  readonly scopes?: ScopeList;
  readonly public?: boolean;
}

/** The resources, in the order of their URIs. A file of a nested skill is one resource. */
export function fileResources(skills: readonly ServedSkill[], policy: FilePolicy): FeatureSource[] {
  const skillsByUri = new Map<string, ServedSkill[]>();
  for (const skill of skills)
    for (const { uri } of skill.files) skillsByUri.set(uri, [...(skillsByUri.get(uri) ?? []), skill]);
  const files = new Map(skills.flatMap((skill) => skill.files.map((file) => [file.uri, file] as const)));
  return [...files.values()]
    .sort((one, other) => (one.uri < other.uri ? -1 : 1))
    .map((file) => fileResource(file, skillsByUri.get(file.uri) ?? [], policy));
}

function fileResource(file: SkillFile, skills: readonly ServedSkill[], policy: FilePolicy): FeatureSource {
  const { audience, cache, guards = [], scopes, public: isPublic } = policy;
  const { uri, mimeType, bytes } = file;
  const own = skills.find((skill) => skill.uri === uri);
  const content = isText(bytes);
  return resource(
    uri,
    {
      name: own?.frontMatter.name ?? file.name,
      ...(own && { description: own.frontMatter.description }),
      mimeType,
      size: bytes.length,
      cache,
      // Hosts find the other files by the entry of the skill.
      ...(!own && { unlisted: true }),
      facts: [SKILL_FILE.with({ skills, audience })],
      guards: [...guards, ...(skills.some((skill) => audience.isGuarded(skill)) ? [audience] : [])],
      ...(scopes && { scopes }),
      ...(isPublic !== undefined && { public: isPublic }),
    },
    () => (content ? bytes.toString() : bytes),
  );
}
