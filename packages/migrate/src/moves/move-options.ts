/** The object literals of decorators: properties that are renamed, taken out, or spread. */
import type * as TypeScript from 'typescript';
import type { MovedFile } from '../files/moved-file';
import { indentationAt, nameOf, removeElement, valueOf } from '../files/syntax';

/** The hints of a tool in the old package, and here. */
const HINTS: Readonly<Record<string, string>> = {
  title: 'title',
  readOnlyHint: 'readOnly',
  destructiveHint: 'destructive',
  idempotentHint: 'idempotent',
  openWorldHint: 'openWorld',
};

/** Gives a property another name. Does nothing without it. */
export function renameProperty(
  file: MovedFile,
  literal: TypeScript.ObjectLiteralExpression,
  [before, after]: readonly [string, string],
): void {
  const { compiler } = file;
  const found = literal.properties.find((each) => nameOf(each) === before);
  if (!found?.name) return;
  if (compiler.isShorthandPropertyAssignment(found)) file.replace(found, `${after}: ${found.name.text}`);
  else file.replace(found.name, after);
}

/** Takes a property out. @returns the text of its value; undefined without it */
export function takeProperty(
  file: MovedFile,
  literal: TypeScript.ObjectLiteralExpression,
  name: string,
): string | undefined {
  const value = valueOf(file, literal, name);
  const index = literal.properties.findIndex((each) => nameOf(each) === name);
  if (!value || index === -1) return undefined;
  const text = file.textOf(value);
  removeElement(file, literal.properties, index);
  return text;
}

/** Puts the hints of `annotations` among the options of the tool, under their names here. */
export function spreadAnnotations(file: MovedFile, literal: TypeScript.ObjectLiteralExpression): void {
  const { compiler, text } = file;
  const property = literal.properties.find((each) => nameOf(each) === 'annotations');
  const value = valueOf(file, literal, 'annotations');
  if (!property || !value) return;
  const isKnown =
    compiler.isObjectLiteralExpression(value) &&
    value.properties.every((each) => compiler.isPropertyAssignment(each) && nameOf(each) in HINTS);
  if (!isKnown) {
    file.todo(
      property,
      'Write its hints as options of the tool: readOnly, destructive, idempotent, openWorld.',
      'guide',
    );
    return;
  }
  const own = value.properties.map((each) => {
    const assigned = each as TypeScript.PropertyAssignment;
    return `${HINTS[nameOf(each)] ?? ''}: ${assigned.initializer.getText()}`;
  });
  const isOnLines = value.getText().includes('\n');
  const { lineEnd } = file.source.style;
  const separator = isOnLines ? `,${lineEnd}${indentationAt(text, property.getStart())}` : ', ';
  file.replace(property, own.join(separator));
}

/** Whether nothing is left in a literal from which properties were taken. */
export function isEmptied(literal: TypeScript.ObjectLiteralExpression, taken: readonly string[]): boolean {
  return literal.properties.every((each) => taken.includes(nameOf(each)));
}
