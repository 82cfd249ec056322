/** Mistakes in what is wanted of callers. */
import { Complete, defineModule, Feature, Prompt, Public, Roles, Scopes, Tool, tool } from '../../src';
import { serverOf, type Mistake } from './mistake';

const NAMES =
  "Use visible characters of ASCII without spaces, quotes and backslashes, one text for each scope, and behind them nothing but { listed: false }: @Scopes('notes:read', 'notes:write'). [SIGIL_SCOPE]";
const NONE =
  "Name at least one: @Scopes('notes:write'); or leave it out for every caller who is let in. [SIGIL_SCOPES_NONE]";

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
    says: `Notes.add: it wants the scope "notes:read notes:write", which is none. ${NAMES}`,
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
    says: `Notes: it wants the scope "notes\\"", which is none. ${NAMES}`,
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
    says: `Notes.add: it wants the scope an object, which is none. ${NAMES}`,
  },
  {
    title: 'a list in the place of scopes',
    make: () => serverOf({ features: [add({ scopes: [['notes']] })] }),
    says: `tool("add"): it wants the scope an array, which is none. ${NAMES}`,
  },
  {
    title: 'a text in the place of a list of scopes with a space',
    make: () => serverOf({ scopes: 'notes write' as never, features: [add({})] }),
    says: `createServer({ scopes }): it wants the scope "notes write", which is none. ${NAMES}`,
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
    says: `Notes.add: it wants scopes, and names none. ${NONE}`,
  },
  {
    title: 'a module that hides for scopes that it does not name',
    make: () =>
      serverOf({ modules: [defineModule({ name: 'vault', scopes: [{ listed: false }], features: [add({})] })] }),
    says: `module vault: it wants scopes, and names none. ${NONE}`,
  },
  {
    title: 'a method that is public and wants scopes',
    make: () => {
      @Feature()
      class Notes {
        @Prompt('Sums up') @Public() @Scopes('notes:read') sum(): string {
          return '';
        }
      }
      return serverOf({ features: [Notes] });
    },
    says: 'Notes.sum: it is public, and wants the scopes notes:read. Take one of them away: who calls without a token has no scopes. [SIGIL_PUBLIC_SCOPES]',
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
    says: 'Notes.cities: it has @Scopes or @Public, and is no tool, resource or prompt. Put them on the method of the entry: what completes and lists follows it. [SIGIL_POLICY_TARGET]',
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
    says: 'Notes.all: @Scopes or @Public stands on a static method, but only methods of the instance are called. Drop `static`. [SIGIL_STATIC_METHOD]',
  },
  {
    title: 'roles without a role',
    make: () => Roles(...given()),
    says: "Roles() names none, which is no role. Name the roles of which a caller needs one: @UseGuards(Roles('admin', 'editor')). [SIGIL_ROLES]",
  },
];
