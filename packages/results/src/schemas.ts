/** The schemas of a tool with a budget: where its list is, and what the extension adds to its arguments and its output. */
import {
  createFact,
  entryOption,
  type EntryFacts,
  type EntryListing,
  type EntryOption,
  type ReportProblem,
} from '@sigil-mcp/core';
import { isObject, nameValue, type OptionRule } from '@sigil-mcp/core/internal';
import { resultsProblem, resultsWords } from './errors';
import { CURSOR, MEMBERS, RESULT_BUDGETS } from './names';

type ResultSchema = Readonly<Record<string, unknown>>;

/** The list of an output. */
export interface ListPlace {
  /** The name of its member. */
  readonly list: string;
  /** How many items the schema wants at least; 0 for any number. */
  readonly least: number;
}

const CURSOR_SCHEMA = {
  type: 'string',
  description: 'Continues an earlier result of this tool: its nextCursor, with the same other arguments.',
};

const OUTPUT_SCHEMAS = {
  [MEMBERS.nextCursor]: {
    type: 'string',
    description: 'There are more items: call the tool again with the same arguments and this cursor.',
  },
  [MEMBERS.total]: { type: 'integer', minimum: 0, description: 'How many items there are in all.' },
  [MEMBERS.hint]: { type: 'string', description: 'Which of the items these are, and how to get the others.' },
};

/** The schemas with a cursor, and with what a cut result says of itself. */
export function schemasWithBudget({ definition: { inputSchema, outputSchema } }: EntryFacts<'tool'>): EntryListing {
  const input = withProperties(inputSchema, { [CURSOR]: CURSOR_SCHEMA });
  return outputSchema ? { input, output: withProperties(outputSchema, OUTPUT_SCHEMAS) } : { input };
}

function withProperties(schema: object, added: ResultSchema): ResultSchema {
  return { ...schema, properties: { ...propertiesOf(schema), ...added } };
}

function propertiesOf(schema: object): Readonly<Record<string, unknown>> {
  const properties: unknown = Reflect.get(schema, 'properties');
  return isObject(properties) ? properties : {};
}

/** The list of a tool's output; undefined for a tool without an output, whose results say what they are. */
export function listOf(outputSchema: object | undefined, { list }: BudgetSettings): ListPlace | undefined {
  if (!outputSchema) return undefined;
  const [name = ''] = list === undefined ? listsIn(outputSchema) : [list];
  const found = resolve(propertiesOf(outputSchema)[name], outputSchema);
  const least = isObject(found) ? found['minItems'] : undefined;
  return { list: name, least: typeof least === 'number' ? least : 0 };
}

/** Reports a budget that the schemas of the tool do not allow. */
export function checkSchemas(tool: EntryFacts<'tool'>, settings: BudgetSettings, report: ReportProblem): void {
  const { inputSchema, outputSchema } = tool.definition;
  const where = whereOf(tool);
  const clashes = (part: string, schema: object, members: readonly string[]): void => {
    for (const member of members)
      if (Object.hasOwn(propertiesOf(schema), member))
        report(resultsProblem('SIGIL_BUDGET_MEMBER', where, { member, part }));
  };
  clashes('arguments', inputSchema, [CURSOR]);
  if (!outputSchema) {
    if (settings.list !== undefined)
      report(resultsProblem('SIGIL_BUDGET_SCHEMA', where, { what: 'is not declared, and the budget names a list' }));
    return;
  }
  const what = faultOf(outputSchema);
  if (what !== undefined) return report(resultsProblem('SIGIL_BUDGET_SCHEMA', where, { what }));
  clashes('output', outputSchema, Object.keys(OUTPUT_SCHEMAS));
  checkList(outputSchema, settings, { where, report });
}

function checkList(
  outputSchema: object,
  { list }: BudgetSettings,
  { where, report }: { readonly where: string; readonly report: ReportProblem },
): void {
  const lists = listsIn(outputSchema);
  const [known] = lists;
  if (known === undefined) return report(resultsProblem('SIGIL_BUDGET_SCHEMA', where, { what: 'has no list' }));
  if (list !== undefined && !lists.includes(list)) {
    const what = `has no list ${JSON.stringify(list)}`;
    report(resultsProblem('SIGIL_BUDGET_LIST', where, { what, known }));
  }
  if (list === undefined && lists.length > 1)
    report(resultsProblem('SIGIL_BUDGET_LIST', where, { what: `has several lists: ${lists.join(', ')}`, known }));
}

