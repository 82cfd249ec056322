/** Writes a noun with only the members that a revision knows. A noun without other members is passed on unchanged. */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject } from '../jsonrpc/write-message';
import type { JsonObject, JsonValue } from '../jsonrpc/message';

/** Neutral noun -> what travels. Never changes what it was given; may return it. */
export type Writer = (noun: object) => JsonObject;

type MemberWriters = ReadonlyMap<string, Writer | 'as it is'>;

/**
 * Compiles the writer of one noun.
 * @param fields its members, in the order of writing
 * @param parts the writers of the members that hold other nouns, or arrays of them
 */
export function projectFields(fields: readonly string[], parts: Readonly<Record<string, Writer>> = {}): Writer {
  const members: MemberWriters = new Map(fields.map((field) => [field, parts[field] ?? 'as it is']));
  return (noun) => {
    const json = asJsonObject(noun);
    return fits(json, members) ? json : pick(json, members);
  };
}

function fits(json: JsonObject, members: MemberWriters): boolean {
  for (const name in json) {
    const writer = members.get(name);
    if (writer === undefined) return false;
    if (writer !== 'as it is' && writePart(json[name], writer) !== json[name]) return false;
  }
  return true;
}

function pick(json: JsonObject, members: MemberWriters): JsonObject {
  const picked: Record<string, JsonValue | undefined> = {};
  for (const [name, writer] of members) {
    const value = json[name];
    if (value !== undefined) picked[name] = writer === 'as it is' ? value : writePart(value, writer);
  }
  return picked;
}

function writePart(value: JsonValue | undefined, writer: Writer): JsonValue | undefined {
  if (Array.isArray(value)) return value.map((item: JsonValue) => (isObject(item) ? writer(item) : item));
  return isObject(value) ? writer(value) : value;
}
