/** The variables of a URI template as the schema that its handler is given. */
import type * as TypeScript from 'typescript';
import { importsFrom } from './imported-names';
import type { MovedFile } from './moved-file';
import { indentationAt } from './syntax';

/** A template, with the options of its decorator. */
export interface TemplateOptions {
  readonly options: TypeScript.ObjectLiteralExpression;
  readonly method: TypeScript.MethodDeclaration;
  readonly uri: TypeScript.Expression | undefined;
  /** Whether no other option is left. */
  readonly emptied: boolean;
}

/** Writes the option `input` of a template. */
export function addTemplateInput(file: MovedFile, { options, method, uri, emptied }: TemplateOptions): void {
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

/** A variable of a template. */
interface Variable {
  readonly name: string;
  readonly isOptional: boolean;
}

function variablesIn(template: string): Variable[] {
  return [...template.matchAll(/\{([+#./;?&]?)([^{}]*)\}/g)].flatMap(([, operator = '', names = '']) =>
    names.split(',').map((name) => ({
      name: name.replace(/\*$|:\d+$/, '').trim(),
      isOptional: operator === '?' || operator === '&',
    })),
  );
}

/** How a file calls zod; undefined if it does not import it. */
export function zodIn({ compiler, tree }: MovedFile): string | undefined {
  const zod = importsFrom(compiler, tree, 'zod');
  return zod.localOf('z') ?? zod.localOf('default') ?? zod.localOf('*');
}

/** In zod, if the file has it; a JSON Schema otherwise. */
function schemaOf(file: MovedFile, variables: readonly Variable[]): string {
  const z = zodIn(file);
  if (z !== undefined) {
    const members = variables.map(({ name, isOptional }) => `${name}: ${z}.string()${isOptional ? '.optional()' : ''}`);
    return `${z}.object({ ${members.join(', ')} })`;
  }
  const members = variables.map(({ name }) => `${name}: { type: 'string' }`);
  const required = variables.filter(({ isOptional }) => !isOptional).map(({ name }) => `'${name}'`);
  return `{ type: 'object', properties: { ${members.join(', ')} }, required: [${required.join(', ')}] }`;
}
