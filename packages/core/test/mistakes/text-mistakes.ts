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
    title: 'a path in the place of a URI',
    make: () => {
      @Feature()
      class Library {
        @Resource('/books/all') all(): string {
          return '';
        }
      }
      return serverOf({ features: [Library] });
    },
    says: 'Library.all: "/books/all" is no absolute URI. Write it as RFC 3986 says: a scheme, a colon, and the rest percent-encoded, for example "weather://stations". [SIGIL_RESOURCE_URI]',
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
    says: 'Library.all: it takes an input, but its URI has no variables. Drop the parameter, or put variables into the URI: "weather://{city}/today". [SIGIL_RESOURCE_INPUT]',
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
    says: 'Library.one: the template has the variables id, but its input class the properties title. Make them the same; the odd ones are title, id. [SIGIL_TEMPLATE_VARIABLES]',
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
    says: 'Library.one: "books://{title" cannot be used as a template: its braces do not pair up. Write it as RFC 6570 says, so that its variables can be told apart, for example "weather://{city}/today". [SIGIL_URI_TEMPLATE]',
  },
  {
    title: 'a list for what is no template',
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
    says: 'Library.list: @ListTemplate names "all", but no method of the class with that name has a resource template. Name a method that has one @Resource with {variables} in its URI. [SIGIL_LIST_TARGET]',
  },
  {
    title: 'completions of a method that there is not',
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
    says: 'Library.titles: @Complete names "advise", but no prompt or resource template of the class is a method of that name. Name the method that has @Prompt, or @Resource with a template. [SIGIL_COMPLETE_TARGET]',
  },
  {
    title: 'completions of an argument that there is not',
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
    says: 'Library.recommend: Nested.query is an object, but prompt arguments and URI variables are only strings. Use a string, number, boolean, enum or an array of them. [SIGIL_DTO_NOT_FLAT]',
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
    says: 'Library.recommend: Several.id is of several types, but prompt arguments and URI variables are strings: nothing tells which type is meant. Use one type, for example @IsString(), and tell the cases apart in the handler. [SIGIL_DTO_UNION_NOT_FLAT]',
  },
];
