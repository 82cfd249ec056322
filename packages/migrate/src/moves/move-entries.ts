/** The decorators of tools, resources, templates and prompts, each with its handler. */
import type * as TypeScript from 'typescript';
import { moveHandler, type HandlerKind } from './move-handler';
import type { MovedFile } from '../files/moved-file';
import { CORE } from '../sources/packages';
import { isEmptied, renameProperty, spreadAnnotations, takeProperty } from './move-options';
import { bare, decoratorsOf, quoted, valueOf, type DecoratorCall, indentationAt } from '../files/syntax';
import { importsFrom } from '../files/imported-names';

/** A template, with the options of its decorator. */
interface TemplateOptions {
  readonly options: TypeScript.ObjectLiteralExpression;
  readonly method: TypeScript.MethodDeclaration;
  readonly uri: TypeScript.Expression | undefined;
  /** Whether no other option is left. */
  readonly emptied: boolean;
}

/** A variable of a template. */
interface TemplateVariable {
  readonly name: string;
  readonly isOptional: boolean;
}

/** The decorators of the old package that make entries. */
const ENTRIES: Readonly<
  Record<string, { readonly kind: HandlerKind; readonly counted: 'tools' | 'resources' | 'prompts' }>
> = {
  Tool: { kind: 'tool', counted: 'tools' },
  Resource: { kind: 'resource', counted: 'resources' },
  ResourceTemplate: { kind: 'template', counted: 'resources' },
  Prompt: { kind: 'prompt', counted: 'prompts' },
};

/** Moves all entries of a class. @returns whether it has some */
export function moveEntries(file: MovedFile, node: TypeScript.ClassDeclaration): boolean {
  const { compiler } = file;
  const moved = new Set<TypeScript.MethodDeclaration>();
  for (const method of node.members.filter((each) => compiler.isMethodDeclaration(each))) {
    for (const [name, { kind, counted }] of Object.entries(ENTRIES)) {
      for (const found_ of decoratorsOf(file, method, name)) {
        file.handled.add(found_.call.expression);
        if (moveEntry(file, method, { ...found_, name, kind, isFirst: !moved.has(method) })) file.count(counted);
        moved.add(method);
      }
    }
  }
  return moved.size > 0;
}

interface EntryDecorator extends DecoratorCall {
  /** Whether no other decorator has moved its method. */
  readonly isFirst: boolean;
  readonly name: string;
  readonly kind: HandlerKind;
}

