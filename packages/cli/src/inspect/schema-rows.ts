/** A schema as rows of a table: one for each property, with nested properties below it. */
import { describeConstraints, describeType } from '../arguments/describe-type';
import { findUnsaid } from '../arguments/find-unsaid';
import { markedDescription } from '../placeholder';
import type { SchemaView } from '../arguments/json-schema';
import type { Cell } from '../terminal/columns';
import { visible } from '@sigil-mcp/base';
import type { Styles } from '../terminal/styles';

/** The depth to which nested objects are shown. */
const DEEPEST = 4;
const LONGEST_DEFAULT = 40;
/** Shorter tables are repeated, because they are quicker to read than to look up. */
const WORTH_IT = 2;

/** The styles of the rows, and the objects that need no rows because they are shown elsewhere. */
export interface RowStyle {
  readonly styles: Styles;
  /** Whether it is the schema of a result, whose defaults do not matter to the reader. */
  readonly isResult: boolean;
  /** @returns the place that shows an object already; undefined if it is to be shown here, at `place` (`authors[]`) */
  readonly shownElsewhere: (view: SchemaView, depth: number, place: string) => string | undefined;
}

/** The rows: name, type, whether it is required or its default, and the description. */
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

/** The text of all rows, including objects that are shown elsewhere. */
export function schemaTexts(view: SchemaView, depth = 0, path = ''): string[][] {
  return eachProperty(view, path, depth).flatMap(({ name, place, property, nested, required }) => [
    textsOf({ name, property, required }, '', false),
    ...(nested ? schemaTexts(nested, depth + 1, `${place}.`) : []),
  ]);
}

interface Property {
  /** The full path: `authors[].name`. */
  readonly name: string;
  /** The path of its own properties: its name, with brackets for a list. */
  readonly place: string;
  readonly property: SchemaView;
  /** The schema with the properties of the next level; undefined if they are not shown. */
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
  const description = markedDescription(visible(view.text('description') ?? view.text('title') ?? ''));
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

/** Objects that have been shown, by the contents of their tables: an equal table is referred to, not repeated. */
export class ShownTables {
  readonly #places = new Map<string, string>();

  /**
   * Finds the place where an object was shown; if it was not, this place is remembered.
   * @param depth of the object within the schema
   * @param place such as `what addBook returns`
   */
  findOrAdd(view: SchemaView, depth: number, place: string): string | undefined {
    const texts = schemaTexts(view, depth);
    if (texts.length < WORTH_IT) return undefined;
    const key = JSON.stringify(texts);
    const earlier = this.#places.get(key);
    if (earlier === undefined) this.#places.set(key, place);
    return earlier;
  }
}
