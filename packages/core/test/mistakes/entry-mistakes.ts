/** Mistakes in features and tools. */
import { IsInt, IsNumber, IsObject, IsString } from 'class-validator';
import { Feature, McpContext, McpHeader, Tool } from '../../src';
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
    says: 'Library: it is listed among the features but is not decorated as one. Put @Feature() on the class. [SIGIL_NOT_A_FEATURE]',
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
    says: 'createServer({ features })[0]: an object of Library stands among the features, but a feature is a class, or what tool(), resource() or prompt() return. Name the class and let the server make its instance, with what its constructor asks for; a module goes into createServer({ modules }), and undefined is mostly a circular import. [SIGIL_FEATURE_NOT_A_CLASS]',
  },
  {
    title: 'one class in the place of a list',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') find(): void {}
      }
      return serverOf({ features: Library as never });
    },
    says: 'createServer({ features }): features is a function Library, which is no array. Give an array of classes, or of what tool(), resource() and prompt() return: createServer({ features: [WeatherFeature] }). [SIGIL_FEATURES]',
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
    says: 'Library: it is listed among the features but has no entries. Put @Tool, @Resource or @Prompt on a method; a class that only others need belongs into createServer({ providers }). [SIGIL_FEATURE_EMPTY]',
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
    says: 'Library.find: @Tool stands on a static method, but only methods of the instance are called. Drop `static`. [SIGIL_STATIC_METHOD]',
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
    says: 'Library.find: its description is " ", which tells nobody anything. Write a text by which people and models know what it is. [SIGIL_BLANK_WORDS]',
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
    says: 'Library.find: "find a book" is no tool name. Use 1 to 128 characters of A-Z a-z 0-9 _ - . (the `name` option, or the name of the method). [SIGIL_TOOL_NAME]',
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
    says: 'Library.findAuthor: there is already a tool "find", in Library.find. Give one of them another name; of two modules, a prefix to one of them, which its tools and prompts get. [SIGIL_DUPLICATE_ENTRY]',
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
    says: 'Library.find: parameter 1 is a String; arguments have names, so they come as an object. Write a class with a decorated property for each argument, and take that. [SIGIL_INPUT_NOT_A_CLASS]',
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
    says: 'Library.find: it has 2 parameters that are not McpContext (Query, Page). Put all arguments into one class and take that. [SIGIL_TWO_INPUTS]',
  },
  {
    title: 'an interface in the place of a class',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book') find({ title }: { title: string }): string {
          return title;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: parameter 1 has no class at run time: its type is an interface, was imported with `import type`, or is declared further down. Import the class with a plain `import`, declare it above, or name it: { input: TheClass }. [SIGIL_PARAMETER_WITHOUT_TYPE]',
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
    says: 'Library.find: the class of parameter 1 is imported with `import type`, so that it is gone at run time. Import it with a plain `import { TheClass }`, without the word `type`; a function cannot be an input. [SIGIL_PARAMETER_TYPE_ERASED]',
  },
  {
    title: 'a runner that drops the types',
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
    says: 'Library.find: 5s is no time limit. Give milliseconds, more than 0 and at most 2147483647, or Infinity for none. [SIGIL_TOOL_TIMEOUT]',
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
    says: "Library.find: The input schema does not have type 'object' at its root. Arguments have names: describe them as the properties of an object, a union as one of them. In a raw JSON Schema, add type: 'object'. [SIGIL_SCHEMA_ROOT]",
  },
  {
    title: 'a JSON Schema with a type that there is not',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { input: { type: 'object', properties: { title: { type: 'text' } } } }) find(): void {}
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: The raw JSON Schema is invalid in its own dialect: data/properties/title/type must be equal to one of the allowed values, data/properties/title/type must be array, data/properties/title/type must match a schema in anyOf. Correct the schema at the place that is named. [SIGIL_SCHEMA_INVALID]',
  },
  {
    title: 'a header for what is no text',
    make: () => {
      @Feature()
      class Library {
        @Tool('Weighs a book') weigh({ weight }: Mirrored): string {
          return String(weight);
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.weigh: The argument weight is mirrored into a header, but is of type "number". Mirror only strings, integers (@IsInt()) and booleans. In place of @Nullable() use @IsOptional(): null then counts as absent. [SIGIL_HEADER_TYPE]',
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
    says: "Library.find: The argument region is mirrored into the header \"X Region\", which is no token of RFC 9110. Name it with letters, digits and !#$%&'*+-.^_`|~ only, for example 'Region'. [SIGIL_HEADER_NAME]",
  },
  {
    title: 'a type of JavaScript in the place of a form',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { asks: [String] }) find(context: McpContext): string {
          return typeof context;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find asks(String): its form is a function String, which is neither a class with properties nor a schema. Give a class with decorated properties, a schema of zod, arktype or valibot, or a JSON Schema. What returns a text or a number needs no `output`, and what takes nothing no `input`. [SIGIL_NOT_A_SCHEMA]',
  },
  {
    title: 'a form that is not there yet',
    make: () => {
      @Feature()
      class Library {
        @Tool('Finds a book', { asks: [undefined as never] }) find(context: McpContext): string {
          return typeof context;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.find: asks holds undefined, which is no class and no schema. Give an array of form classes: { asks: [TheForm] }; undefined there is mostly a circular import, so move the form into a file of its own. [SIGIL_ASKS]',
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
    says: 'Library.find asks(Free): Free.data accepts an object, but a form of elicitation is flat: text, numbers, yes or no, and choices among strings. Move its properties into the form itself, or ask for them in a form of their own. [SIGIL_DTO_FORM_OBJECT]',
  },
];
