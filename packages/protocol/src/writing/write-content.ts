/** Writes content blocks. A kind that the revision does not know becomes text, so that no content is lost silently. */
import { isObject } from '@sigil-mcp/base';
import { asJsonObject, type JsonObject, type JsonValue } from '../jsonrpc/message';
import type { ContentBlock } from '../model/features';
import type { Noun } from '../rules/wire-rules';

/** `type` of a block -> its noun. */
const CONTENT_NOUNS: Readonly<Record<ContentBlock['type'], Noun>> = {
  text: 'TextContent',
  image: 'ImageContent',
  audio: 'AudioContent',
  resource_link: 'ResourceLink',
  resource: 'EmbeddedResource',
};

/**
 * Compiles the writer of content blocks.
 * @param version the revision, named in the text that stands for what it does not know
 * @param find the writer of a noun; undefined where the revision does not have it
 */
export function contentWriter(version: string, find: (noun: Noun) => Writer | undefined): Writer {
  const writers = new Map<unknown, Writer | undefined>(
    Object.entries(CONTENT_NOUNS).map(([type, noun]) => [type, find(noun)]),
  );
  const writeText = find('TextContent') ?? asJsonObject;
  return (noun) => {
    const block = asJsonObject(noun);
    const write = writers.get(block['type']);
    return write === undefined ? writeText(describe(block, version)) : write(block);
  };
}

/** The hints of the block stay: who it is for does not depend on what it is made of. */
function describe(block: JsonObject, version: string): JsonObject {
  const text = block['type'] === 'resource_link' ? describeLink(block) : describeData(block, version);
  return block['annotations'] === undefined
    ? { type: 'text', text }
    : { type: 'text', text, annotations: block['annotations'] };
}

/** A link is as good in words: a client that knows `resources/read` can follow its URI. */
function describeLink({ name, title, uri, mimeType, description }: JsonObject): string {
  const link = `[resource link: ${[title ?? name, uri, mimeType].filter(isString).join(', ')}]`;
  return isString(description) ? `${link} ${description}` : link;
}

function describeData({ type, mimeType, data }: JsonObject, version: string): string {
  const kind = [mimeType, type].filter(isString).join(' ');
  const size = isString(data) ? `, ${decodedLength(data)} bytes` : '';
  return `[${kind}${size}: not available in protocol revision ${version}]`;
}

function isString(value: JsonValue | undefined): value is string {
  return typeof value === 'string';
}

/** How many bytes a base64 text stands for. */
function decodedLength(base64: string): number {
  const padding = base64.endsWith('==') ? 2 : base64.endsWith('=') ? 1 : 0;
  return Math.floor(((base64.length - padding) * 3) / 4);
}

// Writes a noun with only the members that a revision knows. A noun without other members is passed on unchanged.

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