function moveEntry(file: MovedFile, method: TypeScript.MethodDeclaration, entry: EntryDecorator): boolean {
  const { compiler, old } = file;
  const { call, name, isFirst } = entry;
  const [given] = call.arguments;
  const options = given && bare(file, given);
  // The first versions took templates for resources, too.
  const isTemplate = entry.kind === 'resource' && options && /\{\w/.test(uriIn(file, options));
  const kind = isTemplate ? 'template' : entry.kind;
  const local = old.localOf(name) ?? name;
  const decorator = kind === 'template' ? 'Resource' : name;
  const now = file.want(CORE, decorator, kind === 'template' ? (old.localOf('Resource') ?? 'Resource') : local);
  if (now !== call.expression.getText()) file.replace(call.expression, now);
  if (!given || !options || !compiler.isObjectLiteralExpression(options)) {
    file.todo(
      method,
      `Write the options of @${local} in place: its first argument is the ${FIRST[kind]}.`,
      file.from.guide,
    );
    return false;
  }
  if (options.properties.some((each) => compiler.isSpreadAssignment(each)))
    file.todo(method, 'Look at the options that are spread here: their names have changed.', file.from.guide);
  for (const each of options.properties)
    if (!isPlain(file, each)) file.todo(each, 'Look at this option: its name may have changed.', file.from.guide);
  const has = (now: string): boolean =>
    file.from.entryOptions.some(([before, after]) => after === now && valueOf(file, options, before) !== undefined);
  const [hasInput, outputs] = [has('input'), has('output')];
  moveOptions(file, { given, options, kind, method, first: OPTION[name] ?? 'description' });
  // Another decorator may have moved it.
  if (isFirst) moveHandler(file, method, { kind, hasInput, outputs });
  return true;
}

/** Whether an option has a name and a value that can be read; what is spread is another matter. */
function isPlain({ compiler }: MovedFile, option: TypeScript.ObjectLiteralElementLike): boolean {
  const { name } = option;
  if (compiler.isSpreadAssignment(option) || compiler.isShorthandPropertyAssignment(option)) return true;
  const isComputed = name && compiler.isComputedPropertyName(name);
  return compiler.isPropertyAssignment(option) && !(isComputed && !compiler.isStringLiteralLike(name.expression));
}

function uriIn(file: MovedFile, options: TypeScript.Expression): string {
  const uri = file.compiler.isObjectLiteralExpression(options) ? valueOf(file, options, 'uri') : undefined;
  return uri && file.compiler.isStringLiteralLike(uri) ? uri.text : '';
}

/** The option that is the first argument, unless it is the description. */
const OPTION: Readonly<Record<string, string>> = { Resource: 'uri', ResourceTemplate: 'uriTemplate' };

const FIRST: Readonly<Record<HandlerKind, string>> = {
  tool: 'description',
  prompt: 'description',
  resource: 'URI',
  template: 'URI template',
};

interface EntryOptions {
  /** The argument of the decorator: the options, and what says their type. */
  readonly given: TypeScript.Expression;
  readonly options: TypeScript.ObjectLiteralExpression;
  readonly kind: HandlerKind;
  readonly method: TypeScript.MethodDeclaration;
  /** The option that is the first argument. */
  readonly first: string;
}

function moveOptions(file: MovedFile, { given, options, kind, method, first }: EntryOptions): void {
  const value = takeProperty(file, options, first);
  for (const pair of file.from.entryOptions) {
    renameProperty(file, options, pair);
    if (pair[1] !== 'meta') wrapShape(file, valueOf(file, options, pair[0]));
  }
  if (kind === 'tool') spreadAnnotations(file, options);
  if (value === undefined) {
    const name = method.name.getText();
    file.note(method, `${name} had no ${FIRST[kind]}: write one for the model in place of the TODO.`, file.from.guide);
    file.edits.insert(given.getStart(), `${quoted(file, `TODO: say what ${name} does, and when to call it`)}, `);
    return;
  }
  const emptied = isEmptied(options, [first]);
  if (kind === 'template') addTemplateInput(file, { options, method, uri: valueOf(file, options, first), emptied });
  else if (emptied) return file.replace(given, withWildcard(value));
  file.edits.insert(given.getStart(), `${withWildcard(value)}, `);
}

/** An object of schemas, instead of a schema, is the schema of an object. */
function wrapShape(file: MovedFile, shape: TypeScript.Expression | undefined): void {
  const { compiler, edits } = file;
  const z = zodIn(file);
  if (z === undefined || !shape || !compiler.isObjectLiteralExpression(shape)) return;
  const isSchema = (each: TypeScript.ObjectLiteralElementLike): boolean =>
    compiler.isPropertyAssignment(each) && each.initializer.getText().startsWith(`${z}.`);
  if (shape.properties.length > 0 && !shape.properties.some(isSchema)) return;
  edits.insert(shape.getStart(), `${z}.object(`);
  edits.insert(shape.getEnd(), ')');
}

/** `{path*}` took several segments: `{+path}` does so by the standard. */
function withWildcard(text: string): string {
  return text.replace(/\{(\w+)\*\}/g, '{+$1}');
}

/** Writes the option `input` of a template. */
function addTemplateInput(file: MovedFile, { options, method, uri, emptied }: TemplateOptions): void {
  if (!uri || !file.compiler.isStringLiteralLike(uri))
    return file.todo(
      method,
      'Write the option input: a schema, or a class, of the variables of the template.',
      'schemas',
    );
  const property = `input: ${schemaOf(file, variablesIn(uri.text))}`;
  if (emptied) return file.replace(options, `{ ${property} }`);
  const isOnLines = options.getText().includes('\n');
  const first = options.properties[0];
  const { lineEnd } = file.source.style;
  const before = isOnLines && first ? `${lineEnd}${indentationAt(file.text, first.getStart())}` : ' ';
  file.edits.insert(options.getStart() + 1, `${before}${property},`);
}

function variablesIn(template: string): TemplateVariable[] {
  return [...template.matchAll(/\{([+#./;?&]?)([^{}]*)\}/g)].flatMap(([, operator = '', names = '']) =>
    names.split(',').map((name) => ({
      name: name.replace(/\*$|:\d+$/, '').trim(),
      isOptional: operator === '?' || operator === '&',
    })),
  );
}

/** How a file calls zod; undefined if it does not import it. */
function zodIn({ compiler, tree }: MovedFile): string | undefined {
  const zod = importsFrom(compiler, tree, 'zod');
  return zod.localOf('z') ?? zod.localOf('default') ?? zod.localOf('*');
}

/** In zod, if the file has it; a JSON Schema otherwise. */
function schemaOf(file: MovedFile, variables: readonly TemplateVariable[]): string {
  const z = zodIn(file);
  if (z !== undefined) {
    const members = variables.map(({ name, isOptional }) => `${name}: ${z}.string()${isOptional ? '.optional()' : ''}`);
    return `${z}.object({ ${members.join(', ')} })`;
  }
  const members = variables.map(({ name }) => `${name}: { type: 'string' }`);
  const required = variables.filter(({ isOptional }) => !isOptional).map(({ name }) => `'${name}'`);
  return `{ type: 'object', properties: { ${members.join(', ')} }, required: [${required.join(', ')}] }`;
}
