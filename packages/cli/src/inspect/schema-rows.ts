/** A schema as rows of a table: one for each property, those of nested objects below theirs. */
import { describeConstraints, describeType } from '../arguments/describe-type';
import { findUnsaid } from '../arguments/find-unsaid';
import type { SchemaView } from '../arguments/json-schema';
import type { Cell } from '../terminal/columns';
import { visible } from '../terminal/visible-text';
import type { Styles } from '../terminal/styles';

/** Objects within objects are shown to this depth. */
const DEEPEST = 4;
const LONGEST_DEFAULT = 40;

/** How the rows are dressed, and which objects need none, because they are shown elsewhere. */
export interface RowStyle {
  readonly styles: Styles;
  /** Whether it is a result: its defaults are no choice of its reader. */
  readonly isResult: boolean;
  /** @returns where an object is shown; undefined where that is here, at `place` (`authors[]`) */
  readonly shownElsewhere: (view: SchemaView, depth: number, place: string) => string | undefined;
}

/** The rows: name, type, whether it must be there or what it is otherwise, and what it is about. */
export function schemaRows(view: SchemaView, style: RowStyle, path = '', depth = 0): Cell[][] {
  return eachProperty(view, path, depth).flatMap(({ name, place, property, nested, required }) => {
    const elsewhere = nested && style.shownElsewhere(nested, depth + 1, place);
    const alike = elsewhere === undefined ? '' : `${place === name ? '' : 'each '}the same as ${elsewhere}`;
    return [
      dressed(textsOf({ name, property, required }, alike, style.isResult), property, {
        required,
        styles: style.styles,
      }),
      ...(nested && elsewhere === undefined ? schemaRows(nested, style, `${place}.`, depth + 1) : []),
    ];
  });
}

/** What all rows say, with those that are shown elsewhere. */
export function schemaTexts(view: SchemaView, depth = 0, path = ''): string[][] {
  return eachProperty(view, path, depth).flatMap(({ name, place, property, nested, required }) => [
    textsOf({ name, property, required }, '', false),
    ...(nested ? schemaTexts(nested, depth + 1, `${place}.`) : []),
  ]);
}

interface Property {
  /** With all that it stands in: `authors[].name`. */
  readonly name: string;
  /** What its own properties stand in: its name, with brackets if it is a list. */
  readonly place: string;
  readonly property: SchemaView;
  /** What has the properties of the next depth; undefined where they are not looked at. */
  readonly nested: SchemaView | undefined;
  readonly required: boolean;
}

function eachProperty(view: SchemaView, path: string, depth: number): Property[] {
  return [...view.properties].map(([key, property]) => {
    const name = path + visible(key);
    const isList = property.types.includes('array');
    const nested = isList ? property.items : property;
    return {
      name,
      place: isList ? `${name}[]` : name,
      property,
      nested: depth < DEEPEST ? nested : undefined,
      required: view.required.includes(key),
    };
  });
}

function textsOf(
  { name, property: view, required }: Pick<Property, 'name' | 'property' | 'required'>,
  alike: string,
  isResult: boolean,
): string[] {
  const description = visible(view.text('description') ?? view.text('title') ?? '');
  const unsaid = findUnsaid(view);
  const constraints = visible(
    [...describeConstraints(view), ...(unsaid === undefined ? [] : [`! ${unsaid}`])].join(', '),
  );
  const about =
    description === '' || constraints === '' ? description + constraints : `${description} (${constraints})`;
  return [name, visible(describeType(view)), need(view, required, isResult), [about, alike].filter(Boolean).join('; ')];
}

function dressed(
  [name = '', type = '', needed = '', about = '']: readonly string[],
  view: SchemaView,
  { required, styles }: { required: boolean; styles: Styles },
): Cell[] {
  return [
    { text: name, style: styles.name },
    { text: type, style: findUnsaid(view) === undefined ? styles.good : styles.warn },
    { text: needed, style: required ? styles.warn : styles.dim },
    { text: about },
  ];
}

function need(view: SchemaView, required: boolean, isResult: boolean): string {
  const { schema } = view.resolved;
  if (required) return 'required';
  if (isResult || !('default' in schema)) return 'optional';
  const text = visible(JSON.stringify(schema['default']));
  return text.length > LONGEST_DEFAULT ? 'has a default' : `= ${text}`;
}
