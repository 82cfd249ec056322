/** Features, tools, resources and prompts of the table of mistakes, without their mistake. The pages of the errors show them. */
import { IsBoolean, IsInt, IsString } from 'class-validator';
import {
  Complete,
  Describe,
  Example,
  Feature,
  Injectable,
  ListTemplate,
  McpContext,
  McpHeader,
  Prompt,
  Public,
  Resource,
  Scopes,
  Sensitive,
  Tool,
} from '../../src';
import { serverOf } from './mistake';

class Query {
  @IsString() title!: string;
}

class Search {
  @IsString() title!: string;
  @IsInt() page: number = 1;
}

class Confirmation {
  @IsBoolean() sure: boolean = false;
}

class BookId {
  @IsString() id!: string;
}

class Weight {
  @IsInt() @McpHeader('Weight') grams!: number;
}

class Key {
  @IsString() @Sensitive() key!: string;
}

class Region {
  @IsString() @McpHeader('Region') region!: string;
}

/** The code of an error -> a server that is accepted. */
export const FIXED_ENTRIES: Readonly<Record<string, () => unknown>> = {
  SIGIL_NOT_A_FEATURE: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_NO_FEATURE: () => {
    @Injectable()
    class Shelf {}
    @Feature()
    class Library {
      constructor(readonly shelf: Shelf) {}
      @Tool('Finds a book') find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_FEATURE_NOT_A_CLASS: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find(): void {}
    }
    // The class: the server creates the object.
    return serverOf({ name: 'library', features: [Library] });
  },
  SIGIL_FEATURES: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find(): void {}
    }
    // An array, also for one class.
    return serverOf({ name: 'library', features: [Library] });
  },
  SIGIL_FEATURE_EMPTY: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_STATIC_METHOD: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_PLACEHOLDER: () => {
    class Input {
      @Describe('Title, or a part of it') @IsString() title!: string;
    }
    @Feature()
    class Library {
      @Tool('Finds a book') find(input: Input): void {
        void input;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_TEMPLATE_SENSITIVE: () => {
    @Feature()
    class Library {
      @Tool('Reads the archive') archive({ key }: Key): string {
        return key;
      }
    }
    return serverOf({ features: [Library], strict: true });
  },
  SIGIL_BLANK_WORDS: () => {
    @Feature()
    class Library {
      @Tool('Finds a book by its title') find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_TOOL_NAME: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { name: 'find-book' }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_TOOL_SINCE: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { since: '1.2.0' }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_REPLACES: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { replaces: ['searchBook'] }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_REPLACED_NAME: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { replaces: ['search_book'] }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_REPLACED_MEMBER: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', {
        replaces: [{ name: 'searchBook', arguments: ({ text }: { text: string }) => ({ title: text }) }],
      })
      find({ title }: Query): string {
        return title;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_REPLACED_ARGUMENTS: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', {
        replaces: [{ name: 'searchBook', arguments: ({ text }: { text: string }) => ({ title: text }) }],
      })
      find({ title }: Query): string {
        return title;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_REPLACES_ITSELF: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { replaces: ['searchBook'] }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_REPLACED_TWICE: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { replaces: ['searchBook'] }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_REPLACED_TAKEN: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { replaces: ['searchBook'] }) find(): void {}
      @Tool('Lends a book') lend(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_EXAMPLE: () => {
    @Feature()
    class Library {
      @Tool('Finds a book')
      @Example({ args: { title: 'Emma' }, says: 'Finds a novel.' })
      find({ title }: Query): string {
        return title;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_EXAMPLE_ARGUMENTS: () => {
    @Feature()
    class Library {
      @Tool('Finds a book')
      @Example({ args: { title: 'Emma' }, says: 'Finds a novel.' })
      find({ title }: Query): string {
        return title;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_EXAMPLE_TARGET: () => {
    @Feature()
    class Library {
      @Resource('library://books', { description: 'All books' }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_DUPLICATE_ENTRY: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find(): void {}
      @Tool('Finds an author') findAuthor(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_INPUT_NOT_A_CLASS: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find({ title }: Query): string {
        return title;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_TWO_INPUTS: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find({ title, page }: Search): string {
        return title + page;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_PARAMETER_WITHOUT_TYPE: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find({ title }: Query): string {
        return title;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_TOOL_TIMEOUT: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { timeout: 5_000 }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_SCHEMA_ROOT: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { input: { type: 'object', properties: { title: { type: 'string' } } } }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_SCHEMA_INVALID: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { input: { type: 'object', properties: { title: { type: 'string' } } } }) find(): void {}
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_HEADER_TYPE: () => {
    @Feature()
    class Library {
      @Tool('Weighs a book') weigh({ grams }: Weight): string {
        return String(grams);
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_HEADER_SENSITIVE: () => {
    @Feature()
    class Library {
      @Tool('Opens the archive') open({ key }: Key): string {
        return key;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_HEADER_NAME: () => {
    @Feature()
    class Library {
      @Tool('Finds a book') find({ region }: Region): string {
        return region;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_NOT_A_SCHEMA: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { asks: [Confirmation] }) find(context: McpContext): string {
        return typeof context;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_DTO_FORM_OBJECT: () => {
    @Feature()
    class Library {
      @Tool('Finds a book', { asks: [Confirmation] }) find(context: McpContext): string {
        return typeof context;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_RESOURCE_URI: () => {
    @Feature()
    class Library {
      @Resource('books://all') all(): string {
        return '';
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_RESOURCE_INPUT: () => {
    @Feature()
    class Library {
      @Resource('books://{title}') one({ title }: Query): string {
        return title;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_TEMPLATE_VARIABLES: () => {
    @Feature()
    class Library {
      @Resource('books://{id}') one({ id }: BookId): string {
        return id;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_URI_TEMPLATE: () => {
    @Feature()
    class Library {
      @Resource('books://{title}') one({ title }: Query): string {
        return title;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_LIST_TARGET: () => {
    @Feature()
    class Library {
      @Resource('books://{title}') one({ title }: Query): string {
        return title;
      }
      @ListTemplate('one') list(): [] {
        return [];
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_COMPLETE_TARGET: () => {
    @Feature()
    class Library {
      @Prompt('Recommends a book') recommend({ title }: Query): string {
        return title;
      }
      @Complete('title', 'recommend') titles(): string[] {
        return [];
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_COMPLETE_ARGUMENT: () => {
    @Feature()
    class Library {
      @Prompt('Recommends a book') recommend({ title }: Query): string {
        return title;
      }
      @Complete('title', 'recommend') titles(): string[] {
        return [];
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_DTO_NOT_FLAT: () => {
    @Feature()
    class Library {
      @Prompt('Recommends a book') recommend({ title }: Query): string {
        return title;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_DTO_UNION_NOT_FLAT: () => {
    @Feature()
    class Library {
      @Prompt('Recommends a book') recommend({ id }: BookId): string {
        return id;
      }
    }
    return serverOf({ features: [Library] });
  },
  SIGIL_PUBLIC_SCOPES: () => {
    @Feature()
    class Notes {
      @Prompt('Sums up') @Scopes('notes:read') sum(): string {
        return '';
      }
      @Prompt('Explains the notes') @Public() about(): string {
        return '';
      }
    }
    return serverOf({ features: [Notes] });
  },
  SIGIL_SCOPE: () => {
    @Feature()
    class Notes {
      @Tool('Adds') @Scopes('notes:read', 'notes:write') add(): void {}
    }
    return serverOf({ features: [Notes] });
  },
};
