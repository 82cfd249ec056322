/** The tables. */
export const SCHEMA = `
PRAGMA foreign_keys = ON;
CREATE TABLE IF NOT EXISTS books (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  title TEXT NOT NULL,
  isbn TEXT UNIQUE,
  published TEXT,
  pages INTEGER NOT NULL,
  shelf TEXT,
  copies INTEGER NOT NULL,
  tags TEXT NOT NULL
);
CREATE TABLE IF NOT EXISTS authors (
  book INTEGER NOT NULL REFERENCES books (id) ON DELETE CASCADE,
  place INTEGER NOT NULL,
  name TEXT NOT NULL COLLATE NOCASE,
  born INTEGER,
  PRIMARY KEY (book, place)
);
CREATE INDEX IF NOT EXISTS authors_by_name ON authors (name);
CREATE TABLE IF NOT EXISTS loans (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  book INTEGER NOT NULL REFERENCES books (id),
  reader TEXT NOT NULL COLLATE NOCASE,
  terms TEXT NOT NULL,
  due TEXT NOT NULL,
  returned TEXT
);
CREATE INDEX IF NOT EXISTS open_loans ON loans (book) WHERE returned IS NULL;
`;
