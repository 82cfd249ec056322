/** Mistakes in features and tools. */
import { IsInt, IsNumber, IsObject, IsString } from 'class-validator';
import {
  Describe,
  Example,
  Feature,
  Injectable,
  McpContext,
  McpHeader,
  Prompt,
  Resource,
  Sensitive,
  Tool,
} from '../../src';
import { decorateMethod, emits, serverOf, type Mistake } from './mistake';

class Query {
  @IsString() title!: string;
}

class Page {
  @IsInt() page!: number;
}

class Mirrored {
  @IsNumber() @McpHeader('Weight') weight!: number;
}

class Spaced {
  @IsString() @McpHeader('X Region') region!: string;
}

class Keyed {
  @IsString() @McpHeader('Key') @Sensitive() key!: string;
}

class Secret {
  @IsString() @Sensitive() key!: string;
}

class Free {
  @IsObject() data!: object;
}

/** Each with a feature called Library. */
export const ENTRY_MISTAKES: readonly Mistake[] = [
  {
    title: 'a class without @Feature',
    make: () => {
      class Library {
        @Tool('Finds a book') find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library: it is listed in features, but has no @Feature() decorator. Put @Feature() on the class. [SIGIL_NOT_A_FEATURE]',
  },
  {
    title: 'a dependency of features among them',
    make: () => {
      @Injectable()
      class Shelf {}
      @Feature()
      class Library {
        constructor(readonly shelf: Shelf) {}
        @Tool('Finds a book') find(): void {}
      }
      return serverOf({ features: [Shelf, Library] });
    },
    says: 'Shelf: it is in features, but has neither @Feature() nor a tool, resource or prompt. Remove it from `features`. For a class that others receive in their constructors, @Injectable() on it or an entry in `providers` is enough. If it will have tools, put @Feature() on it. [SIGIL_NO_FEATURE]',
  },
  {
    title: 'an instance among the features',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') find(): void {}
      }
      return serverOf({ features: [new Library() as never] });
    },
    says: 'createServer({ features })[0]: features contains an object of Library, but a feature is a class, or an entry made with tool(), resource() or prompt(). Pass the class, and let the server create the instance with its constructor dependencies. A module belongs in createServer({ modules }). undefined usually means a circular import. [SIGIL_FEATURE_NOT_A_CLASS]',
  },
  {
    title: 'one class instead of a list',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') find(): void {}
      }
      return serverOf({ features: Library as never });
    },
    says: 'createServer({ features }): features is a function Library, which is not an array. Pass an array of classes, or of entries made with tool(), resource() and prompt(): createServer({ features: [WeatherFeature] }). [SIGIL_FEATURES]',
  },
  {
    title: 'a feature without entries',
    make: () => {
      @Feature()
      class Library {
        find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library: it is listed in features, but has no tools, resources or prompts. Put @Tool, @Resource or @Prompt on a method. A class that other classes depend on belongs in createServer({ providers }). [SIGIL_FEATURE_EMPTY]',
  },
  {
    title: 'a static method',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') static find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: @Tool is on a static method, but only instance methods are called. Remove `static`. [SIGIL_STATIC_METHOD]',
  },
  {
    title: 'a description that is still to be written',
    make: () => {
      class Input {
        @Describe('TODO: say what it is') @IsString() title!: string;
      }
      @Feature()
      class Library {
        @Tool('Finds a book') find(input: Input): void {
          void input;
        }
      }
      return serverOf({ features: [Library], strict: true });
    },
    says: 'Library.find: its description of "title" is a placeholder: "TODO: say what it is". Write what a model should read instead of the TODO. [SIGIL_PLACEHOLDER]',
  },
  {
    title: 'a blank description',
    make: () => {
      @Feature()
      class Library {
        @Tool(' ') find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: its description is " ", which says nothing. Write a text that tells people and models what it does. [SIGIL_BLANK_WORDS]',
  },
  {
    title: 'a name with spaces',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { name: 'find a book' }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: "find a book" is not a valid tool name. Use 1 to 128 characters of A-Z a-z 0-9 _ - . (set the `name` option, or rename the method). [SIGIL_TOOL_NAME]',
  },
  {
    title: 'one name for two tools',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') find(): void {}
        @Tool('Finds an author', { name: 'find' }) findAuthor(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.findAuthor: there is already a tool "find", in Library.find. Rename one of them. If they come from two modules, give one module a prefix for its tools and prompts. [SIGIL_DUPLICATE_ENTRY]',
  },
  {
    title: 'arguments as parameters',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') find(title: string): string {
          return title;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: parameter 1 is a String, but arguments have names, so they arrive as an object. Write a class with a decorated property for each argument, and use it as the type of the parameter. [SIGIL_INPUT_NOT_A_CLASS]',
  },
  {
    title: 'two classes of arguments',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') find({ title }: Query, { page }: Page): string {
          return title + page;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: it has 2 parameters that are not McpContext (Query, Page). Put all arguments into one class and use that as the only parameter other than McpContext. [SIGIL_TWO_INPUTS]',
  },
  {
    title: 'an object type instead of a class',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') find({ title }: { title: string }): string {
          return title;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: parameter 1 has no class at run time. Its type is an interface, was imported with `import type`, is declared further down in the file, or comes from a file that imports this one (a circular import). Import the class with a plain `import`, declare it above, or name it: { input: TheClass }. sigil doctor finds circular imports. [SIGIL_PARAMETER_WITHOUT_TYPE]',
  },
  {
    title: 'a class that is imported as a type',
    make: () => {
      @Feature()
      class Library {
        find(query: Query): string {
          return query.title;
        }
      }
      emits(Library, 'find', 'design:paramtypes', [Function]);
      decorateMethod(Library, 'find', Tool('Finds a book'));
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: the class of parameter 1 is imported with `import type`, so it does not exist at run time. Import it with a plain `import { TheClass }`, without the word `type`. A function cannot be an input. [SIGIL_PARAMETER_TYPE_ERASED]',
  },
  {
    title: 'a runner that emits no types',
    make: () => {
      @Feature()
      class Library {
        find(query: Query): string {
          return query.title;
        }
      }
      decorateMethod(Library, 'find', Tool('Finds a book'));
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: it has parameters, but the compiler emitted no types for them. Compile with tsc or swc and "emitDecoratorMetadata" (tsx and esbuild drop it), or name the class: { input: TheClass }. [SIGIL_NO_METADATA]',
  },
  {
    title: 'a time limit in words',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { timeout: '5s' as never }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: 5s is not a valid time limit. Use milliseconds, more than 0 and at most 2147483647, or Infinity for no limit. [SIGIL_TOOL_TIMEOUT]',
  },
  {
    title: 'a JSON Schema without an object at its root',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { input: { type: 'string' } }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: "Library.find: The input schema does not have type 'object' at its root. Arguments have names, so describe them as properties of an object. A union can be one of the properties. In a raw JSON Schema, add type: 'object'. [SIGIL_SCHEMA_ROOT]",
  },
  {
    title: 'a JSON Schema with a type that does not exist',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { input: { type: 'object', properties: { title: { type: 'text' } } } }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: The raw JSON Schema is invalid in its own dialect: data/properties/title/type must be equal to one of the allowed values, data/properties/title/type must be array, data/properties/title/type must match a schema in anyOf. Fix the schema at the given place. [SIGIL_SCHEMA_INVALID]',
  },
  {
    title: 'a header for a number with decimals',
    make: () => {
      @Feature()
      class Library {
        @Tool('Weighs a book') weigh({ weight }: Mirrored): string {
          return String(weight);
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.weigh: The argument weight is mirrored into a header, but is of type "number". Mirror only strings, integers (@IsInt()) and booleans. Instead of @Nullable() use @IsOptional(), which treats null as absent. [SIGIL_HEADER_TYPE]',
  },
  {
    title: 'a header for a secret',
    make: () => {
      @Feature()
      class Library {
        @Tool('Opens the archive') open({ key }: Keyed): string {
          return key;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.open: The argument key is mirrored into the header "Key" and is sensitive. Proxies log headers. Remove @McpHeader (x-mcp-header) from it, or mirror another argument. [SIGIL_HEADER_SENSITIVE]',
  },
  {
    title: 'a secret in a URI',
    make: () => {
      @Feature()
      class Library {
        @Resource('library://archive/{key}') archive({ key }: Secret): string {
          return key;
        }
      }
      return serverOf({ features: [Library], strict: true });
    },
    says: 'Library.archive: its URI has the sensitive variable key. Hosts show URIs, and over HTTP proxies log them as the header Mcp-Name. Take the value as an argument of a tool, or use something in its place that is no secret. [SIGIL_TEMPLATE_SENSITIVE]',
  },
  {
    title: 'a header with a space in its name',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') find({ region }: Spaced): string {
          return region;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: "Library.find: The argument region is mirrored into the header \"X Region\", which is not a valid header name (RFC 9110). Name it with letters, digits and !#$%&'*+-.^_`|~ only, for example 'Region'. [SIGIL_HEADER_NAME]",
  },
  {
    title: 'a type of JavaScript instead of a form',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { asks: [String] }) find(context: McpContext): string {
          return typeof context;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find asks(String): its form is a function String, which is neither a class with properties nor a schema. Pass a class with decorated properties, a schema of zod, arktype or valibot, or a JSON Schema. A tool that returns a text or a number needs no `output`, and one without arguments no `input`. [SIGIL_NOT_A_SCHEMA]',
  },
  {
    title: 'a form that is undefined',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { asks: [undefined as never] }) find(context: McpContext): string {
          return typeof context;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: asks holds undefined, which is neither a class nor a schema. Pass an array of form classes: { asks: [TheForm] }. undefined usually means a circular import: move the form into its own file. [SIGIL_ASKS]',
  },
  {
    title: 'a form with an object in it',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { asks: [Free] }) find(context: McpContext): string {
          return typeof context;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find asks(Free): Free.data accepts an object, but a form of elicitation is flat: text, numbers, yes or no, and choices among strings. Move its properties into the form itself, or ask for them in a separate form. [SIGIL_DTO_FORM_OBJECT]',
  },
  {
    title: 'an option of @Tool that does not exist',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { readonly: true } as never) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: it has unknown options: readonly. Use name, title, input, asks, icons, meta, output, readOnly, destructive, idempotent, openWorld, coerce, timeout, concurrency, mimeType, since, deprecated, replaces. Did you mean readOnly? The `inputSchema` and `outputSchema` of the official SDK are called `input` and `output` here. [SIGIL_ENTRY_MEMBER]',
  },
  {
    title: 'guards among the options of @Prompt',
    make: () => {
      @Feature()
      class Library {
        @Prompt('Recommends a book', { guards: [] } as never) recommend(): string {
          return '';
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.recommend: it has unknown options: guards. Use name, title, input, asks, icons, meta. The `inputSchema` and `outputSchema` of the official SDK are called `input` and `output` here. [SIGIL_ENTRY_MEMBER]',
  },
  {
    title: 'a text in the place of the options of @Resource',
    make: () => {
      @Feature()
      class Library {
        @Resource('library://hours', 'When it is open' as never) hours(): string {
          return '';
        }
      }
      return serverOf({ features: [Library] });
    },
    says: "Library.hours: its options are \"When it is open\", which is not an object. Pass an object: @Tool('Finds a book', { readOnly: true }), @Resource('notes://all', { description: 'All notes' }). [SIGIL_DECORATOR_OPTIONS]",
  },
  {
    title: 'a version in words',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { since: 'soon' }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: since is "soon", which is not a version. Write the version of the server in which the tool appeared, in the form of semantic versioning: { since: \'1.2.0\' }. [SIGIL_TOOL_SINCE]',
  },
  {
    title: 'a deprecation that says nothing',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { deprecated: ' ' }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: its deprecated is " ", which says nothing. Write a text that tells people and models what it does. [SIGIL_BLANK_WORDS]',
  },
  {
    title: 'an old name without a list',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { replaces: 'searchBook' as never }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: replaces is "searchBook", which is not an array. List the old names of the tool: { replaces: [\'searchBook\'] }. [SIGIL_REPLACES]',
  },
  {
    title: 'an old name that no tool can have',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { replaces: ['search book'] }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: replaces has "search book", which is not a valid tool name. Write the name that the tool had, with 1 to 128 characters of A-Z a-z 0-9 _ - ., or { name, arguments } if its arguments were different. [SIGIL_REPLACED_NAME]',
  },
  {
    title: 'a misspelt member of an old name',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { replaces: [{ name: 'searchBook', args: () => ({}) } as never] }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: the old name "searchBook" in replaces has the unknown member args. Use `name` and `arguments`: { name: "searchBook", arguments: (old) => ({ title: old.text }) }. [SIGIL_REPLACED_MEMBER]',
  },
  {
    title: 'names of arguments in place of a function that converts them',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { replaces: [{ name: 'searchBook', arguments: { text: 'title' } as never }] })
        find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: the `arguments` of the old name "searchBook" in replaces is an object, which is not a function. Pass a function that makes the arguments of today out of the old ones: { name: "searchBook", arguments: (old) => ({ title: old.text }) }. [SIGIL_REPLACED_ARGUMENTS]',
  },
  {
    title: 'a tool that replaces itself',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { replaces: ['find'] }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: replaces has "find", which is its own name. Remove it from `replaces`, or give the tool its new name. [SIGIL_REPLACES_ITSELF]',
  },
  {
    title: 'an old name twice',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { replaces: ['searchBook', 'searchBook'] }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: replaces has "searchBook", which it replaces already. Remove it from one of them: an old name leads to one tool. [SIGIL_REPLACED_TWICE]',
  },
  {
    title: 'an old name that another tool has',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { replaces: ['lend'] }) find(): void {}
        @Tool('Lends a book') lend(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: replaces has "lend", but there is a tool of that name, in Library.lend. Remove the old tool, whose calls the new one is to answer, or the name from `replaces`. [SIGIL_REPLACED_TAKEN]',
  },
  {
    title: 'an example with a wrong argument',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') @Example({ args: { title: 7 }, says: 'Finds a novel.' }) find(query: Query): void {
          void query;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: a call with its example 1 would be refused: title: must be a string, not 7. Change `args` of @Example, or the class of the arguments. [SIGIL_EXAMPLE_ARGUMENTS]',
  },
  {
    title: 'an example that says nothing',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') @Example({ args: {}, says: '' }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: "Library.find: its example 1 says nothing. Write what a call sends, and what it does: @Example({ args: { title: 'Emma' }, says: 'Finds a novel.' }). [SIGIL_EXAMPLE]",
  },
  {
    title: 'an example of a resource without variables',
    make: () => {
      @Feature()
      class Library {
        @Resource('library://books', { description: 'All books' })
        @Example({ args: {}, says: 'Lists.' })
        find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: it has @Example, but takes no arguments. Remove @Example, or put it on a tool, a prompt or a resource template. [SIGIL_EXAMPLE_TARGET]',
  },
];
