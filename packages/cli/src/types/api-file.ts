/** What a server offers, as a file of types for `createClient` of `@sigil-mcp/client` and of `@sigil-mcp/testing`. */
import { DeclaredTypes, indent, jsDoc, memberName, SchemaTypes, union } from '@sigil-mcp/schema/typescript';
import type { DeclaredEntry } from '../declared/declared-entries';
import type { Survey } from '../inspect/survey';

/** An entry of the file. */
interface TypedEntry {
  readonly name: string;
  readonly description: string | undefined;
  readonly arguments: string;
  readonly data: string;
  readonly asks: string;
}

/** Writes the file. The same server always gives the same text. */
export function writeApiFile(seen: Survey, name: string): string {
  const writer = new ApiWriter(seen.declared ?? [], name);
  const rooms = {
    tools: seen.tools.map((tool) => writer.tool(tool)),
    prompts: seen.prompts.map((prompt) => writer.prompt(prompt)),
    resources: [
      ...seen.resources.map((resource) => writer.resource(resource)),
      ...seen.resourceTemplates.map((template) => writer.template(template)),
    ],
  };
  const members = Object.entries(rooms).map(([room, entries]) => {
    const written = sorted(entries).map(writeEntry);
    return written.length === 0 ? `readonly ${room}: {};` : `readonly ${room}: {\n${written.join('\n')}\n};`;
  });
  const title = seen.server ? `${seen.server.name} ${seen.server.version}` : 'a server';
  const head = `/** The API of ${oneLine(title)}, written by \`sigil types\`. Do not edit it: run the command again. */`;
  const about = `/** For \`createClient<${name}>()\` of \`@sigil-mcp/client\`. */`;
  const api = `${about}\nexport interface ${name} {\n${members.join('\n')}\n}`;
  return `${[`${head}\n\n${indent(api)}`, ...writer.declarations().map(indent)].join('\n\n')}\n`;
}

/** Writes the types of entries. */
class ApiWriter {
  readonly #types: DeclaredTypes;

  constructor(
    private readonly declared: readonly DeclaredEntry[],
    name: string,
  ) {
    this.#types = new DeclaredTypes([name]);
  }

  tool({ name, description, inputSchema, outputSchema }: Survey['tools'][number]): TypedEntry {
    return {
      ...{ name, description },
      arguments: this.#type(inputSchema, `${name} arguments`),
      data: outputSchema ? this.#type(outputSchema, `${name} data`) : 'unknown',
      asks: this.#asks('tool', name),
    };
  }

  /** A local project tells the schemas of its prompts; the protocol lists names alone. */
  prompt({ name, description, arguments: listed = [] }: Survey['prompts'][number]): TypedEntry {
    const own = this.#find('prompt', name)?.input;
    const properties = Object.fromEntries(
      listed.map((each) => [each.name, { type: 'string', description: each.description }]),
    );
    const required = listed.filter((each) => each.required === true).map((each) => each.name);
    const schema = own ?? { type: 'object', properties, required, additionalProperties: false };
    const asks = this.#asks('prompt', name);
    return { name, description, arguments: this.#type(schema, `${name} arguments`), data: 'undefined', asks };
  }

  resource({ name, description, uri }: Survey['resources'][number]): TypedEntry {
    const types = { arguments: 'Readonly<Record<string, never>>', data: 'unknown' };
    return { name, description, ...types, asks: this.#asks('resource', uri) };
  }

  template({ name, description, uriTemplate }: Survey['resourceTemplates'][number]): TypedEntry {
    const own = this.#find('resource-template', uriTemplate)?.input;
    const schema = own ?? { type: 'object', properties: variablesOf(uriTemplate) };
    const asks = this.#asks('resource-template', uriTemplate);
    return { name, description, arguments: this.#type(schema, `${name} variables`), data: 'unknown', asks };
  }

  declarations(): string[] {
    return this.#types.declarations();
  }

  #type(schema: unknown, owner: string): string {
    return new SchemaTypes(schema, this.#types, owner).write();
  }

  #find(kind: string, key: string): DeclaredEntry | undefined {
    return this.declared.find((entry) => entry.kind === kind && entry.key === key);
  }

  /** The forms that an entry of a local project declares. A handler may ask without having declared it. */
  #asks(kind: string, key: string): string {
    const { asks = [] } = this.#find(kind, key) ?? {};
    return asks.length === 0
      ? 'unknown'
      : union(asks.map((form, index) => this.#type(form, `${key} form ${index + 1}`)));
  }
}

function writeEntry(entry: TypedEntry): string {
  const { name, arguments: given, data, asks } = entry;
  const types = [`readonly arguments: ${given};`, `readonly data: ${data};`, `readonly asks: ${asks};`];
  return `${jsDoc(entry)}readonly ${memberName(name)}: {\n${types.join('\n')}\n};`;
}

/** In the order of their names, so that files can be compared. Of several with one name, the first counts. */
function sorted(entries: readonly TypedEntry[]): TypedEntry[] {
  const first = new Map<string, TypedEntry>();
  for (const entry of entries) if (!first.has(entry.name)) first.set(entry.name, entry);
  return [...first.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}

/** The variables of a template: texts, numbers, and lists of them. */
function variablesOf(template: string): Record<string, unknown> {
  const expressions = [...template.matchAll(/\{[+#./;?&]?([^{}]*)\}/g)].map(([, names = '']) => names);
  const names = expressions.flatMap((text) => text.split(',')).map((name) => name.replace(/(?:\*|:\d+)$/, ''));
  const value = { type: ['string', 'number', 'boolean'] };
  return Object.fromEntries(names.map((name) => [name, { anyOf: [value, { type: 'array', items: value }] }]));
}

function oneLine(text: string): string {
  return text.replaceAll('*/', '*\u200b/').replace(/\s+/g, ' ');
}
