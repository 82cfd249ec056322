/**
 * The ground of all packages of Sigil. It has only what at least two of them need, and imports nothing: no package, and no built-in module
 * of Node. The facts of classes, which need `reflect-metadata`, are an entry of their own: `@sigil-mcp/base/facts`.
 */
export {
  OPTION_ERRORS,
  OPTION_RULES,
  checkOptions,
  listOf,
  membersOf,
  oneOf,
  orNull,
  requireOptions,
  wholeNumber,
  withOthers,
} from './errors/check-options';
export type { OptionRule, OptionRules } from './errors/check-options';
export {
  defineErrors,
  DefinitionError,
  describeFailures,
  errorPage,
  fillWords,
  INTERNAL_ERROR,
  SigilError,
  type CatalogueEntries,
  type CatalogueEntry,
  type CatalogueGroup,
  type CodeOf,
  type DefinedErrors,
  type DefinitionProblem,
  type ErrorWords,
  type Failure,
  type ReportProblem,
  type ValuesOf,
} from './errors/define-errors';

export { isObject, parseJson, type JsonObject, type JsonValue } from './json/json-value';
export type {
  BooleanField,
  ChoiceField,
  ChoicesField,
  FormField,
  FormSchema,
  NumberField,
  TextField,
  TitledValue,
} from './json/form-schema';

export {
  afterTurn,
  type Clock,
  LONGEST_TIMER,
  platformClock,
  RequestClock,
  systemClock,
  type Timer,
} from './time/clock';
export { Deadline, settleWithin } from './time/deadline';

export { isBuiltIn, isClass, withBases, type Class } from './values/class';
export { andThen, isPromise, unawaited, type MaybePromise } from './values/maybe-promise';
export { nearestNames } from './values/nearest-names';
export { nameValue, shorten } from './values/name-value';
export { segmentsOf } from './values/segments';
export { visible, visibleLine } from './values/visible-text';
