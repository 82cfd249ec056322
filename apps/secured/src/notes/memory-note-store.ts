/** Notes in the memory of this process. */
import { randomUUID } from 'node:crypto';
import { Injectable } from '@sigil-mcp/core';
import type { Note } from './note';
import { NoteStore } from './note-store';

/** The notes of one tenant. */
interface Folder {
  readonly name: string;
  readonly notes: Map<string, Note>;
}

/** Built once per server. */
@Injectable()
export class MemoryNoteStore extends NoteStore {
  readonly #folders = new Map<string, Folder>();

  folderOf(tenant: string): string {
    return this.#of(tenant).name;
  }

  list(tenant: string): readonly Note[] {
    return [...this.#of(tenant).notes.values()];
  }

  find(tenant: string, title: string): Note | undefined {
    return this.#of(tenant).notes.get(title);
  }

  put(tenant: string, note: Note): boolean {
    const { notes } = this.#of(tenant);
    const isReplaced = notes.has(note.title);
    notes.set(note.title, note);
    return isReplaced;
  }

  purge(tenant: string): readonly string[] {
    const { notes } = this.#of(tenant);
    const titles = [...notes.keys()];
    notes.clear();
    return titles;
  }

  #of(tenant: string): Folder {
    const known = this.#folders.get(tenant) ?? { name: randomUUID(), notes: new Map() };
    this.#folders.set(tenant, known);
    return known;
  }
}
