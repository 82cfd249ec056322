/** A skill as it is served: its entry in lists, its files with their bytes, its folders, and what its text names. */
import type { Class, JsonObject } from '@sigil-mcp/core';

/** The front matter of a SKILL.md, as JSON. */
export interface FrontMatter extends JsonObject {
  readonly name: string;
  readonly description: string;
}

/** One file of a skill, read once: its bytes and its digest never disagree. */
export interface SkillFile {
  readonly uri: string;
  /** The last part of its path. */
  readonly name: string;
  readonly mimeType: string;
  readonly bytes: Buffer;
  /** `sha256:` and 64 hexadecimal digits. */
  readonly digest: string;
}

/** A folder within a skill, or the skill itself: the URIs of its files and folders. */
export interface SkillFolder {
  readonly uri: string;
  readonly name: string;
  readonly files: readonly SkillFile[];
  readonly folders: readonly SkillFolder[];
}

/** Something that a text names. */
export interface SkillReference {
  readonly kind: 'call' | 'uri';
  readonly name: string;
  /** The file, the line and the column. */
  readonly where: string;
}

/** A skill that was read without problems. */
export interface ServedSkill {
  /** Of its SKILL.md. */
  readonly uri: string;
  readonly frontMatter: FrontMatter;
  /** Of the skill and of everything within, by their URIs. */
  readonly files: readonly SkillFile[];
  readonly folder: SkillFolder;
  /** What its texts name of the server. */
  readonly references: readonly SkillReference[];
  /** The class that `@Skill` decorates; undefined for a skill of a folder. */
  readonly feature: Class | undefined;
  /** Its SKILL.md, in messages. */
  readonly where: string;
}
