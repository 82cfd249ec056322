/** Errors of classes for arguments, results or answers; found at start. */
import type { CatalogueEntries } from '@sigil-mcp/base';

const FLAT = 'but a form of elicitation is flat: text, numbers, yes or no, and choices among strings.';

/** `{dto}` is the class, `{property}` the class and one of its properties. */
export const DTO_ERRORS = {
  SIGIL_DTO_NOT_CONSTRUCTIBLE: {
    problem: '{dto} cannot be constructed without arguments: its constructor throws.',
    fix: 'Use a constructor that works without arguments, or none.',
  },
  SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR: {
    problem: '{property} has no decorator, so clients cannot send it.',
    fix: 'Decorate it, for example with @IsString() or @Allow(), or make it a #private field.',
  },
  SIGIL_DTO_PROPERTY_WITHOUT_TYPE: {
    problem:
      '{property} has a @Type() or @RecordOf() that returns undefined: the class does not exist yet when the file is loaded.',
    fix: 'Move the class to its own file and import it as a value (not with `import type`). Two files that import each other leave one class undefined.',
  },
  SIGIL_DTO_NESTED_WITHOUT_TYPE: {
    problem:
      '{property} is nested, but its class is not known at run time: nothing can validate it, and models see no schema for it.',
    fix: 'Add @Type(() => TheClass), and import the class as a value (not with `import type`). For a Record of instances, use @RecordOf(TheClass) alone.',
  },
  SIGIL_DTO_NESTED_WITHOUT_VALIDATION: {
    problem:
      '{property} holds {nested} without @ValidateNested(), which `strict` requires. Without `strict` it is validated anyway.',
    fix: 'Add @ValidateNested(), with { each: true } for an array. For a Record, use @RecordOf() instead of both.',
  },
  SIGIL_DTO_TYPE_BY_VALUE: {
    problem: '{property} has a @Type() whose function looks at the value to choose a class, so it has no schema.',
    fix: "Name the classes: @Type(() => Base, { discriminator: { property: 'kind', subTypes: [...] } }) chooses by a property, @AnyOf(() => [One, Other]) by what fits.",
  },
  SIGIL_DTO_DISCRIMINATOR: {
    problem: '{property} chooses its class by a discriminator, but {reason}.',
    fix: "Write @Type(() => Base, { discriminator: { property: 'kind', subTypes: [{ value: TheClass, name: 'its-name' }, ...] } }), with a different name for each class.",
  },
  SIGIL_DTO_UNION: {
    problem: '{property} has @AnyOf, which {reason}.',
    fix: 'Name each type of the property once, as in @AnyOf(String, Number) or @AnyOf(() => [City, Coordinates], { each: true }).',
  },
  SIGIL_DTO_UNION_NOT_FLAT: {
    problem:
      '{property} has several types, but prompt arguments and URI variables are strings, so the type cannot be told.',
    fix: 'Use one type, for example @IsString(), and tell the cases apart in the handler.',
  },
  SIGIL_DTO_NO_RECORD: {
    problem: '{property} has @RecordOf, but its type is {type}.',
    fix: 'Use @RecordOf on a Record or a Map, and rules with { each: true } or @Type on an array or a Set.',
  },
  SIGIL_DTO_CONTRADICTION: {
    problem: '{property} accepts no value at all: {reason}.',
    fix: 'Change or remove one of the decorators. On an array, decorators for the items need { each: true }.',
  },
  SIGIL_DTO_WRONG_TYPE: {
    problem: '{property} is declared as {type}, but {reason}.',
    fix: 'Make both agree: {advice}.',
  },
  SIGIL_DTO_TYPE_WITHOUT_JSON: {
    problem: '{property} is declared as {type}, which does not exist in JSON, so the handler would never receive one.',
    fix: 'Declare the JSON type (a string, a number, an object), or convert it to {type} with @Transform().',
  },
  SIGIL_DTO_ASYNC_TRANSFORM: {
    problem: '{property} has an async @Transform, which is not awaited: its value would be a promise.',
    fix: 'Convert synchronously, or keep the value and look it up in the handler.',
  },
  SIGIL_DTO_TYPE_ERASED: {
    problem:
      '{property} has a type that does not exist at run time: a class imported with `import type`, or a function, which JSON cannot carry.',
    fix: 'Import the class with a plain `import`. Keep functions in the handler.',
  },
  SIGIL_DTO_ANY_VALUE: {
    problem:
      '{property} has no decorator that gives its type: models see no schema for it, and the handler receives any JSON value.',
    fix: 'Add one: @IsString(), @IsInt(), @IsObject(), @AnyOf(...), @RecordOf(...), or for a class @ValidateNested() and @Type(). A compiler that reads each file alone (jest with isolatedModules, for example) does not know imported type aliases and enums, so such a property needs a decorator. If any value is fine, use @Allow().',
  },
  SIGIL_DTO_ANY_ITEMS: {
    problem:
      '{property} does not give the type of its items: models see no schema for them, and the handler receives any JSON values.',
    fix: 'Add the type of the items: @IsString({ each: true }), or @ValidateNested({ each: true }) with @Type(() => TheClass). If any value is fine, use @Allow().',
  },
  SIGIL_DTO_ANY_MEMBERS: {
    problem:
      '{property} holds {type}, a class without decorators: models see no schema for its properties, and the handler receives any object, unchanged.',
    fix: 'Decorate the properties of {type}, and add @ValidateNested() here. If any object is fine, use @Allow().',
  },
  SIGIL_DTO_LIST_OR_RECORD: {
    problem:
      '{property} is read as a list of {nested}, because of { each: true }. The compiler gives only Object as its type, as for a record.',
    fix: 'For a list, add @IsArray(). For a Record<string, {nested}>, use @RecordOf({nested}) instead of @ValidateNested() and @Type().',
  },
  SIGIL_DTO_GROUPS: {
    problem: '{property} has {what}. No group is ever requested, so they {effect}.',
    fix: 'Remove the groups, or write one class for each use: PickType, OmitType and PartialType derive them.',
  },
  SIGIL_DTO_EACH_OF_ONE: {
    problem: '{property} has {rules} with { each: true }, but is sent as one value, so they apply to that value.',
    fix: 'Remove { each: true }. For a list, declare it as one (string[], with @IsArray() if the compiler does not know it).',
  },
  SIGIL_DTO_LIST_OF_LISTS: {
    problem:
      '{property} is a list of lists, but { each: true } describes a flat list, and the compiler gives only Array as its type.',
    fix: 'Use a list of objects of a class that holds the inner list, or a zod schema or JSON Schema.',
  },
  SIGIL_DTO_RUNAWAY_PATTERN: {
    problem:
      '{property} is matched against {pattern}, which can take exponential time: a text of thirty letters can stop the server.',
    fix: 'Rewrite it so that a text inside a repetition can match in only one way: ^a+$ instead of ^(a+)+$. If you are sure that it is safe, add @Matches(..., { context: { trusted: true } }).',
  },
  SIGIL_DTO_NAME_TWICE: {
    problem: "{property} is exposed as '{name}', the name of another property.",
    fix: 'Give each property its own name.',
  },
  SIGIL_DTO_READ_ONLY: {
    problem: '{property} has a getter but no setter, so no value can be assigned to it.',
    fix: 'Make it a plain property, or exclude it with @Exclude({ toClassOnly: true }).',
  },
  SIGIL_DTO_NOT_FLAT: {
    problem: '{property} is an object, but prompt arguments and URI variables are strings.',
    fix: 'Use a string, number, boolean, enum, or an array of them.',
  },
  SIGIL_MAPPED_NO_CLASS: {
    problem: '{helper}() was called without a class.',
    fix: 'Pass a class that is already defined. Two files that import each other leave one class undefined: move the class to its own file and import it as a value (not with `import type`).',
  },
  SIGIL_MAPPED_UNKNOWN: {
    problem: '{dto} names {names}, which the class does not have.',
    fix: 'Use the property names of the class, not the names in JSON. TypeScript reports a wrong name.',
  },
  SIGIL_MAPPED_BY_NEST: {
    problem:
      '{dto} is made by a mapped type of NestJS (@nestjs/mapped-types, @nestjs/swagger or @nestjs/graphql), which loses {lost}.',
    fix: 'Import PartialType, PickType, OmitType and IntersectionType from @sigil-mcp/core. They keep everything known about a property, and a partial class has no defaults.',
  },
  SIGIL_MAPPED_DEFAULTS: {
    problem:
      '{dto} is a partial class of NestJS (@nestjs/mapped-types, @nestjs/swagger or @nestjs/graphql) with defaults for {names}. They are ignored here, so that an update contains only what was sent.',
    fix: 'Import PartialType from @sigil-mcp/core, which has no defaults, or remove the initialisers.',
  },
  SIGIL_DTO_FORM_OBJECT: {
    problem: `{property} accepts {kinds}, ${FLAT}`,
    fix: 'Move its properties into the form itself, or ask for them in a separate form.',
  },
  SIGIL_DTO_FORM_NULL: {
    problem: `{property} may be null, ${FLAT}`,
    fix: 'Use @IsOptional() instead of @Nullable(): a field that the user leaves blank is absent.',
  },
  SIGIL_DTO_FORM_ARRAY: {
    problem: `{property} is an array of {items}, ${FLAT}`,
    fix: 'Name the items to choose from: @IsIn([...], { each: true }) or @IsEnum(E, { each: true }) of strings.',
  },
  SIGIL_DTO_FORM_NUMBER_CHOICE: {
    problem: `{property} chooses among numbers, ${FLAT}`,
    fix: 'Use strings as values and convert them in the handler. @ValueTitles gives them titles for people.',
  },
  SIGIL_DTO_FORM_MANY_KINDS: {
    problem: `{property} accepts {kinds}, ${FLAT}`,
    fix: 'Decorate it as one of them, for example with @IsString() or @IsNumber().',
  },
  SIGIL_DTO_FORM_SENSITIVE: {
    problem: '{property} has @Sensitive(), and a form must not ask for sensitive values: the client sees the answer.',
    fix: 'Ask for it on a page of your own with context.elicitUrl, or remove the property.',
  },
  SIGIL_VALUE_TITLES_WITHOUT_VALUES: {
    problem: '{property} has @ValueTitles, but no list of values.',
    fix: 'List the values with @IsIn([...]) or with @IsEnum(E) of strings, or remove @ValueTitles.',
  },
  SIGIL_VALUE_TITLES_MISSING: {
    problem: '{property} has @ValueTitles, but none for {values}.',
    fix: 'Give every value that the property accepts a title.',
  },
  SIGIL_VALUE_TITLES_UNKNOWN: {
    problem: '{property} has @ValueTitles, but it does not accept {values}.',
    fix: 'Title only values that the property accepts.',
  },
} as const satisfies CatalogueEntries;
