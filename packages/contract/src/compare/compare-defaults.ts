/** The defaults of arguments: a call without an argument means something else when one appears, changes or goes. */
import { isObject } from '@sigil-mcp/base';
import { canonicalText } from '../schema/canonical-text';
import { isSchema, JsonDocument, type Schema } from '../schema/json-document';
import { change, type EntryChangeFound } from './contract-change';

/** An argument, as each schema of its place has it. */
interface ArgumentDefaults {
  /** The texts of its defaults. */
  readonly defaults: Set<string>;
  /** Whether a call may leave it out. */
  isOptional: boolean;
}

/** What calls without an argument mean now. One that is new, gone or required is no matter of its default. */
export function compareDefaults(before: Schema, after: Schema): readonly EntryChangeFound[] {
  const [old, now] = [argumentsOf(before), argumentsOf(after)];
  return [...old].flatMap(([path, argument]) => {
    const current = now.get(path);
    if (!current?.isOptional || !argument.isOptional) return [];
    const [was, is] = [textOf(argument), textOf(current)];
    if (was === is) return [];
    const words =
      is === '' ? `it has no default any more (was ${was})` : `${is} is its default now (was ${was || 'none'})`;
    return [change('breaking', 'input-default', `${path}: ${words}`, path)];
  });
}

function textOf({ defaults }: ArgumentDefaults): string {
  return [...defaults].sort().join(' or ');
}

/** Path, such as `authors[].name`, `pair[0].name` or `ports.*.name` -> the argument. */
function argumentsOf(schema: Schema): ReadonlyMap<string, ArgumentDefaults> {
  const found = new Map<string, ArgumentDefaults>();
  const document = new JsonDocument(schema);
  const visit = (part: unknown, path: string, around: ReadonlySet<unknown>): void => {
    if (!isObject(part) || around.has(part)) return;
    if ('default' in part) found.get(path)?.defaults.add(canonicalText(part['default']));
    const within = new Set(around).add(part);
    const { $ref, properties, required, items, prefixItems, additionalProperties, then, else: other } = part;
    if (typeof $ref === 'string') visit(document.resolve($ref), path, within);
    for (const keyword of ['allOf', 'anyOf', 'oneOf'])
      if (Array.isArray(part[keyword])) for (const each of part[keyword] as unknown[]) visit(each, path, within);
    for (const each of [then, other, ...membersOf(part['dependentSchemas'])]) visit(each, path, within);
    visit(items, `${path}[]`, within);
    for (const [index, item] of membersOf(prefixItems).entries()) visit(item, `${path}[${index}]`, within);
    const others = [additionalProperties, ...membersOf(part['patternProperties'])];
    for (const each of others) visit(each, join(path, '*'), within);
    for (const [name, property] of Object.entries(isObject(properties) ? properties : {})) {
      if (!isSchema(property)) continue;
      const own = join(path, name);
      const argument = found.get(own) ?? { defaults: new Set<string>(), isOptional: false };
      found.set(own, argument);
      argument.isOptional ||= !(Array.isArray(required) && required.includes(name));
      visit(property, own, within);
    }
  };
  visit(schema, '', new Set());
  return found;
}

function membersOf(schemas: unknown): readonly unknown[] {
  return typeof schemas === 'object' && schemas !== null ? Object.values(schemas) : [];
}

function join(path: string, name: string): string {
  return path === '' ? name : `${path}.${name}`;
}
