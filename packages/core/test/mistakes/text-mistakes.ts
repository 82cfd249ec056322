/** Mistakes in resources and prompts, whose arguments are texts. */
import { Type } from 'class-transformer';
import { IsString, ValidateNested } from 'class-validator';
import { AnyOf, Complete, Feature, ListTemplate, Prompt, Resource } from '../../src';
import { serverOf, type Mistake } from './mistake';

class Query {
  @IsString() title!: string;
}

class Nested {
  @ValidateNested() @Type(() => Query) query!: Query;
}

class Several {
  @AnyOf(String, Number) id!: string | number;
}

/** Each with a feature called Library. */
export const TEXT_MISTAKES: readonly Mistake[] = [
  {
    title: 'a path instead of a URI',
    make: () => {
      @Feature()
      class Library {
        @Resource('/books/all') all(): string {
          return '';
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.all: "/books/all" is not an absolute URI. Follow RFC 3986: a scheme, a colon, and the rest percent-encoded, for example "weather://stations". [SIGIL_RESOURCE_URI]',
  },
  {
    title: 'a resource that takes an input without variables',
    make: () => {
      @Feature()
      class Library {
        @Resource('books://all') all({ title }: Query): string {
          return title;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.all: it takes an input, but its URI has no variables. Remove the parameter, or add variables to the URI: "weather://{city}/today". [SIGIL_RESOURCE_INPUT]',
  },
  {
    title: 'a template with another variable than its class',
    make: () => {
      @Feature()
      class Library {
        @Resource('books://{id}') one({ title }: Query): string {
          return title;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.one: the template has the variables id, but its input class has the properties title. Make them the same. These differ: title, id. [SIGIL_TEMPLATE_VARIABLES]',
  },
  {
    title: 'a template that is not closed',
    make: () => {
      @Feature()
      class Library {
        @Resource('books://{title') one({ title }: Query): string {
          return title;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.one: "books://{title" cannot be used as a template: its braces do not pair up. Follow RFC 6570, with variables that can be told apart, for example "weather://{city}/today". [SIGIL_URI_TEMPLATE]',
  },
  {
    title: 'a list for a resource without variables',
    make: () => {
      @Feature()
      class Library {
        @Resource('books://all') all(): string {
          return '';
        }
        @ListTemplate('all') list(): [] {
          return [];
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.list: @ListTemplate names "all", but the class has no method of that name with a resource template. Name a method with a @Resource that has {variables} in its URI. [SIGIL_LIST_TARGET]',
  },
  {
    title: 'a list for a resource whose name is misspelled',
    make: () => {
      @Feature()
      class Library {
        @Resource('books://{title}') card({ title }: Query): string {
          return title;
        }
        @ListTemplate('crad') list(): [] {
          return [];
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.list: @ListTemplate names "crad", but the class has no method of that name with a resource template. Name a method with a @Resource that has {variables} in its URI. Did you mean "card"? [SIGIL_LIST_TARGET]',
  },
  {
    title: 'completions of a method that does not exist',
    make: () => {
      @Feature()
      class Library {
        @Prompt('Recommends a book') recommend({ title }: Query): string {
          return title;
        }
        @Complete('title', 'advise') titles(): string[] {
          return [];
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.titles: @Complete names "advise", but the class has no prompt or resource template with that method name. Name the method that has @Prompt, or @Resource with a template. [SIGIL_COMPLETE_TARGET]',
  },
  {
    title: 'completions of an argument that does not exist',
    make: () => {
      @Feature()
      class Library {
        @Prompt('Recommends a book') recommend({ title }: Query): string {
          return title;
        }
        @Complete('author', 'recommend') authors(): string[] {
          return [];
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.authors: it completes the argument "author", but recommend has title. Name one of its arguments or variables. [SIGIL_COMPLETE_ARGUMENT]',
  },
  {
    title: 'an object in the arguments of a prompt',
    make: () => {
      @Feature()
      class Library {
        @Prompt('Recommends a book') recommend({ query }: Nested): string {
          return query.title;
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.recommend: Nested.query is an object, but prompt arguments and URI variables are strings. Use a string, number, boolean, enum, or an array of them. [SIGIL_DTO_NOT_FLAT]',
  },
  {
    title: 'a union in the arguments of a prompt',
    make: () => {
      @Feature()
      class Library {
        @Prompt('Recommends a book') recommend({ id }: Several): string {
          return String(id);
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.recommend: Several.id has several types, but prompt arguments and URI variables are strings, so the type cannot be told. Use one type, for example @IsString(), and tell the cases apart in the handler. [SIGIL_DTO_UNION_NOT_FLAT]',
  },
];
