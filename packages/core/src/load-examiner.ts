/** Loads the examiner of classes on demand: it needs class-validator and class-transformer, which adapters do not. */
import type * as Schema from '@sigil-mcp/schema';

/** Gives the function that examines one class, as a server would when it starts. */
export function loadExaminer(): typeof Schema.examineClass {
  // eslint-disable-next-line @typescript-eslint/no-require-imports -- an import at the top would load it for everybody
  return (require('@sigil-mcp/schema') as typeof Schema).examineClass;
}
