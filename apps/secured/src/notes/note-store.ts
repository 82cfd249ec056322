/** Where notes are kept, those of each tenant by themselves. */
import type { MaybePromise } from '@sigil-mcp/core';
import type { Note } from './note';

/** In memory where there is one instance of the server, in Redis where there are several. */
export abstract class NoteStore {
  /**
   * What the notes of a tenant are under in their URIs. It is made when it is first asked for, and nobody can guess that of
   * somebody else: whoever knows the URI of a resource may subscribe to it.
   */
  abstract folderOf(tenant: string): MaybePromise<string>;
  /** All of them, the oldest first. */
  abstract list(tenant: string): MaybePromise<readonly Note[]>;
  abstract find(tenant: string, title: string): MaybePromise<Note | undefined>;
  /** Adds a note, or replaces the one of its title, in the place of that. Returns whether there was one. */
  abstract put(tenant: string, note: Note): MaybePromise<boolean>;
  /** Removes all of them. Returns the titles of what was removed here: of two who do so at once one gets them. */
  abstract purge(tenant: string): MaybePromise<readonly string[]>;
}
