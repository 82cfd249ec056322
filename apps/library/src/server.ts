/** The server's definition: which classes it is made of. */
import { createServer, type Provider, type Server } from '@sigil-mcp/core';
import { Catalogue } from './catalogue/catalogue';
import { CatalogueResources } from './catalogue/catalogue-resources';
import { CatalogueTools } from './catalogue/catalogue-tools';
import { ImportTools } from './catalogue/import-tools';
import { SampleBooks } from './catalogue/sample-books';
import { LoanTools } from './loans/loan-tools';
import { Loans } from './loans/loans';
import { ReaderPrompts } from './loans/reader-prompts';
import { Database, DatabaseFile } from './storage/database';

/**
 * A library over a database: each test has one of its own.
 * @param samples fill an empty library with books
 */
export function libraryServer(path: string, samples: readonly Provider[] = []): Server {
  return createServer({
    name: 'library',
    version: '0.1.0',
    title: 'A small library',
    strict: true,
    instructions: 'Books have numbers: find them with the tool search before you lend, change or delete one.',
    features: [CatalogueTools, ImportTools, CatalogueResources, LoanTools, ReaderPrompts],
    providers: [Catalogue, Loans, Database, { provide: DatabaseFile, useValue: new DatabaseFile(path) }, ...samples],
  });
}

/** The instance that `sigil inspect` and `sigil dev` read. */
export const server = libraryServer(process.env['LIBRARY_DB'] ?? ':memory:', [SampleBooks]);
