/** Errors of features, tools, resources and prompts; found at start, or when the registry is changed. */
import type { CatalogueEntries } from '@sigil-mcp/base';

/** Of classes and their decorated methods, and of entries described by data. */
export const ENTRY_ERRORS = {
  SIGIL_NOT_A_FEATURE: {
    problem: 'it is listed in features, but has no @Feature() decorator.',
    fix: 'Put @Feature() on the class.',
  },
  SIGIL_NO_FEATURE: {
    problem: 'it is in features, but has neither @Feature() nor a tool, resource or prompt.',
    fix: 'Remove it from `features`. For a class that others receive in their constructors, @Injectable() on it or an entry in `providers` is enough. If it will have tools, put @Feature() on it.',
  },
  SIGIL_FEATURES: {
    problem: 'features is {value}, which is not an array.',
    fix: 'Pass an array of classes, or of entries made with tool(), resource() and prompt(): createServer({ features: [WeatherFeature] }).',
  },
  SIGIL_FEATURE_NOT_A_CLASS: {
    problem:
      'features contains {value}, but a feature is a class, or an entry made with tool(), resource() or prompt().',
    fix: 'Pass the class, and let the server create the instance with its constructor dependencies. A module belongs in createServer({ modules }). undefined usually means a circular import.',
  },
  SIGIL_ENTRY_FUNCTION: {
    problem: 'its {part} is {value}, which is not a function.',
    fix: 'Pass a function: { handler: (input, context) => ... }, or tool(name, options, (input, context) => ...).',
  },
  SIGIL_ENTRY_MEMBER: {
    problem: 'it has unknown options: {members}.',
    fix: 'Use {known}.{suggestion} The `inputSchema` and `outputSchema` of the official SDK are called `input` and `output` here.',
  },
  SIGIL_DECORATOR_OPTIONS: {
    problem: 'its options are {value}, which is not an object.',
    fix: "Pass an object: @Tool('Finds a book', { readOnly: true }), @Resource('notes://all', { description: 'All notes' }).",
  },
  SIGIL_FEATURE_EMPTY: {
    problem: 'it is listed in features, but has no tools, resources or prompts.',
    fix: 'Put @Tool, @Resource or @Prompt on a method. A class that other classes depend on belongs in createServer({ providers }).',
  },
  SIGIL_STATIC_METHOD: {
    problem: '{decorator} is on a static method, but only instance methods are called.',
    fix: 'Remove `static`.',
  },
  SIGIL_BLANK_WORDS: {
    problem: 'its {part} is {value}, which says nothing.',
    fix: 'Write a text that tells people and models what it does.',
  },
  SIGIL_PLACEHOLDER: {
    problem: 'its {part} is a placeholder: {value}.',
    fix: 'Write what a model should read instead of the TODO.',
  },
  SIGIL_TOOL_NAME: {
    problem: '{name} is not a valid tool name.',
    fix: 'Use 1 to 128 characters of A-Z a-z 0-9 _ - . (set the `name` option, or rename the method).',
  },
  SIGIL_TOOL_SINCE: {
    problem: 'since is {since}, which is not a version.',
    fix: "Write the version of the server in which the tool appeared, in the form of semantic versioning: { since: '1.2.0' }.",
  },
  SIGIL_REPLACES: {
    problem: 'replaces is {value}, which is not an array.',
    fix: "List the old names of the tool: { replaces: ['searchBook'] }.",
  },
  SIGIL_REPLACED_NAME: {
    problem: 'replaces has {name}, which is not a valid tool name.',
    fix: 'Write the name that the tool had, with 1 to 128 characters of A-Z a-z 0-9 _ - ., or { name, arguments } if its arguments were different.',
  },
  SIGIL_REPLACED_MEMBER: {
    problem: 'the old name {name} in replaces has the unknown member {member}.',
    fix: 'Use `name` and `arguments`: { name: "searchBook", arguments: (old) => ({ title: old.text }) }.',
  },
  SIGIL_REPLACED_ARGUMENTS: {
    problem: 'the `arguments` of the old name {name} in replaces is {value}, which is not a function.',
    fix: 'Pass a function that makes the arguments of today out of the old ones: { name: "searchBook", arguments: (old) => ({ title: old.text }) }.',
  },
  SIGIL_REPLACES_ITSELF: {
    problem: 'replaces has {name}, which is its own name.',
    fix: 'Remove it from `replaces`, or give the tool its new name.',
  },
  SIGIL_REPLACED_TWICE: {
    problem: 'replaces has {name}, which {other} replaces already.',
    fix: 'Remove it from one of them: an old name leads to one tool.',
  },
  SIGIL_REPLACED_TAKEN: {
    problem: 'replaces has {name}, but there is a tool of that name, in {other}.',
    fix: 'Remove the old tool, whose calls the new one is to answer, or the name from `replaces`.',
  },
  SIGIL_EXAMPLE: {
    problem: 'its {example} {reason}.',
    fix: "Write what a call sends, and what it does: @Example({ args: { title: 'Emma' }, says: 'Finds a novel.' }).",
  },
  SIGIL_EXAMPLE_ARGUMENTS: {
    problem: 'a call with its {example} would be refused: {failures}.',
    fix: 'Change `args` of @Example, or the class of the arguments.',
  },
  SIGIL_EXAMPLE_TARGET: {
    problem: 'it has @Example, but takes no arguments.',
    fix: 'Remove @Example, or put it on a tool, a prompt or a resource template.',
  },
  SIGIL_DUPLICATE_ENTRY: {
    problem: 'there is already a {entry}, in {other}.',
    fix: 'Rename one of them. If they come from two modules, give one module a prefix for its tools and prompts.',
  },
  SIGIL_TWO_INPUTS: {
    problem: 'it has {count} parameters that are not McpContext ({types}).',
    fix: 'Put all arguments into one class and use that as the only parameter other than McpContext.',
  },
  SIGIL_INPUT_NOT_A_CLASS: {
    problem: 'parameter {position} is a {type}, but arguments have names, so they arrive as an object.',
    fix: 'Write a class with a decorated property for each argument, and use it as the type of the parameter.',
  },
  SIGIL_PARAMETER_WITHOUT_TYPE: {
    problem:
      'parameter {position} has no class at run time. Its type is an interface, was imported with `import type`, is declared further down in the file, or comes from a file that imports this one (a circular import).',
    fix: 'Import the class with a plain `import`, declare it above, or name it: { input: TheClass }. sigil doctor finds circular imports.',
  },
  SIGIL_PARAMETER_TYPE_ERASED: {
    problem: 'the class of parameter {position} is imported with `import type`, so it does not exist at run time.',
    fix: 'Import it with a plain `import { TheClass }`, without the word `type`. A function cannot be an input.',
  },
  SIGIL_NO_METADATA: {
    problem: 'it has parameters, but the compiler emitted no types for them.',
    fix: 'Compile with tsc or swc and "emitDecoratorMetadata" (tsx and esbuild drop it), or name the class: { input: TheClass }.',
  },
  SIGIL_ASKS: {
    problem: 'asks {problem}.',
    fix: 'Pass an array of form classes: { asks: [TheForm] }. undefined usually means a circular import: move the form into its own file.',
  },
  SIGIL_RESOURCE_URI: {
    problem: '{uri} is not an absolute URI.',
    fix: 'Follow RFC 3986: a scheme, a colon, and the rest percent-encoded, for example "weather://stations".',
  },
  SIGIL_RESOURCE_INPUT: {
    problem: 'it takes an input, but its URI has no variables.',
    fix: 'Remove the parameter, or add variables to the URI: "weather://{{city}}/today".',
  },
  SIGIL_URI_TEMPLATE: {
    problem: '{uri} cannot be used as a template: {reason}',
    fix: 'Follow RFC 6570, with variables that can be told apart, for example "weather://{{city}}/today".',
  },
  SIGIL_TEMPLATE_VARIABLES: {
    problem: 'the template has the variables {variables}, but its input class has the properties {properties}.',
    fix: 'Make them the same. These differ: {odd}.',
  },
  SIGIL_TEMPLATE_LIST: {
    problem:
      "the template's variable {variable} is exploded, so it is a list, but the property {variable} of its input class is not an array.",
    fix: 'Make the property an array, for example with @IsString({ each: true }), or remove the asterisk from the variable.',
  },
  SIGIL_TEMPLATE_NO_LIST: {
    problem:
      "the property {variable} of its input class is an array, but the template's variable {variable} is a single text.",
    fix: 'Explode the variable, for example {/{variable}*} or {?{variable}*}, or make the property a single value.',
  },
  SIGIL_TEMPLATE_SENSITIVE: {
    problem:
      'its URI has the sensitive variable {variable}. Hosts show URIs, and over HTTP proxies log them as the header Mcp-Name.',
    fix: 'Take the value as an argument of a tool, or use something in its place that is no secret.',
  },
  SIGIL_LIST_WITHOUT_TEMPLATE: {
    problem: 'it has `list`, but {uri} has no variables.',
    fix: 'Remove `list`, or add variables to the URI: "weather://{{city}}/today".',
  },
  SIGIL_LIST_TARGET: {
    problem: '@ListTemplate names {target}, but the class has no method of that name with a resource template.',
    fix: 'Name a method with a @Resource that has {{variables}} in its URI.{suggestion}',
  },
  SIGIL_LIST_TARGETS: {
    problem: '@ListTemplate names {target}, which has {count} templates, so it is unclear which one it lists.',
    fix: 'Give each template its own method, and name the one to list.',
  },
  SIGIL_LIST_TWICE: {
    problem: '@ListTemplate names {target}, which another method lists already.',
    fix: 'Return both lists from one method.',
  },
  SIGIL_LIST_PARAMETERS: {
    problem: 'it has @ListTemplate, but has parameters other than the context, the caller and a page.',
    fix: 'Use no parameters, or at most one McpContext, one Caller and one PageRequest.',
  },
  SIGIL_COMPLETE_TARGET: {
    problem: '@Complete names {target}, but the class has no prompt or resource template with that method name.',
    fix: 'Name the method that has @Prompt, or @Resource with a template.{suggestion}',
  },
  SIGIL_COMPLETE_ARGUMENT: {
    problem: 'it completes the argument {argument}, but {target} has {known}.',
    fix: 'Name one of its arguments or variables.',
  },
} as const satisfies CatalogueEntries;
