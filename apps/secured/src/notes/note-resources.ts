/** The resources and the prompt, for an application to attach to a conversation. */
import {
  Caller,
  Complete,
  Feature,
  ListTemplate,
  Prompt,
  ProtocolError,
  RateLimit,
  Resource,
  Scopes,
  UseGuards,
} from '@sigil-mcp/core';
import { NotePlace, Summary, noteUri, type Note } from './note';
import { NoteStore } from './note-store';
import { tenantOf } from './tenant';

/** Built once per server. Everything in it requires `notes:read`, completions of titles included. */
@Feature()
@Scopes('notes:read')
@UseGuards(RateLimit({ calls: 300, per: 'minute', name: 'reading' }))
export class NoteResources {
  constructor(private readonly store: NoteStore) {}

  @Resource('notes://{folder}/{title}', {
    title: 'A note',
    description: 'A note, with its author',
    mimeType: 'application/json',
  })
  async note(place: NotePlace, caller: Caller): Promise<Note> {
    const tenant = tenantOf(caller);
    const [folder, note] = await Promise.all([this.store.folderOf(tenant), this.store.find(tenant, place.title)]);
    if (note && folder === place.folder) return note;
    throw new ProtocolError('resource-not-found', `There is no note "${place.title}".`, { uri: noteUri(place) });
  }

  @ListTemplate('note')
  async notes(caller: Caller): Promise<{ variables: { folder: string; title: string }; name: string }[]> {
    const tenant = tenantOf(caller);
    const [folder, titles] = await Promise.all([this.store.folderOf(tenant), this.#titles(tenant)]);
    return titles.map((title) => ({ variables: { folder, title }, name: title }));
  }

  @Complete('folder', 'note')
  async folders(typed: string, caller: Caller): Promise<string[]> {
    return [await this.store.folderOf(tenantOf(caller))].filter((folder) => folder.startsWith(typed));
  }

  @Complete('title', 'note')
  async titlesLike(typed: string, caller: Caller): Promise<string[]> {
    const titles = await this.#titles(tenantOf(caller));
    return titles.filter((title) => title.toLowerCase().startsWith(typed.toLowerCase()));
  }

  @Prompt('Sums up the notes of your organisation')
  async sumUp({ length }: Summary, caller: Caller): Promise<string> {
    const kept = await this.store.list(tenantOf(caller));
    const notes = kept.map(({ title, text, author }) => `${title} (${author}): ${text}`);
    return `Give me a ${length} summary of these notes:\n${notes.join('\n') || 'There are none.'}`;
  }

  async #titles(tenant: string): Promise<string[]> {
    return (await this.store.list(tenant)).map(({ title }) => title);
  }
}
