/** Formats a survey as lines for users. */
import type { DeclaredEntry } from '../declared/declared-entries';
import { isPlaceholder, markedDescription } from '../placeholder';
import { SchemaView } from '../arguments/json-schema';
import type { Prompt, Resource, ResourceTemplate, Tool } from '@sigil-mcp/protocol';
import { columns, type Cell } from '../terminal/columns';
import { isObject, visible } from '@sigil-mcp/base';
import type { Styles } from '../terminal/styles';
import { wrapText } from '../terminal/wrap-text';
import { describePolicy, describeTask, describeToolView, describeView, exampleRows } from './entry-notes';
import { schemaRows, ShownTables } from './schema-rows';
import { describeSkills, skillFiles } from './skills';
import type { Suggestions, Survey } from './survey';

/** The width and the styles of the output. */
export interface Typography {
  readonly width: number;
  readonly styles: Styles;
}

const STEP = 2;
/** How many suggested values are shown. */
const SUGGESTED = 8;

/** The output and its state. */
interface Display extends Typography {
  readonly shown: ShownTables;
  /** What the code of a local project declares about an entry. */
  readonly find: (kind: string, key: string) => DeclaredEntry | undefined;
}

/** Whether a server lists nothing. */
export function listsNothing({ tools, resources, resourceTemplates, prompts }: Survey): boolean {
  return [tools, resources, resourceTemplates, prompts].every(({ length }) => length === 0);
}

/**
 * Describes a server.
 * @param definition the position of its definition, for a server that lists nothing
 * @returns lines, without line ends
 */
export function describeServer(survey: Survey, type: Typography, definition?: string): string[] {
  const { instructions, tools, resourceTemplates, prompts, skills } = survey;
  const ofSkills = skills ? skillFiles(skills) : new Set<string>();
  const resources = survey.resources.filter(({ uri }) => !ofSkills.has(uri));
  const page: Display = { ...type, shown: new ShownTables(), find: finderOf(survey) };
  const sections = [
    instructions === undefined ? [] : [heading('Instructions', type), ...paragraph(instructions, STEP, type)],
    section(
      'Tools',
      tools.map((tool) => describeTool(tool, page)),
      type,
    ),
    section(
      'Resources',
      resources.map((resource) => describeResource(resource, page)),
      type,
    ),
    section(
      'Resource templates',
      resourceTemplates.map((template) => describeTemplate(template, page)),
      type,
    ),
    section(
      'Prompts',
      prompts.map((prompt) => describePrompt(prompt, survey.suggestions[prompt.name] ?? {}, page)),
      type,
    ),
    section('Skills', skills ? skillLines(skills, page) : [], type),
  ];
  const empty = `! ${definition === undefined ? '' : `${definition} `}${EMPTY}`;
  const notes = listsNothing(survey) ? [paragraph(empty, 0, type).map((line) => type.styles.warn(line))] : [];
  return [
    ...describeHead(survey, type),
    ...[...sections, ...notes].flatMap((lines) => (lines.length === 0 ? [] : ['', ...lines])),
  ];
}

const EMPTY =
  'It lists no tools, resources or prompts, or this caller may not see them. Name the classes: createServer({ features: [NotesFeature] }). sigil add tool findNote writes one.';

function describeRevisions({ spoken = '?', offered, handshake }: Survey['revisions']): string {
  const others = offered.filter((revision) => revision !== spoken);
  const all = [spoken, ...others].join(', ');
  if (offered.length === 0) return `${all}, after a handshake`;
  return handshake.length === 0 ? all : `${all}; after a handshake ${handshake.join(', ')}`;
}

function describeHead({ server, revisions, capabilities }: Survey, type: Typography): string[] {
  const { styles, width } = type;
  const { name = 'A server without a name', version = '', title, description } = server ?? {};
  const named = `${styles.bold(visible(title ?? name))} ${visible(version)}${title === undefined ? '' : ` (${visible(name)})`}`;
  const rows: Cell[][] = [
    [{ text: 'speaks', style: styles.dim }, { text: describeRevisions(revisions) }],
    [{ text: 'offers', style: styles.dim }, { text: describeCapabilities(capabilities) }],
  ];
  const about = description === undefined ? [] : paragraph(description, STEP, type);
  return [named, ...about, ...columns(rows, { width, indent: STEP })];
}

