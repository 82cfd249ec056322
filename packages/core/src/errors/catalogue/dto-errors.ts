/** What can be wrong with a class of arguments, results or answers; found at start. */
import type { CatalogueEntries } from './catalogue-entry';

const FLAT = 'but a form of elicitation is flat: text, numbers, yes or no, and choices among strings.';

/** `{dto}` is the class, `{property}` the class and one of its properties. */
export const DTO_ERRORS = {
  SIGIL_DTO_NOT_CONSTRUCTIBLE: {
    what: '{dto} cannot be constructed without arguments: its constructor throws.',
    mend: 'Give the class a constructor that works without arguments, or none.',
  },
  SIGIL_DTO_PROPERTY_WITHOUT_DECORATOR: {
    what: '{property} is declared without a decorator, so that nobody may send it.',
    mend: 'Decorate it, for example with @IsString() or @Allow(), or make it a #private field.',
  },
  SIGIL_DTO_PROPERTY_WITHOUT_TYPE: {
    what: '{property} has a @Type() or a @RecordOf() that names nothing: its class is not there when the file is loaded.',
    mend: 'Name a class that is there: two files that import each other leave one of their classes undefined, so move the class to a file of its own, and import it as a value (not with `import type`).',
  },
  SIGIL_DTO_NESTED_WITHOUT_TYPE: {
    what: '{property} is nested, but its class is not known at run time: a model is told nothing of it, and the handler gets any object.',
    mend: 'Add @Type(() => TheClass), and import the class as a value (not with `import type`). A Record of its instances is said by @RecordOf(TheClass) alone.',
  },
  SIGIL_DTO_NESTED_WITHOUT_VALIDATION: {
    what: '{property} holds {nested}, but does not say that it is validated: it is.',
    mend: 'Add @ValidateNested(), with { each: true } for an array; or say @RecordOf() in the place of both for a Record.',
  },
  SIGIL_DTO_TYPE_BY_VALUE: {
    what: '{property} has a @Type() whose function looks at the value to choose a class, so that no schema can be listed.',
    mend: "Name the classes: @Type(() => Base, { discriminator: { property: 'kind', subTypes: [...] } }) chooses by a property, @AnyOf(() => [One, Other]) by what fits.",
  },
  SIGIL_DTO_DISCRIMINATOR: {
    what: '{property} chooses its class by a discriminator, but {reason}.',
    mend: "Say @Type(() => Base, { discriminator: { property: 'kind', subTypes: [{ value: TheClass, name: 'its-name' }, ...] } }), with another name for each class.",
  },
  SIGIL_DTO_UNION: {
    what: '{property} has @AnyOf, which {reason}.',
    mend: 'Name each type of the property once, as in @AnyOf(String, Number) or @AnyOf(() => [City, Coordinates], { each: true }).',
  },
  SIGIL_DTO_UNION_NOT_FLAT: {
    what: '{property} is of several types, but prompt arguments and URI variables are strings: nothing tells which type is meant.',
    mend: 'Use one type, for example @IsString(), and tell the cases apart in the handler.',
  },
  SIGIL_DTO_NO_RECORD: {
    what: '{property} has @RecordOf, but its type is {type}.',
    mend: 'Use @RecordOf on a Record or a Map, and rules with { each: true } or @Type on an array or a Set.',
  },
  SIGIL_DTO_CONTRADICTION: {
    what: '{property} accepts no value at all: {reason}.',
    mend: 'Change or remove one of the decorators; on an array, those about its items need { each: true }.',
  },
  SIGIL_DTO_WRONG_TYPE: {
    what: '{property} is declared as {type}, but {reason}.',
    mend: 'Let both say the same: {advice}.',
  },
  SIGIL_DTO_TYPE_WITHOUT_JSON: {
    what: '{property} is declared as {type}, which JSON does not have: the handler would never get one.',
    mend: 'Declare what travels (a string, a number, an object), or make a {type} of it with @Transform().',
  },
  SIGIL_DTO_ASYNC_TRANSFORM: {
    what: '{property} has an async @Transform, for which nobody waits: its value would be a promise.',
    mend: 'Convert at once, or leave the value as it travels and look it up in the handler.',
  },
  SIGIL_DTO_TYPE_ERASED: {
    what: '{property} has a type that is gone at run time: a class that was imported with `import type`, or a function, which cannot travel.',
    mend: 'Import the class with a plain `import`; a function stays in the handler.',
  },
  SIGIL_DTO_ANY_VALUE: {
    what: '{property} says that it is there, but not what it is: a model is told nothing of it, and the handler gets any JSON value.',
    mend: 'Name the type: @IsString(), @IsInt(), @IsObject(), @AnyOf(...), @RecordOf(...), or a class (from a plain `import`) with @ValidateNested() and @Type(). A compiler that reads each file alone, such as that of jest (isolatedModules), does not know imported type aliases and enums: a property of such a type needs a decorator that says it. If it may be anything, say @Allow().',
  },
  SIGIL_DTO_ANY_ITEMS: {
    what: '{property} does not say what it holds: a model is told nothing of it, and the handler gets any JSON values in it.',
    mend: 'Name the type of each: @IsString({ each: true }), or @ValidateNested({ each: true }) with @Type(() => TheClass). If they may be anything, say @Allow().',
  },
  SIGIL_DTO_ANY_MEMBERS: {
    what: '{property} holds {type}, a class without rules: a model is told nothing of its properties, and the handler gets any object, as it was sent.',
    mend: 'Decorate the properties of {type}, and add @ValidateNested() here. If it may be any object, say @Allow().',
  },
  SIGIL_DTO_LIST_OR_RECORD: {
    what: '{property} is taken for a list of {nested}, because of { each: true }: the compiler says only Object of its type, as of a record.',
    mend: 'For a list add @IsArray(); for a Record<string, {nested}> say @RecordOf({nested}) in the place of @ValidateNested() and @Type().',
  },
  SIGIL_DTO_LIST_OF_LISTS: {
    what: '{property} is a list of lists, of which the compiler says only Array: { each: true } makes a flat list of it.',
    mend: 'Let it hold instances of a class that has the inner list, or describe it by a schema of zod, or a JSON Schema.',
  },
  SIGIL_DTO_RUNAWAY_PATTERN: {
    what: '{property} is compared with {pattern}, which takes exponential time: a text of thirty letters can stop the server.',
    mend: 'Rewrite it so that no text inside of a repetition can be matched in two ways: ^a+$ in place of ^(a+)+$. If you know better, say @Matches(..., { context: { trusted: true } }).',
  },
  SIGIL_DTO_NAME_TWICE: {
    what: "{property} is exposed as '{name}', the name of another property.",
    mend: 'Give each property its own name.',
  },
  SIGIL_DTO_READ_ONLY: {
    what: '{property} has a getter but no setter, so that nothing can be read into it.',
    mend: 'Make it a plain property, or exclude it with @Exclude({ toClassOnly: true }).',
  },
  SIGIL_DTO_NOT_FLAT: {
    what: '{property} is an object, but prompt arguments and URI variables are only strings.',
    mend: 'Use a string, number, boolean, enum or an array of them.',
  },
  SIGIL_MAPPED_NO_CLASS: {
    what: '{helper}() was called without a class.',
    mend: 'Give it a class that is there already: two files that import each other leave one of their classes undefined, so move the class to a file of its own, and import it as a value (not with `import type`).',
  },
  SIGIL_MAPPED_UNKNOWN: {
    what: '{dto} names {names}, which the class does not have.',
    mend: 'Name properties as the class does, not as they are called on the wire; in TypeScript a wrong name does not compile.',
  },
  SIGIL_MAPPED_BY_NEST: {
    what: '{dto} is made by a mapped type of NestJS (@nestjs/mapped-types, @nestjs/swagger or @nestjs/graphql), which loses {lost}.',
    mend: 'Import PartialType, PickType, OmitType and IntersectionType from @sigil-mcp/core: they keep all that is known of a property, and a partial class has no defaults.',
  },
  SIGIL_MAPPED_DEFAULTS: {
    what: '{dto} is a partial class of NestJS (@nestjs/mapped-types, @nestjs/swagger or @nestjs/graphql) with defaults for {names}: they are left out here, so that a change has only what was sent.',
    mend: 'Import PartialType from @sigil-mcp/core, which has no defaults, or remove the initialisers.',
  },
  SIGIL_DTO_FORM_OBJECT: {
    what: `{property} accepts {kinds}, ${FLAT}`,
    mend: 'Move its properties into the form itself, or ask for them in a form of their own.',
  },
  SIGIL_DTO_FORM_NULL: {
    what: `{property} may be null, ${FLAT}`,
    mend: 'Use @IsOptional() in place of @Nullable(): what the user leaves blank is absent.',
  },
  SIGIL_DTO_FORM_ARRAY: {
    what: `{property} is an array of {items}, ${FLAT}`,
    mend: 'Name the items to choose from: @IsIn([...], { each: true }) or @IsEnum(E, { each: true }) of strings.',
  },
  SIGIL_DTO_FORM_NUMBER_CHOICE: {
    what: `{property} chooses among numbers, ${FLAT}`,
    mend: 'Let the values be strings and translate them in the handler; @ValueTitles gives them words for people.',
  },
  SIGIL_DTO_FORM_MANY_KINDS: {
    what: `{property} accepts {kinds}, ${FLAT}`,
    mend: 'Decorate it as one of them, for example with @IsString() or @IsNumber().',
  },
  SIGIL_VALUE_TITLES_WITHOUT_VALUES: {
    what: '{property} has @ValueTitles, but names no values to choose from.',
    mend: 'Name the values with @IsIn([...]) or with @IsEnum(E) of strings, or remove @ValueTitles.',
  },
  SIGIL_VALUE_TITLES_MISSING: {
    what: '{property} has @ValueTitles, but none for {values}.',
    mend: 'Give every value that the property accepts a title.',
  },
  SIGIL_VALUE_TITLES_UNKNOWN: {
    what: '{property} has @ValueTitles, but it does not accept {values}.',
    mend: 'Title only values that the property accepts.',
  },
} as const satisfies CatalogueEntries;
