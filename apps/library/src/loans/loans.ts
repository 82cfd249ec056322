/** The loans, as rows of the database. */
import { Injectable } from '@sigil-mcp/core';
import { Database, type Row } from '../storage/database';
import { Loan, ReadHere, TakenHome, type LoanRequest } from './loan';

const DAY = 24 * 60 * 60 * 1000;
const OPEN = 'SELECT loans.*, books.title FROM loans JOIN books ON books.id = loans.book WHERE returned IS NULL';

/** Built once per server. */
@Injectable()
export class Loans {
  constructor(private readonly database: Database) {}

  /** Lends a book. */
  lend({ book, reader, terms }: LoanRequest, now: Date): Loan {
    const days = terms instanceof TakenHome ? terms.days : 0;
    const due = new Date(now.getTime() + days * DAY);
    due.setUTCHours(23, 59, 59, 0);
    const values = [book, reader, JSON.stringify(terms), due.toISOString()];
    const id = this.database.run('INSERT INTO loans (book, reader, terms, due) VALUES (?, ?, ?, ?)', values);
    return this.find(id) as Loan;
  }

  /** A loan that has not been returned. */
  find(id: number): Loan | undefined {
    const row = this.database.get(`${OPEN} AND loans.id = ?`, [id]);
    return row && loanOf(row);
  }

  /** Marks a loan as returned. */
  giveBack(id: number, now: Date): void {
    this.database.run('UPDATE loans SET returned = ? WHERE id = ?', [now.toISOString(), id]);
  }

  /** The open loans of a book. */
  open(book: number): Loan[] {
    return this.database.all(`${OPEN} AND loans.book = ? ORDER BY due`, [book]).map(loanOf);
  }

  /** The loans that are overdue. */
  overdue(now: Date): Loan[] {
    return this.database.all(`${OPEN} AND due < ? ORDER BY due`, [now.toISOString()]).map(loanOf);
  }

  /** The titles that a reader has borrowed, the newest first. */
  titlesOf(reader: string): string[] {
    const sql = 'SELECT title FROM loans JOIN books ON books.id = loans.book WHERE reader = ? ORDER BY loans.id DESC';
    return this.database.all(sql, [reader]).map(({ title }) => String(title));
  }

  /** Names of readers for completion. */
  readersLike(typed: string): string[] {
    const sql = 'SELECT DISTINCT reader FROM loans WHERE instr(lower(reader), lower(?)) > 0 ORDER BY reader LIMIT 100';
    return this.database.all(sql, [typed]).map(({ reader }) => String(reader));
  }
}

function loanOf(row: Row): Loan {
  const terms = JSON.parse(String(row['terms'])) as TakenHome | ReadHere;
  return Object.assign(new Loan(), {
    id: Number(row['id']),
    book: Number(row['book']),
    title: String(row['title']),
    reader: String(row['reader']),
    terms: Object.assign(terms.kind === 'home' ? new TakenHome() : new ReadHere(), terms),
    due: new Date(String(row['due'])),
  });
}