/** The capabilities as text, such as `tools (changes), resources (subscriptions)`. */
function describeCapabilities(capabilities: Survey['capabilities']): string {
  const names = Object.entries(capabilities ?? {}).map(([name, value]) => {
    const parts: unknown = value;
    const flags = isObject(parts) ? Object.keys(parts).filter((key) => parts[key] !== false) : [];
    return flags.length === 0 ? name : `${name} (${flags.map((flag) => CAPABILITY_WORDS[flag] ?? flag).join(', ')})`;
  });
  return names.length === 0 ? 'nothing' : visible(names.join(', '));
}

const CAPABILITY_WORDS: Readonly<Record<string, string>> = { listChanged: 'changes', subscribe: 'subscriptions' };

function finderOf({ declared = [] }: Survey): Display['find'] {
  return (kind, key) => declared.find((entry) => entry.kind === kind && entry.key === key);
}

function describeTool(tool: Tool, page: Display): string[] {
  const { name, title, description, annotations, inputSchema, outputSchema } = tool;
  const hints = describeHints(annotations);
  const declared = page.find('tool', name);
  return [
    entryName(name, title ?? annotations?.title, page) + (hints === '' ? '' : `  ${page.styles.warn(`[${hints}]`)}`),
    ...policyLine(tool, declared, page),
    ...dimLine(describeToolView(tool), page),
    ...dimLine(describeTask(declared), page),
    ...descriptionLines(description, page),
    ...schemaTable(name, 'takes', inputSchema, page),
    ...exampleTable(tool, page),
    ...schemaTable(name, 'returns', outputSchema, page),
    ...formTables(declared, page),
  ];
}

function exampleTable(entry: Tool | Resource | Prompt, page: Display): string[] {
  const rows = exampleRows(entry, page.styles);
  return rows.length === 0 ? [] : table('for example', rows, page);
}

/** The fields of the forms that an entry may ask the user. */
function formTables(declared: DeclaredEntry | undefined, page: Display): string[] {
  return (declared?.asks ?? []).flatMap((form) => {
    const rows = schemaRows(SchemaView.of(form), { ...page, isResult: false, shownElsewhere: () => undefined });
    return table('asks the user', rows, page);
  });
}

/** The arguments of a prompt or a template as the code of a local project declares them: with types, choices and defaults. */
function declaredRows({ input }: DeclaredEntry, suggestions: Suggestions[string], { styles }: Display): Cell[][] {
  const view = SchemaView.of(input);
  return schemaRows(view, { styles, isResult: false, shownElsewhere: () => undefined }).map((row) => {
    const name = row[0]?.text ?? '';
    // The choices of a type are shown by the type.
    const more = view.properties.get(name)?.choices ? '' : suggested(suggestions[name]);
    const about = [row.at(-1)?.text, more].filter(Boolean).join('; ');
    return [...row.slice(0, -1), { text: about }];
  });
}

function schemaTable(tool: string, verb: 'takes' | 'returns', schema: unknown, page: Display): string[] {
  const { shown, styles } = page;
  const view = SchemaView.of(schema);
  const whole = `what ${visible(tool)} ${verb}`;
  const earlier = shown.findOrAdd(view, 0, whole);
  if (earlier !== undefined) {
    return paragraph(`${verb} the same as ${earlier}`, 2 * STEP, page).map((line) => styles.dim(line));
  }
  const rows = schemaRows(view, {
    styles,
    isResult: verb === 'returns',
    shownElsewhere: (nested, depth, place) => shown.findOrAdd(nested, depth, `${place} of ${whole}`),
  });
  return rows.length === 0 ? [] : table(verb, rows, page);
}

function describeHints(annotations: Tool['annotations']): string {
  if (!annotations) return '';
  const { readOnlyHint, destructiveHint, idempotentHint, openWorldHint } = annotations;
  return [
    ...(readOnlyHint === true ? ['read-only'] : []),
    ...(destructiveHint === true && readOnlyHint !== true ? ['destructive'] : []),
    ...(destructiveHint === false && readOnlyHint !== true ? ['not destructive'] : []),
    ...(idempotentHint === true ? ['idempotent'] : []),
    ...(openWorldHint === true ? ['open world'] : []),
  ].join(', ');
}

