/** Mistakes in what a server is made of, and in what is changed of it. */
import { createServer, Feature, Inject, Injectable, Tool } from '../../src';
import { serverOf, type Mistake } from './mistake';

class Config {}

interface Store {
  readonly size: number;
}

@Feature()
class Library {
  @Tool('Finds a book') find(): void {}
}

function running() {
  return createServer({ name: 'library', version: '1.0.0', logger: false, features: [Library] });
}

/** Each with classes and options of a server. */
export const SERVER_MISTAKES: readonly Mistake[] = [
  {
    title: 'an option that does not exist',
    make: () => serverOf({ tools: [] } as object),
    says: 'createServer({ tools }): there is no such option. Use one of: name, version, title, description, websiteUrl, icons, instructions, strict, features, modules, providers, guards, scopes, interceptors, observers, capabilities, extensions, revisions, stores, limits, pageSize, cache, logger, container, runner, toolTimeout, answerTimeout, requestState, shutdownDeadline, clock. [SIGIL_OPTION_UNKNOWN]',
  },
  {
    title: 'an object that is not a store',
    make: () => serverOf({ stores: 5 } as object),
    says: 'createServer({ stores }): it is 5. Pass an object with sessions, streams, bus, rates and close, such as redis({ client }) of @sigil-mcp/redis. [SIGIL_OPTION_KIND]',
  },
  {
    title: 'a capability that does not exist',
    make: () => serverOf({ capabilities: ['tool'] } as object),
    says: 'createServer({ capabilities }): it is an array. Pass an array of tools, resources, prompts, completions. [SIGIL_OPTION_KIND]',
  },
  {
    title: 'a page without entries',
    make: () => serverOf({ pageSize: 0 }),
    says: 'createServer({ pageSize }): it is 0. Pass a whole number of entries, 1 or more. [SIGIL_OPTION_KIND]',
  },
  {
    title: 'a server without a name',
    make: () => serverOf({ name: ' ' }),
    says: 'createServer: its name is " ", which says nothing. Write a text that tells people and models what it does. [SIGIL_BLANK_WORDS]',
  },
  {
    title: 'a dependency without a provider',
    make: () => {
      @Feature()
      class Shelf {
        constructor(@Inject('CITY') readonly city: string) {}
        @Tool('Finds a shelf') find(): void {}
      }
      return serverOf({ features: [Shelf] });
    },
    says: 'Shelf: no provider for "CITY". Add { provide: "CITY", useValue: ... } (or useClass, useFactory) to createServer({ providers }). [SIGIL_MISSING_PROVIDER]',
  },
  {
    title: 'an interface that is injected',
    make: () => {
      @Feature()
      class Shelf {
        constructor(readonly store: Store) {}
        @Tool('Finds a shelf') find(): void {}
      }
      return serverOf({ features: [Shelf] });
    },
    says: 'Shelf.constructor, parameter 1: it has a parameter without a class at run time, so nothing can be injected. Import the class with a plain `import` (not `import type`), or name the provider with @Inject(TOKEN). [SIGIL_DEPENDENCY_WITHOUT_TYPE]',
  },
  {
    title: 'a constructor with parameters, without @Injectable',
    make: () => {
      class Catalogue {
        constructor(readonly config: Config) {}
      }
      return serverOf({ providers: [Catalogue] });
    },
    says: 'Catalogue.constructor, parameter 1: the compiler emitted no types for this constructor. Put @Injectable() on the class and compile with tsc or swc and "emitDecoratorMetadata", or use @Inject(TOKEN). [SIGIL_DEPENDENCY_WITHOUT_METADATA]',
  },
  {
    title: 'classes that need each other',
    make: () => {
      const providers = [
        { provide: 'hen', useFactory: (egg: unknown) => egg, inject: ['egg'] },
        { provide: 'egg', useFactory: (hen: unknown) => hen, inject: ['hen'] },
      ];
      return serverOf({ providers });
    },
    says: '"hen": it depends on itself: "hen" -> "egg" -> "hen". Move what both need into a third provider, or pass one to the other in onStart(). [SIGIL_DEPENDENCY_CYCLE]',
  },
  {
    title: 'a factory with a parameter, without inject',
    make: () => serverOf({ providers: [{ provide: 'STORE', useFactory: (config: Config) => config }] }),
    says: '"STORE": its useFactory has more parameters (1) than `inject` has tokens (0). List a token for each parameter, in order: { provide, useFactory, inject: [Config] }. [SIGIL_FACTORY_INJECT]',
  },
  {
    title: 'a provider that provides nothing',
    make: () => serverOf({ providers: [{ provide: 'STORE' } as never] }),
    says: '"STORE": an object without useClass, useValue and useFactory is not a provider. Pass a class, or { provide: TheToken } with one of useValue, useClass and useFactory. undefined usually means a circular import. [SIGIL_PROVIDER]',
  },
  {
    title: 'a provider that is undefined',
    make: () => {
      Injectable()(Config);
      return serverOf({ providers: [Config, undefined as never] });
    },
    says: 'createServer({ providers }): undefined is not a provider. Pass a class, or { provide: TheToken } with one of useValue, useClass and useFactory. undefined usually means a circular import. [SIGIL_PROVIDER]',
  },
  {
    title: 'a limit that does not exist',
    make: () => serverOf({ limits: { session: 5 } as never }),
    says: 'createServer({ limits }): there is no limit called session. Use one of: messageBytes, nesting, clientFacts, batchMessages, batchCalls, batchAnswer, calls, subscriptions, subscriptionUri, unread, progressPerSecond, completions, held, heldPerClient, callsPerClient, subscriptionsPerClient. [SIGIL_LIMIT_UNKNOWN]',
  },
  {
    title: 'a limit below zero',
    make: () => serverOf({ limits: { calls: -1 } }),
    says: 'createServer({ limits }): the limit calls is -1. Use a whole number of at least 1, or Infinity for no limit. Leave it out for the default. [SIGIL_LIMIT]',
  },
  {
    title: 'a limit of one client that is more than that of all',
    make: () => serverOf({ limits: { callsPerClient: 20_000 } }),
    says: 'createServer({ limits }): the limit callsPerClient of one client is 20000, but calls, the limit of all clients, is 10000. Use at most 10000, raise calls, or leave callsPerClient out: it follows from calls. [SIGIL_LIMIT_SHARE]',
  },
  {
    title: 'a revision that does not exist',
    make: () => serverOf({ revisions: ['2026-01-01' as never] }),
    says: 'createServer({ revisions }): revisions[0] ("2026-01-01") is not a revision. Pass an array of revisions: pick from ALL_REVISIONS, or compile your own rules with compileRevision(). [SIGIL_REVISION_INVALID]',
  },
  {
    title: 'a secret that can be guessed',
    make: () => serverOf({ requestState: { secrets: ['secret'] } }),
    says: "createServer({ requestState }): there must be at least one secret, and each needs at least 32 characters. Generate one: node -p \"require('crypto').randomBytes(32).toString('base64url')\" [SIGIL_WEAK_SECRETS]",
  },
  {
    title: 'a time limit for answers in words',
    make: () => serverOf({ answerTimeout: '30s' as never }),
    says: 'createServer({ answerTimeout }): 30s is not a valid time limit. Use milliseconds, more than 0 and at most 2147483647, or Infinity for no limit. [SIGIL_ANSWER_TIMEOUT]',
  },
  {
    title: 'an entry under a name that is taken',
    make: () => running().registry.add({ kind: 'tool', name: 'find', description: 'Finds', handler: () => '' }),
    says: 'registry.add("find"): there is already a tool "find", in Library.find. Remove it first, or use another name. [SIGIL_ENTRY_NAME_TAKEN]',
  },
  {
    title: 'an instance that is added to the registry',
    make: () => running().registry.add(new Library() as never),
    says: "registry.add(an object of Library): an object of Library without a kind is not an entry. Add { kind: 'tool', name, description, handler } (or the kind 'resource' or 'prompt'), or a feature class: the server creates the instance. [SIGIL_NOT_AN_ENTRY]",
  },
  {
    title: 'an entry without a handler',
    make: () => running().registry.add({ kind: 'tool', name: 'lend', description: 'Lends a book' } as never),
    says: 'registry.add("lend"): its handler is undefined, which is not a function. Pass a function: { handler: (input, context) => ... }, or tool(name, options, (input, context) => ...). [SIGIL_ENTRY_FUNCTION]',
  },
  {
    title: 'a change of an entry that does not exist',
    make: () => running().registry.update('tool', 'finds', { description: 'Finds a book' }),
    says: 'registry.update("finds"): there is no tool with this name. Use the name of a tool or prompt, the URI of a resource or the URI template of a template, or add it first. [SIGIL_UNKNOWN_ENTRY]',
  },
  {
    title: 'an override of a provider that the server does not have',
    make: () => running().override([{ provide: 'STORE', useValue: 1 }]),
    says: 'server.override("STORE"): the server does not use "STORE": it is not a provider, and no constructor asks for it. Override one of these: Server, ServerRegistry, Library. [SIGIL_UNKNOWN_OVERRIDE]',
  },
];
