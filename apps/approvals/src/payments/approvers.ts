/** Who decides: a guard that everybody sees past, and that says why it stops somebody. */
import { Denial, type Call, type Guard, type Verdict } from '@sigil-mcp/core';

/** Lets approvers call; to all others the tool is listed, and a call of theirs is answered with the way to a decision. */
export class Approvers implements Guard {
  allows(): Verdict {
    return true;
  }

  allowsCall({ context: { caller } }: Call): Verdict {
    return (
      caller.hasRole('approver') ||
      new Denial('Only approvers decide on payments. Ask somebody with the role "approver" to do it.', {
        data: { role: 'approver' },
      })
    );
  }
}