function describeResource(resource: Resource, page: Display, declared = page.find('resource', resource.uri)): string[] {
  const { uri, name, title, description, mimeType, size } = resource;
  const facts = [mimeType, size === undefined ? undefined : `${size} bytes`].filter((fact) => fact !== undefined);
  const notes = facts.length === 0 ? '' : `  ${page.styles.dim(visible(facts.join(', ')))}`;
  const rows = declared?.input ? declaredRows(declared, {}, page) : [];
  return [
    entryName(uri, title ?? name, page) + notes,
    ...policyLine(resource, declared, page),
    ...dimLine(describeView(resource), page),
    ...descriptionLines(description, page),
    ...(rows.length === 0 ? [] : table('takes', rows, page)),
    ...exampleTable(resource, page),
    ...formTables(declared, page),
  ];
}

function describeTemplate(template: ResourceTemplate, page: Display): string[] {
  const { uriTemplate, ...rest } = template;
  return describeResource({ ...rest, uri: uriTemplate }, page, page.find('resource-template', uriTemplate));
}

function describePrompt(prompt: Prompt, suggestions: Suggestions[string], page: Display): string[] {
  const { name, title, description, arguments: listed = [] } = prompt;
  const declared = page.find('prompt', name);
  const rows = declared?.input ? declaredRows(declared, suggestions, page) : listedRows(listed, suggestions, page);
  return [
    entryName(name, title, page),
    ...policyLine(prompt, declared, page),
    ...descriptionLines(description, page),
    ...(rows.length === 0 ? [] : table('takes', rows, page)),
    ...exampleTable(prompt, page),
    ...formTables(declared, page),
  ];
}

function skillLines(skills: NonNullable<Survey['skills']>, page: Display): string[][] {
  return describeSkills(skills, page.styles).map(({ head, description }) => [
    `${' '.repeat(STEP)}${head}`,
    ...descriptionLines(description, page),
  ]);
}

/** The arguments of a prompt as the protocol lists them: without types, choices and defaults. */
function listedRows(
  listed: NonNullable<Prompt['arguments']>,
  suggestions: Suggestions[string],
  { styles }: Typography,
): Cell[][] {
  return listed.map((one): Cell[] => [
    { text: visible(one.name), style: styles.name },
    { text: one.required === true ? 'required' : 'optional', style: one.required === true ? styles.warn : styles.dim },
    {
      text: [markedDescription(visible(one.description ?? '')), suggested(suggestions[one.name])]
        .filter(Boolean)
        .join('; '),
    },
  ]);
}

/** The values that a client offers for an argument. */
function suggested(values: readonly string[] = []): string {
  const shown = values.slice(0, SUGGESTED).map((value) => JSON.stringify(value));
  if (shown.length === 0) return '';
  return `completes ${visible(shown.join(', '))}${values.length > SUGGESTED ? ', ...' : ''}`;
}

/** A description, marked if it is still a placeholder. */
function descriptionLines(description: string | undefined, type: Typography): string[] {
  if (description === undefined) return [];
  const lines = paragraph(markedDescription(description), 2 * STEP, type);
  return isPlaceholder(description) ? lines.map((line) => type.styles.warn(line)) : lines;
}

function policyLine(
  entry: Parameters<typeof describePolicy>[0],
  declared: DeclaredEntry | undefined,
  type: Typography,
): string[] {
  return dimLine(describePolicy(entry, declared?.roles), type);
}

function dimLine(said: string | undefined, { styles }: Typography): string[] {
  return said === undefined ? [] : [`${' '.repeat(2 * STEP)}${styles.dim(visible(said))}`];
}

function section(name: string, entries: readonly string[][], type: Typography): string[] {
  if (entries.length === 0) return [];
  return [
    heading(`${name} (${entries.length})`, type),
    ...entries.flatMap((lines, at) => (at === 0 ? lines : ['', ...lines])),
  ];
}

function heading(text: string, { styles }: Typography): string {
  return styles.bold(text);
}

function entryName(name: string, title: string | undefined, { styles }: Typography): string {
  const said = title === undefined || title === name ? '' : ` · ${visible(title)}`;
  return `${' '.repeat(STEP)}${styles.name(visible(name))}${said}`;
}

function paragraph(text: string, indent: number, { width }: Typography): string[] {
  return wrapText(visible(text).trim(), width - indent).map((line) => `${' '.repeat(indent)}${line}`.trimEnd());
}

function table(name: string, rows: readonly (readonly Cell[])[], { width, styles }: Typography): string[] {
  return [`${' '.repeat(2 * STEP)}${styles.dim(name)}`, ...columns(rows, { width, indent: 3 * STEP })];
}
