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

/** The rows: name, type, whether it must be there or what it is otherwise, and what it is about. */
export function schemaRows(view: SchemaView, styles: Styles, path = '', depth = 0): Cell[][] {
  return [...view.properties].flatMap(([name, property]) => {
    const nested = property.types.includes('array') ? property.items : property;
    const own = path + visible(name);
    const inner = property.types.includes('array') ? `${own}[].` : `${own}.`;
    return [
      row(own, property, { styles, required: view.required.includes(name) }),
      ...(depth < DEEPEST ? schemaRows(nested, styles, inner, depth + 1) : []),
    ];
  });
}

function row(name: string, view: SchemaView, { styles, required }: { styles: Styles; required: boolean }): Cell[] {
  const description = visible(view.text('description') ?? view.text('title') ?? '');
  const unsaid = findUnsaid(view);
  const constraints = visible(
    [...describeConstraints(view), ...(unsaid === undefined ? [] : [`! ${unsaid}`])].join(', '),
  );
  const about =
    description === '' || constraints === '' ? description + constraints : `${description} (${constraints})`;
  return [
    { text: name, style: styles.name },
    { text: visible(describeType(view)), style: unsaid === undefined ? styles.good : styles.warn },
    { text: need(view, required), style: required ? styles.warn : styles.dim },
    { text: about },
  ];
}

function need(view: SchemaView, required: boolean): string {
  const { schema } = view.resolved;
  if (required) return 'required';
  if (!('default' in schema)) return 'optional';
  const text = visible(JSON.stringify(schema['default']));
  return text.length > LONGEST_DEFAULT ? 'has a default' : `= ${text}`;
}
