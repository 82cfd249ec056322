/** The options of `skills`. */
import type { CacheHints, GuardReference, ScopeList } from '@sigil-mcp/core';

/** The options of `skills`. */
export interface SkillsOptions {
  /**
   * Folders that contain skills, relative to the file that calls `skills`: each folder within that has a SKILL.md is one. None if left out,
   * for a server whose skills are all beside features.
   */
  readonly folders?: readonly string[];
  /** Whether clients may list the folders of skills, with `resources/directory/read`; false if left out. */
  readonly directoryRead?: boolean;
  /**
   * Names that skills mention, and that belong to something else: calls (`create_issue`), URIs, or beginnings of URIs (`github://`). None if
   * left out.
   */
  readonly elsewhere?: readonly string[];
  /** Skills on a page of `skills/list`, and files on one of `resources/directory/read`; 100 if left out. */
  readonly pageSize?: number;
  /** How long clients may keep lists and files; not at all if left out. Lists differ between callers, so they are always private. */
  readonly cache?: CacheHints;
  /** Guards of all skills, besides those of the server; none if left out. */
  readonly guards?: readonly GuardReference[];
  /** Scopes that callers need for all skills, besides those of the server; none if left out. */
  readonly scopes?: ScopeList;
  /** Whether callers without a token are offered the skills of a server that requires tokens; false if left out. */
  readonly public?: boolean;
  /**
   * Whether clients of revisions before 2026-07-28, for which the methods are not specified, may use them, too. False if left out: those
   * clients read the files of skills as resources.
   */
  readonly isForEveryRevision?: boolean;
}

/** Clients keep nothing. */
export const NO_CACHE: CacheHints = { ttlMs: 0, cacheScope: 'private' };
