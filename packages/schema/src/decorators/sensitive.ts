/** `@Sensitive`: a property whose value is not for logs, traces or records. */
import { addMemberFact } from '@sigil-mcp/base/facts';
import { sensitives } from '../dto-facts';

/**
 * Marks a property of a DTO whose value is never recorded: traces, audits and the tools for development show `[sensitive]` in its place, of
 * arguments as of results. Handlers and clients receive the value. A form must not ask for it.
 *
 * @example
 * ```class Login { @IsString() user!: string; @Sensitive() @IsString() password!: string; }```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#security-considerations
 */
export function Sensitive(): PropertyDecorator {
  return (prototype, property) => addMemberFact(sensitives, prototype, property, true);
}
