/** The server's definition: which classes it is made of. */
import { createServer, type Observer, type Server } from '@sigil-mcp/core';
import { tasks } from '@sigil-mcp/tasks';
import { NoteResources } from './notes/note-resources';
import { MemoryNoteStore } from './notes/memory-note-store';
import { NoteStore } from './notes/note-store';
import { NoteTools } from './notes/note-tools';
import type { Shared } from './open-shared';

/** What an operator adds to the definition. */
interface Deployment {
  /** What several instances share; a single instance stores its own notes, as each test does. */
  readonly shared?: Shared | undefined;
  readonly observers?: readonly Observer[];
}

/** A server of these notes. */
export function notesServer({ shared, observers = [] }: Deployment = {}): Server {
  return createServer({
    name: 'notes',
    version: '0.1.0',
    title: 'Notes of several tenants',
    strict: true,
    instructions: 'The tool about explains this server to every caller. Read the existing notes before you add one.',
    features: [NoteTools, NoteResources],
    providers: [
      shared ? { provide: NoteStore, useValue: shared.notes } : { provide: NoteStore, useClass: MemoryNoteStore },
    ],
    extensions: [tasks(shared ? { store: shared.tasks } : {})],
    observers,
    ...(shared && { stores: shared.stores }),
  });
}

/** The instance that `sigil inspect` and `sigil dev` read. */
export const server = notesServer();
