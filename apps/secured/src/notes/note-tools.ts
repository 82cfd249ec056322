/** The tools. What each wants of its caller stands on it, once: lists, calls, challenges and completions follow that. */
import { Caller, Feature, Public, RateLimit, Roles, Scopes, Tool, UseGuards } from '@sigil-mcp/core';
import { NewNote, Notes } from './note';
import { NoteStore } from './note-store';

/** Built once per server. */
@Feature()
export class NoteTools {
  constructor(private readonly store: NoteStore) {}

  // #region public
  @Tool('Says what this server is for, and how to come in', { readOnly: true })
  @Public()
  about(): string {
    return 'Keeps the notes of several organisations apart. Sign in to read and write those of yours.';
  }
  // #endregion public

  // #region scopes
  @Tool('Lists the notes of your organisation', { readOnly: true, output: Notes })
  @Scopes('notes:read')
  listNotes(caller: Caller): Notes {
    return { notes: [...this.store.of(caller).values()] };
  }

  @Tool('Adds a note for your organisation. A note that has the title already is replaced.', { idempotent: true })
  @Scopes('notes:write')
  @UseGuards(RateLimit({ calls: 30, per: 'minute' }))
  addNote({ title, text }: NewNote, caller: Caller): string {
    const notes = this.store.of(caller);
    const replaced = notes.has(title);
    notes.set(title, { title, text, author: caller.id });
    return replaced ? `Replaced the note "${title}".` : `Added the note "${title}".`;
  }
  // #endregion scopes

  // #region roles
  @Tool('Removes all notes of your organisation', { destructive: true })
  @UseGuards(Roles('admin'))
  purgeNotes(caller: Caller): string {
    const notes = this.store.of(caller);
    const count = notes.size;
    notes.clear();
    return `Removed ${count} ${count === 1 ? 'note' : 'notes'}.`;
  }
  // #endregion roles
}
