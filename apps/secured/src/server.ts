/** The server's definition: which classes it is made of. */
import { createServer, type Server } from '@sigil-mcp/core';
import { NoteResources } from './notes/note-resources';
import { NoteStore } from './notes/note-store';
import { NoteTools } from './notes/note-tools';

/** A server with notes of its own: each test has one. */
export function notesServer(): Server {
  return createServer({
    name: 'notes',
    version: '0.1.0',
    title: 'Notes of several tenants',
    strict: true,
    instructions: 'The tool about says what this server is for, to everybody. Read what is noted before you add to it.',
    features: [NoteTools, NoteResources],
    providers: [NoteStore],
  });
}

/** The one that `sigil inspect` and `sigil dev` look at. */
export const server = notesServer();
