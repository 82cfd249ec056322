/** What is wrong with modules is found at start, with the names of both sides. */
import { DefinitionError, Feature, Resource, Tool, createServer, defineModule, type Module } from '@sigil-mcp/core';

@Feature()
class Books {
  @Tool('Finds books') search(): string {
    return 'book';
  }
}
@Feature()
class People {
  @Tool('Finds people') search(): string {
    return 'person';
  }
}
@Feature()
class Shelves {
  @Resource('shelf://all') all(): string {
    return '';
  }
}
class Clock {}

function problemsOf(modules: unknown, more: object = {}): string[] {
  try {
    createServer({ name: 'x', version: '1', modules: modules as Module[], ...more });
    return [];
  } catch (error) {
    if (error instanceof DefinitionError)
      return error.problems.map(({ where, problem, fix }) => `${where}: ${problem} ${fix}`);
    throw error;
  }
}

describe('modules', () => {
  it('whose names collide are both named, and a prefix keeps them apart', () => {
    const people = defineModule({ name: 'people', features: [People] });
    expect(problemsOf([defineModule({ name: 'books', features: [Books] }), people])).toEqual([
      expect.stringMatching(
        /^People\.search \(module people\): there is already a tool "search", in Books\.search \(module books\)/,
      ),
    ]);
    expect(problemsOf([people], { features: [Books] })).toEqual([
      expect.stringMatching(/^People\.search \(module people\): .*Books\.search\. .*prefix/),
    ]);
    expect(problemsOf([defineModule({ prefix: 'books', features: [Books] }), people])).toEqual([]);
  });

  it('whose URIs collide are both named: no prefix changes a URI', () => {
    const shelves = (prefix: string): Module => defineModule({ prefix, features: [Shelves] });
    expect(problemsOf([shelves('a'), shelves('b')])).toEqual([
      expect.stringMatching(
        /^Shelves\.all \(module b\): there is already a resource "shelf:\/\/all", in Shelves\.all \(module a\)/,
      ),
    ]);
  });

  it('that provide the same token differently are both named, unless the server says which', () => {
    const one = defineModule({ name: 'one', providers: [{ provide: 'URL', useValue: 'a' }, Clock] });
    const two = defineModule({ name: 'two', providers: [{ provide: 'URL', useValue: 'b' }, Clock] });
    expect(problemsOf([one, two])).toEqual([
      expect.stringMatching(
        /^module two: it provides "URL", which module one provides in another way.*createServer\(\{ providers \}\)/,
      ),
    ]);
    expect(problemsOf([one, two], { providers: [{ provide: 'URL', useValue: 'c' }] })).toEqual([]);
  });

  it.each([
    [
      'a prefix that tools cannot have',
      [defineModule({ prefix: 'my books', features: [Books] })],
      'the prefix "my books"',
    ],
    ['an empty prefix', [defineModule({ prefix: '', features: [Books] })], 'the prefix ""'],
    ['no array', { features: [Books] }, 'createServer({ modules })'],
    ['a class', [Books], 'createServer({ modules })[0]: a function Books is not a module'],
    ['nothing', [undefined], 'createServer({ modules })[0]: undefined is not a module'],
    [
      'a class among its modules',
      [defineModule({ name: 'outer', modules: [Books as never] })],
      'module outer: a function Books is not a module',
    ],
    ['a feature that is none', [defineModule({ name: 'odd', features: [{} as never] })], 'module odd'],
  ])('are refused with %s', (_, modules, words) => {
    expect(problemsOf(modules)).toEqual([expect.stringContaining(words)]);
  });
});
