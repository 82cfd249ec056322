/** The tools. Each declares once what it requires of its caller; lists, calls, challenges and completions follow that. */
import { Caller, Feature, Public, RateLimit, Roles, Scopes, Server, Tool, UseGuards } from '@sigil-mcp/core';
import { NewNote, Notes, noteUri } from './note';
import { NoteStore } from './note-store';
import { tenantOf } from './tenant';

/** Built once per server. */
@Feature()
export class NoteTools {
  constructor(
    private readonly store: NoteStore,
    private readonly server: Server,
  ) {}

  // #region public
  @Tool('Says what this server is for, and how to sign in', { readOnly: true })
  @Public()
  about(): string {
    return 'Keeps the notes of several organisations apart. Sign in to read and write those of yours.';
  }
  // #endregion public

  // #region scopes
  @Tool('Lists the notes of your organisation', { readOnly: true, output: Notes })
  @Scopes('notes:read')
  async listNotes(caller: Caller): Promise<Notes> {
    return { notes: [...(await this.store.list(tenantOf(caller)))] };
  }

  @Tool('Writes all notes of your organisation as one text, which a task can do while you go on', {
    readOnly: true,
    task: 'optional',
  })
  @Scopes('notes:read')
  async exportNotes(caller: Caller): Promise<string> {
    const notes = await this.store.list(tenantOf(caller));
    return notes.map(({ title, text, author }) => `# ${title}\n\n${text}\n\n(${author})`).join('\n\n');
  }

  @Tool('Adds a note for your organisation. A note that has the title already is replaced.', { idempotent: true })
  @Scopes('notes:write')
  @UseGuards(RateLimit({ calls: 30, per: 'minute', name: 'adding' }))
  async addNote({ title, text }: NewNote, caller: Caller): Promise<string> {
    const isReplaced = await this.store.put(tenantOf(caller), { title, text, author: caller.id });
    await this.#announce(caller, [title]);
    return isReplaced ? `Replaced the note "${title}".` : `Added the note "${title}".`;
  }
  // #endregion scopes

  // #region roles
  @Tool('Removes all notes of your organisation', { destructive: true })
  @UseGuards(Roles('admin'))
  async purgeNotes(caller: Caller): Promise<string> {
    const titles = await this.store.purge(tenantOf(caller));
    await this.#announce(caller, titles);
    return `Removed ${titles.length} ${titles.length === 1 ? 'note' : 'notes'}.`;
  }
  // #endregion roles

  /** Notifies the subscribers of these notes, at every instance. */
  async #announce(caller: Caller, titles: readonly string[]): Promise<void> {
    const folder = await this.store.folderOf(tenantOf(caller));
    for (const title of titles) this.server.notifyResourceChanged(noteUri({ folder, title }));
  }
}
