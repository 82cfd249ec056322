/** `@Title` and `@ValueTitles`: labels for people, shown instead of the names and values of a DTO. */
import { valueTitles } from '../dto-facts';
import { listKeywords } from './list-keywords';
import { addMemberFact } from '@sigil-mcp/base/facts';

/**
 * Gives a property of a DTO a label for people: the caption of a field of a form, listed as `title` in JSON Schema.
 *
 * @example
 * ```class Contact { @Title('Your name') @IsString() name!: string; }```
 */
export function Title(text: string): PropertyDecorator {
  return listKeywords('@Title', { title: text });
}

/**
 * Gives each value of an enum of strings (or of an array of them) a label for people, which a form shows instead of the value.
 * Every value needs one. If the class is the input of a tool, the labels are not listed.
 *
 * @example
 * ```class Order { @ValueTitles({ s: 'Small', l: 'Large' }) @IsIn(['s', 'l']) size!: string; }```
 * @see https://modelcontextprotocol.io/specification/2026-07-28/client/elicitation#requested-schema
 */
export function ValueTitles(titles: Readonly<Record<string, string>>): PropertyDecorator {
  return (prototype, property) => addMemberFact(valueTitles, prototype, property, titles);
}
