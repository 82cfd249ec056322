/** A constraint of class-validator as data: its decorator, the values that it is about, and the keywords of JSON Schema that say it. */
import type { FormFormat } from '../date-text';
import type { JsonSchema, Kind } from '../value-plan';
import type { ArgumentMap } from './argument-maps';
import type { Interpret, Meaning } from './constraint-meaning';

/** A value of a keyword that is taken from an argument of the decorator. */
export interface FromArgument {
  /** The position of the argument. */
  readonly argument: number;
  /** How the argument becomes the value of the keyword, and the value the argument. */
  readonly map: ArgumentMap;
}

/** One row of the table. It is read forwards by `findMeaning`, and backwards by `findDecorators`. */
export interface Constraint {
  /** The name of the constraint in class-validator: `isLength`. */
  readonly name: string;
  /** The name of its decorator, without an at sign: `Length`. */
  readonly decorator: string;
  /** The kinds of values that it accepts; left out if it is about values of any kind. */
  readonly kinds?: readonly Kind[];
  /** The keywords that are always listed, as they are. */
  readonly fixed?: JsonSchema;
  /** The keywords whose values are taken from arguments. `enum` and `const` list the only values, `not` the refused ones. */
  readonly taken?: Readonly<Record<string, FromArgument>>;
  /** What else is known of it: it accepts integers only, it refuses more than its keywords say. */
  readonly marks?: Pick<Meaning, 'integer' | 'neverNull' | 'stricter' | 'loose' | 'dateText' | 'mayBeAbsent'>;
  /** The format that a form may publish, if the decorator has no options. */
  readonly format?: FormFormat;
  /** Values are checked by what the keywords say, because class-validator does not agree with them. */
  readonly checkedAsListed?: true;
  /** With an argument it says something that no keyword can say. */
  readonly bareOnly?: true;
  /** Where data are not enough: what the arguments mean. The other members still say what is listed. */
  readonly interpret?: Interpret;
  /** It is not the decorator that its keywords lead back to: they do not say it, or another decorator says the same. */
  readonly oneWay?: true;
}