/** Keywords at the root that may forbid what the extension adds. */
const COMBINING = ['$ref', 'allOf', 'anyOf', 'oneOf', 'not', 'if', 'enum', 'const', 'propertyNames', 'maxProperties'];

/** Why nothing can be added to an output; undefined if it can. */
function faultOf(schema: object): string | undefined {
  if (Reflect.get(schema, 'type') !== 'object') return 'is no object';
  const keyword = COMBINING.find((name) => Object.hasOwn(schema, name));
  return keyword === undefined ? undefined : `has ${keyword} at the root of its schema`;
}

/** The members of an output that are lists. */
function listsIn(schema: object): readonly string[] {
  return Object.entries(propertiesOf(schema))
    .filter(([, property]) => isList(resolve(property, schema)))
    .map(([name]) => name);
}

function isList(schema: unknown): boolean {
  if (!isObject(schema)) return false;
  const { type } = schema;
  return type === 'array' || (Array.isArray(type) && type.includes('array'));
}

/** What a reference within the schema means; the schema itself if it is no reference. */
function resolve(property: unknown, root: object): unknown {
  const reference: unknown = isObject(property) ? property['$ref'] : undefined;
  if (typeof reference !== 'string') return property;
  const name = /^#\/\$defs\/([^/]+)$/.exec(reference)?.[1];
  const definitions: unknown = Reflect.get(root, '$defs');
  return name !== undefined && isObject(definitions) ? definitions[name] : undefined;
}

function whereOf({ source, key }: EntryFacts): string {
  const { feature, member } = source;
  return feature && member !== undefined ? `${feature.name}.${member}` : `tool ${JSON.stringify(key)}`;
}

// The option `budget` of tools.

/** How long the results of a tool may be, and what is done with the rest. */
export interface BudgetSettings {
  /** Characters of a result as the model reads it, at least 1,000. Four of them are about one token of English. */
  readonly characters: number;
  /** The member of its output that is cut; its only list if left out. */
  readonly list?: string;
  /** Milliseconds that the rest can be read; `resultBudgets({ ttl })` if left out. */
  readonly ttl?: number;
}

declare module '@sigil-mcp/core' {
  interface ToolOptions {
    /**
     * Characters of its results, at least 1,000: a longer result is cut after a whole item, with a cursor for the next part, and a resource with
     * the rest. Any length if left out. The server needs `extensions: [resultBudgets()]`.
     * @example budget: 8_000
     */
    readonly budget?: number | BudgetSettings;
  }
}

/** What the option says. */
export const BUDGET = createFact<BudgetSettings>({ label: 'The option budget', extension: RESULT_BUDGETS });

/** The smallest budget: what a cut result says of itself takes some hundred characters. */
const LEAST_CHARACTERS = 1000;

const CHARACTERS: OptionRule = {
  wanted: `a whole number of characters, at least ${LEAST_CHARACTERS}`,
  fits: (value) => Number.isSafeInteger(value) && Number(value) >= LEAST_CHARACTERS,
};

const SETTINGS: Readonly<Record<string, OptionRule>> = {
  characters: CHARACTERS,
  list: { wanted: 'the name of a list of the output', fits: (value) => typeof value === 'string' && value !== '' },
  ttl: {
    wanted: 'milliseconds, more than 0',
    fits: (value) => typeof value === 'number' && value > 0 && Number.isFinite(value),
  },
};

/** Adds the option to tools. */
export const BUDGET_OPTION: EntryOption = entryOption({
  kind: 'tool',
  name: 'budget',
  fact: BUDGET,
  read(value, report) {
    const isSpelt = isObject(value) && !Array.isArray(value);
    const settings: Readonly<Record<string, unknown>> = isSpelt ? value : { characters: value };
    const members = Object.entries({ characters: undefined, ...settings });
    const wrong = members.filter(([name, each]) => {
      if (each === undefined && name !== 'characters') return false;
      return !memberOf(name)?.fits(each);
    });
    for (const [name, each] of wrong) {
      const wanted = memberOf(name)?.wanted ?? `only ${Object.keys(SETTINGS).join(', ')}`;
      report(resultsWords('SIGIL_BUDGET', { member: isSpelt ? `.${name}` : '', value: nameValue(each), wanted }));
    }
    // All members were checked.
    return wrong.length === 0 ? (settings as unknown as BudgetSettings) : undefined;
  },
});

function memberOf(name: string): OptionRule | undefined {
  return Object.hasOwn(SETTINGS, name) ? SETTINGS[name] : undefined;
}
