/** What can be wrong with a feature, its tools, resources and prompts; found at start, or when the registry is changed. */
import type { CatalogueEntries } from './catalogue-entry';

/** Of classes and their decorated methods, and of entries described by data. */
export const ENTRY_ERRORS = {
  SIGIL_NOT_A_FEATURE: {
    what: 'it is listed among the features but is not decorated as one.',
    mend: 'Put @Feature() on the class.',
  },
  SIGIL_FEATURES: {
    what: 'features is {value}, which is no array.',
    mend: 'Give an array of classes, or of what tool(), resource() and prompt() return: createServer({ features: [WeatherFeature] }).',
  },
  SIGIL_FEATURE_NOT_A_CLASS: {
    what: '{value} stands among the features, but a feature is a class, or what tool(), resource() or prompt() return.',
    mend: 'Name the class and let the server make its instance, with what its constructor asks for; a module goes into createServer({ modules }), and undefined is mostly a circular import.',
  },
  SIGIL_ENTRY_FUNCTION: {
    what: 'its {part} is {value}, which is no function.',
    mend: 'Give the function that answers: { handler: (input, context) => ... }, or tool(name, options, (input, context) => ...).',
  },
  SIGIL_ENTRY_MEMBER: {
    what: 'it has {members}, which nothing reads.',
    mend: 'Say it by one of {known}. What the official SDK calls inputSchema and outputSchema is `input` and `output`.',
  },
  SIGIL_FEATURE_EMPTY: {
    what: 'it is listed among the features but has no entries.',
    mend: 'Put @Tool, @Resource or @Prompt on a method; a class that only others need belongs into createServer({ providers }).',
  },
  SIGIL_STATIC_METHOD: {
    what: '{decorator} stands on a static method, but only methods of the instance are called.',
    mend: 'Drop `static`.',
  },
  SIGIL_BLANK_WORDS: {
    what: 'its {part} is {value}, which tells nobody anything.',
    mend: 'Write a text by which people and models know what it is.',
  },
  SIGIL_TOOL_NAME: {
    what: '{name} is no tool name.',
    mend: 'Use 1 to 128 characters of A-Z a-z 0-9 _ - . (the `name` option, or the name of the method).',
  },
  SIGIL_DUPLICATE_ENTRY: {
    what: 'there is already a {entry}, in {other}.',
    mend: 'Give one of them another name; of two modules, a prefix to one of them, which its tools and prompts get.',
  },
  SIGIL_TWO_INPUTS: {
    what: 'it has {count} parameters that are not McpContext ({types}).',
    mend: 'Put all arguments into one class and take that.',
  },
  SIGIL_INPUT_NOT_A_CLASS: {
    what: 'parameter {position} is a {type}; arguments have names, so they come as an object.',
    mend: 'Write a class with a decorated property for each argument, and take that.',
  },
  SIGIL_PARAMETER_WITHOUT_TYPE: {
    what: 'parameter {position} has no class at run time: its type is an interface, was imported with `import type`, or is declared further down.',
    mend: 'Import the class with a plain `import`, declare it above, or name it: { input: TheClass }.',
  },
  SIGIL_PARAMETER_TYPE_ERASED: {
    what: 'the class of parameter {position} is imported with `import type`, so that it is gone at run time.',
    mend: 'Import it with a plain `import { TheClass }`, without the word `type`; a function cannot be an input.',
  },
  SIGIL_NO_METADATA: {
    what: 'it has parameters, but the compiler emitted no types for them.',
    mend: 'Compile with tsc or swc and "emitDecoratorMetadata" (tsx and esbuild drop it), or name the class: { input: TheClass }.',
  },
  SIGIL_ASKS: {
    what: 'asks {problem}.',
    mend: 'Give an array of form classes: { asks: [TheForm] }; undefined there is mostly a circular import, so move the form into a file of its own.',
  },
  SIGIL_RESOURCE_URI: {
    what: '{uri} is no absolute URI.',
    mend: 'Write it as RFC 3986 says: a scheme, a colon, and the rest percent-encoded, for example "weather://stations".',
  },
  SIGIL_RESOURCE_INPUT: {
    what: 'it takes an input, but its URI has no variables.',
    mend: 'Drop the parameter, or put variables into the URI: "weather://{{city}}/today".',
  },
  SIGIL_URI_TEMPLATE: {
    what: '{uri} cannot be used as a template: {reason}',
    mend: 'Write it as RFC 6570 says, so that its variables can be told apart, for example "weather://{{city}}/today".',
  },
  SIGIL_TEMPLATE_VARIABLES: {
    what: 'the template has the variables {variables}, but its input class the properties {properties}.',
    mend: 'Make them the same; the odd ones are {odd}.',
  },
  SIGIL_TEMPLATE_LIST: {
    what: "the template's variable {variable} is exploded, and so is a list, but the property {variable} of its input class is none.",
    mend: 'Make the property an array, for example with @IsString({ each: true }), or write the variable without the asterisk.',
  },
  SIGIL_TEMPLATE_NO_LIST: {
    what: "the property {variable} of its input class is an array, but the template's variable {variable} is a single text.",
    mend: 'Explode the variable, for example {/{variable}*} or {?{variable}*}, or make the property a single value.',
  },
  SIGIL_LIST_WITHOUT_TEMPLATE: {
    what: 'it lists what is under a template, but {uri} has no variables.',
    mend: 'Drop `list`, or put variables into the URI: "weather://{{city}}/today".',
  },
  SIGIL_LIST_TARGET: {
    what: '@ListTemplate names {target}, but no method of the class with that name has a resource template.',
    mend: 'Name a method that has one @Resource with {{variables}} in its URI.',
  },
  SIGIL_LIST_TARGETS: {
    what: '@ListTemplate names {target}, which has {count} templates, so nothing tells which of them it lists.',
    mend: 'Give each template a method of its own, and name the one that is listed.',
  },
  SIGIL_LIST_TWICE: {
    what: '@ListTemplate names {target}, which another method lists already.',
    mend: 'Let one method return both lists.',
  },
  SIGIL_LIST_PARAMETERS: {
    what: 'it has @ListTemplate, but takes more than the context, the caller and a page: nothing else is known while a template is listed.',
    mend: 'Take nothing, or at most one McpContext, one Caller and one PageRequest.',
  },
  SIGIL_COMPLETE_TARGET: {
    what: '@Complete names {target}, but no prompt or resource template of the class is a method of that name.',
    mend: 'Name the method that has @Prompt, or @Resource with a template.',
  },
  SIGIL_COMPLETE_ARGUMENT: {
    what: 'it completes the argument {argument}, but {target} has {known}.',
    mend: 'Name one of its arguments or variables.',
  },
} as const satisfies CatalogueEntries;
