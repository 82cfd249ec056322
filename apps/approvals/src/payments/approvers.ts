/** Who decides: a guard that shows the tool to every caller, and explains why it refuses a call. */
import { Denial, type Call, type Guard, type Verdict } from '@sigil-mcp/core';

/** Lets approvers call. All other callers see the tool in the list; their call is answered with how to get a decision. */
export class Approvers implements Guard {
  allows(): Verdict {
    return true;
  }

  allowsCall({ context: { caller } }: Call): Verdict {
    return (
      caller.hasRole('approver') ||
      new Denial('Only approvers decide on payments. Ask a user with the role "approver" to do it.', {
        data: { role: 'approver' },
      })
    );
  }
}
