/** The names and numbers of the specification of skills. */

/** The name of the extension, as capabilities have it. */
export const SKILLS = 'io.modelcontextprotocol/skills';

/** The file that makes a folder a skill. */
export const SKILL_FILE_NAME = 'SKILL.md';

/** The MIME type of directories. */
export const DIRECTORY_TYPE = 'inode/directory';

/**
 * What every host must be able to load.
 * @see https://github.com/modelcontextprotocol/ext-skills/blob/main/specification/stable/skills.mdx (Limits)
 */
export const LIMITS = { files: 512, bytes: 16 * 1024 * 1024 } as const;
