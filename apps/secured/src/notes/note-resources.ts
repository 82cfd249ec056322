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
import { NoteTitle, Summary, type Note } from './note';
import { NoteStore } from './note-store';

/** Built once per server. Everything in it wants `notes:read`, completions of titles included. */
@Feature()
@Scopes('notes:read')
@UseGuards(RateLimit({ calls: 300, per: 'minute' }))
export class NoteResources {
  constructor(private readonly store: NoteStore) {}

  @Resource('notes://{title}', {
    title: 'A note',
    description: 'A note, with its author',
    mimeType: 'application/json',
  })
  note({ title }: NoteTitle, caller: Caller): Note {
    const note = this.store.of(caller).get(title);
    if (note) return note;
    const uri = `notes://${encodeURIComponent(title)}`;
    throw new ProtocolError('resource-not-found', `There is no note "${title}".`, { uri });
  }

  @ListTemplate('note')
  notes(caller: Caller): { variables: { title: string }; name: string }[] {
    return [...this.store.of(caller).keys()].map((title) => ({ variables: { title }, name: title }));
  }

  @Complete('title', 'note')
  titlesLike(typed: string, caller: Caller): string[] {
    const titles = [...this.store.of(caller).keys()];
    return titles.filter((title) => title.toLowerCase().startsWith(typed.toLowerCase()));
  }

  @Prompt('Sums up the notes of your organisation')
  sumUp({ length }: Summary, caller: Caller): string {
    const notes = [...this.store.of(caller).values()].map(({ title, text, author }) => `${title} (${author}): ${text}`);
    return `Give me a ${length} summary of these notes:\n${notes.join('\n') || 'There are none.'}`;
  }
}
