/** The store of the notes, which separates tenants. */
import type { MaybePromise } from '@sigil-mcp/core';
import type { Note } from './note';

/** In memory for a single instance, in Redis for several. */
export abstract class NoteStore {
  /**
   * The name of a tenant's folder in the URIs of its notes. It is created on first use and cannot be guessed, because every
   * caller who knows the URI of a resource may subscribe to it.
   */
  abstract folderOf(tenant: string): MaybePromise<string>;
  /** All notes of a tenant, the oldest first. */
  abstract list(tenant: string): MaybePromise<readonly Note[]>;
  abstract find(tenant: string, title: string): MaybePromise<Note | undefined>;
  /** Adds a note, or replaces the note with the same title in its place. Returns whether a note was replaced. */
  abstract put(tenant: string, note: Note): MaybePromise<boolean>;
  /** Removes all notes. Returns the titles that this call removed: of two calls at once, one gets them. */
  abstract purge(tenant: string): MaybePromise<readonly string[]>;
}
