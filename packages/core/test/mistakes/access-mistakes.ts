/** Mistakes in what is wanted of callers. */
import {
  Complete,
  defineModule,
  Feature,
  Prompt,
  Public,
  Roles,
  Scopes,
  Tool,
  tool,
  UseGuards,
  UseInterceptors,
} from '../../src';
import { serverOf, type Mistake } from './mistake';

const NAMES =
  "Pass one string for each scope, made of visible ASCII characters without spaces, quotes or backslashes: @Scopes('notes:read', 'notes:write'). The only option, as the last argument, is { listed: false }. [SIGIL_SCOPE]";
const NONE = "Name at least one: @Scopes('notes:write'). To let in every caller, remove @Scopes(). [SIGIL_SCOPES_NONE]";

const GUARD =
  "Pass a class with the method allows(), or an object that has it: @UseGuards(Staff), @UseGuards(Roles('admin')). undefined usually means a circular import. [SIGIL_NOT_A_GUARD]";

/** What JavaScript may give to a decorator. */
const given = (...scopes: readonly unknown[]) => scopes as unknown as readonly [string];
const add = (options: object) => tool('add', { description: 'Adds', ...options }, () => 'ok');

/** Each with classes and options of a server. */
export const ACCESS_MISTAKES: readonly Mistake[] = [
  {
    title: 'two scopes in one text',
    make: () => {
      @Feature()
      class Notes {
        @Tool('Adds') @Scopes('notes:read notes:write') add(): void {}
      }
      return serverOf({ features: [Notes] });
    },
    says: `Notes.add: "notes:read notes:write" is not a valid scope. ${NAMES}`,
  },
  {
    title: 'a scope with a quote, on a class of two methods',
    make: () => {
      @Feature()
      @Scopes('notes"')
      class Notes {
        @Tool('Adds') add(): void {}
        @Tool('Lists') list(): void {}
      }
      return serverOf({ features: [Notes] });
    },
    says: `Notes: "notes\\"" is not a valid scope. ${NAMES}`,
  },
  {
    title: 'a misspelt option behind scopes',
    make: () => {
      @Feature()
      class Notes {
        @Tool('Adds') @Scopes(...given('notes', { list: false })) add(): void {}
      }
      return serverOf({ features: [Notes] });
    },
    says: `Notes.add: an object is not a valid scope. ${NAMES}`,
  },
  {
    title: 'a list instead of scopes',
    make: () => serverOf({ features: [add({ scopes: [['notes']] })] }),
    says: `tool("add"): an array is not a valid scope. ${NAMES}`,
  },
  {
    title: 'a text with a space instead of a list of scopes',
    make: () => serverOf({ scopes: 'notes write' as never, features: [add({})] }),
    says: `createServer({ scopes }): "notes write" is not a valid scope. ${NAMES}`,
  },
  {
    title: 'scopes without a scope',
    make: () => {
      @Feature()
      class Notes {
        @Tool('Adds') @Scopes(...given()) add(): void {}
      }
      return serverOf({ features: [Notes] });
    },
    says: `Notes.add: @Scopes() names no scope. ${NONE}`,
  },
  {
    title: 'a module with an option for scopes, and without scopes',
    make: () =>
      serverOf({ modules: [defineModule({ name: 'vault', scopes: [{ listed: false }], features: [add({})] })] }),
    says: `module vault: @Scopes() names no scope. ${NONE}`,
  },
  {
    title: 'a method that is public and requires scopes',
    make: () => {
      @Feature()
      class Notes {
        @Prompt('Sums up') @Public() @Scopes('notes:read') sum(): string {
          return '';
        }
      }
      return serverOf({ features: [Notes] });
    },
    says: 'Notes.sum: it has both @Public and @Scopes(notes:read). Remove one of them: a caller without a token has no scopes. [SIGIL_PUBLIC_SCOPES]',
  },
  {
    title: 'scopes on a method that completes',
    make: () => {
      @Feature()
      class Notes {
        @Prompt('Sums up') sum(): string {
          return '';
        }
        @Complete('city', 'sum') @Scopes('notes:read') cities(): string[] {
          return [];
        }
      }
      return serverOf({ features: [Notes] });
    },
    says: 'Notes.cities: it has @Scopes or @Public, but is not a tool, resource or prompt. Put them on the method of the tool, resource or prompt. Its completions and lists follow the same rules. [SIGIL_POLICY_TARGET]',
  },
  {
    title: 'a static method with scopes',
    make: () => {
      @Feature()
      class Notes {
        @Tool('Adds') add(): void {}
        @Scopes('notes:read') static all(): void {}
      }
      return serverOf({ features: [Notes] });
    },
    says: 'Notes.all: @Scopes or @Public is on a static method, but only instance methods are called. Remove `static`. [SIGIL_STATIC_METHOD]',
  },
  {
    title: 'roles without a role',
    make: () => Roles(...given()),
    says: "Roles() was given none, which is not a role. Name the roles that are allowed: @UseGuards(Roles('admin', 'editor')). A caller needs one of them. [SIGIL_ROLES]",
  },
  {
    title: 'the name of a role in the place of a guard',
    make: () => {
      @Feature()
      class Notes {
        @Tool('Adds') @UseGuards('admin' as never) add(): void {}
      }
      return serverOf({ features: [Notes] });
    },
    says: `Notes.add: "admin" is not a guard. ${GUARD}`,
  },
  {
    title: 'a guard that is not called, on a class',
    make: () => {
      @Feature()
      @UseGuards(Roles as never)
      class Notes {
        @Tool('Adds') add(): void {}
      }
      return serverOf({ features: [Notes] });
    },
    says: `Notes: a function Roles is not a guard. ${GUARD}`,
  },
  {
    title: 'a guard of the server that is not there yet',
    make: () => serverOf({ guards: [undefined as never], features: [add({})] }),
    says: `createServer({ guards })[0]: undefined is not a guard. ${GUARD}`,
  },
  {
    title: 'a function in the place of a guard of a module',
    make: () =>
      serverOf({ modules: [defineModule({ name: 'vault', guards: [(() => true) as never], features: [add({})] })] }),
    says: `module vault: a function is not a guard. ${GUARD}`,
  },
  {
    title: 'an object without the method of an interceptor',
    make: () => {
      @Feature()
      class Notes {
        @Tool('Adds') @UseInterceptors({} as never) add(): void {}
      }
      return serverOf({ features: [Notes] });
    },
    says: 'Notes.add: an object is not an interceptor. Pass a class with the method intercept(), or an object that has it: @UseInterceptors(Timing). undefined usually means a circular import. [SIGIL_NOT_AN_INTERCEPTOR]',
  },
  {
    title: 'a text in the place of a guard of a function',
    make: () => serverOf({ features: [add({ guards: ['admin'] })] }),
    says: `tool("add"): "admin" is not a guard. ${GUARD}`,
  },
];
