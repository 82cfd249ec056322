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
export { defineErrors } from './errors/define-errors';
export type { DefinedErrors } from './errors/define-errors';
export type { CatalogueEntries, CatalogueEntry, CatalogueGroup } from './errors/sigil-error';
export { DefinitionError } from './errors/definition-error';
export type { DefinitionProblem, ReportProblem } from './errors/definition-error';
export { errorPage } from './errors/sigil-error';
export { describeFailures } from './errors/sigil-error';
export type { Failure } from './errors/sigil-error';
export { INTERNAL_ERROR } from './errors/define-errors';
export { SigilError } from './errors/sigil-error';
export type { CodeOf, ErrorWords, ValuesOf } from './errors/sigil-error';

export type { JsonObject, JsonValue } from './json/json-value';
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

export { LONGEST_TIMER, systemClock } from './time/clock';
export type { Clock, Timer } from './time/clock';
export { RequestClock, afterTurn, platformClock } from './time/request-clock';
export { Deadline } from './time/deadline';

export { isBuiltIn, isClass, withBases } from './values/class';
export type { Class } from './values/class';
export { isObject } from './json/json-value';
export { andThen, isPromise, unawaited } from './values/maybe-promise';
export type { MaybePromise } from './values/maybe-promise';
export { nearestNames } from './values/nearest-names';
export { nameValue } from './values/name-value';
export { settleWithin } from './time/deadline';
export { segmentsOf } from './values/segments';
export { shorten } from './values/name-value';
