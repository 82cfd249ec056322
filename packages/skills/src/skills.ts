/** `skills()`: the extension, as one value. */
import { isObject } from '@sigil-mcp/core/internal';
import { extensionMethod, sourceFileOf, type Extension, type EntryFacts, type EntryStage } from '@sigil-mcp/core';
import { collectSkills } from './collect-skills';
import { SKILLS } from './names';
import { getSkill, listSkills, readDirectory } from './served/handlers';
import { DIRECTORY_READ, SKILLS_GET, SKILLS_LIST } from './served/operations';
import { audienceOf, SKILL_FILE } from './served/audience';
import type { SkillsOptions } from './skills-options';
import { skillError } from './errors';

interface ReadContents {
  readonly contents?: readonly { readonly text?: unknown; readonly blob?: unknown }[];
}

/**
 * Serves skills: instructions for agents, with the files that they need. All files are read and checked when the server is defined, and
 * served from memory, so that their digests are always right. Mistakes in them are definition errors.
 * @example const server = createServer({ name: 'shop', version: '1.0.0', features: [OrderFeature], extensions: [skills({ folders: ['./skills'] })] });
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx
 */
export function skills(options: SkillsOptions = {}): Extension {
  const source = sourceFileOf(skills);
  // JavaScript, or a cast, may pass any value: it is reported when the server is defined.
  const given: SkillsOptions = isObject(options) ? options : {};
  const { directoryRead = false, isForEveryRevision = false, public: isPublic = false } = given;
  const rights = { isForEveryone: true, isPublic };
  return {
    name: SKILLS,
    protocol: {
      ...(isForEveryRevision && { isForEveryRevision }),
      capabilities: () => (directoryRead ? { directoryRead } : {}),
      methods: [
        extensionMethod(SKILLS_LIST, (call, services) => listSkills(call, services, given), rights),
        extensionMethod(SKILLS_GET, (call, services) => getSkill(call, services, given), rights),
        ...(directoryRead
          ? [extensionMethod(DIRECTORY_READ, (call, services) => readDirectory(call, services, given), rights)]
          : []),
      ],
    },
    features: ({ classes, report }) => collectSkills(classes, { options, source, report }),
    checkAll: (entries, report) => audienceOf(entries)?.resolve(entries, report),
    stage: fileStage,
    start(services) {
      audienceOf(services.entries)?.open(services);
      return services;
    },
  };
}

/** The stage of a file; undefined for any other entry. */
function fileStage(entry: EntryFacts): EntryStage | undefined {
  const files = SKILL_FILE.of(entry)?.skills.flatMap((skill) => skill.files) ?? [];
  const bytes = files.find(({ uri }) => uri === entry.key)?.bytes;
  if (!bytes) return undefined;
  const [text, blob] = [bytes.toString(), bytes.toString('base64')];
  return {
    isForEveryone: true,
    async run(_call, next) {
      // The result of a resource.
      const result: ReadContents = await next();
      const [first, ...others] = result.contents ?? [];
      const isSame = first?.text === text || first?.blob === blob;
      if (!isSame || others.length > 0) throw skillError('SIGIL_SKILL_BYTES', { uri: entry.key });
      return result;
    },
  };
}
