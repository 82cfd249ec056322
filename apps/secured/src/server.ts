/** The server's definition: which classes it is made of. */
import { createServer, type Server } from '@sigil-mcp/core';
import { NoteResources } from './notes/note-resources';
import { MemoryNoteStore } from './notes/memory-note-store';
import { NoteStore } from './notes/note-store';
import { NoteTools } from './notes/note-tools';
import type { Shared } from './open-shared';

/**
 * A server of these notes.
 * @param shared what its instances share; one that is left alone has notes of its own, as each test does
 */
export function notesServer(shared?: Shared): Server {
  return createServer({
    name: 'notes',
    version: '0.1.0',
    title: 'Notes of several tenants',
    strict: true,
    instructions: 'The tool about says what this server is for, to everybody. Read what is noted before you add to it.',
    features: [NoteTools, NoteResources],
    providers: [
      shared ? { provide: NoteStore, useValue: shared.notes } : { provide: NoteStore, useClass: MemoryNoteStore },
    ],
    ...(shared && { stores: shared.stores }),
  });
}

/** The one that `sigil inspect` and `sigil dev` look at. */
export const server = notesServer();
