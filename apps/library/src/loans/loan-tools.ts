/** The tools of the desk: lend a book, take it back, see what is overdue. */
import { Feature, Server, Tool, ToolFailure } from '@sigil-mcp/core';
import { Catalogue } from '../catalogue/catalogue';
import { Loan, LoanId, LoanRequest, Overdue } from './loan';
import { Loans } from './loans';

/** Built once per server. */
@Feature()
export class LoanTools {
  constructor(
    private readonly loans: Loans,
    private readonly catalogue: Catalogue,
    private readonly server: Server,
  ) {}

  @Tool('Lends a book to a reader, to take home or for the reading room.', { output: Loan })
  lend(request: LoanRequest): Loan {
    const book = this.catalogue.find(request.book);
    if (!book) throw new ToolFailure(`There is no book ${request.book}. Look for its number with the tool search.`);
    if (this.catalogue.available(book.id) === 0) {
      const [next] = this.loans.open(book.id);
      throw new ToolFailure(
        `All copies of "${book.title}" are lent. The next is due on ${next?.due.toISOString().slice(0, 10)}.`,
      );
    }
    const loan = this.loans.lend(request, new Date());
    this.server.notifyResourceChanged(`library://books/${book.id}`);
    return loan;
  }

  @Tool('Takes a book back.', { idempotent: true })
  giveBack({ loan }: LoanId): string {
    const found = this.loans.find(loan);
    if (!found) throw new ToolFailure(`There is no open loan ${loan}. It has been returned, or never was.`);
    this.loans.giveBack(loan, new Date());
    this.server.notifyResourceChanged(`library://books/${found.book}`);
    return `"${found.title}" is back. Thank you, ${found.reader}.`;
  }

  @Tool('Lists the books that are overdue, the longest overdue first.', { output: Overdue, readOnly: true })
  overdue(): Overdue {
    return { loans: this.loans.overdue(new Date()) };
  }
}
