/** `@Nullable`: a property that may be `null` on the wire, as opposed to one that may be absent (`@IsOptional`). */
import { addMemberFact } from '@sigil-mcp/base/facts';
import { nullables } from '../dto-facts';

/**
 * Lets a property of a DTO be `null`, next to what its other decorators accept. The value stays `null` in the instance.
 *
 * @example
 * ```class Person { @Nullable() @IsString() nickname!: string | null; }```
 */
export function Nullable(): PropertyDecorator {
  return (prototype, property) => addMemberFact(nullables, prototype, property, true);
}
