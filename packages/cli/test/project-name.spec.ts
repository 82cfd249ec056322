import { proposeName, whyRefused } from '../src/scaffold/project-choices';

describe('a name for a project', () => {
  it.each(['my-server', 'notes', 'a.b', 'x1_y'])('may be %s', (name) => {
    expect(whyRefused(name)).toBeUndefined();
  });

  it.each([
    ['', 'it is empty'],
    ['My-Server', 'it has capital letters'],
    ['my server', 'it has spaces'],
    ['.hidden', 'it begins with "."'],
    ['_x', 'it begins with "_"'],
    ['a@b', 'it has "@"'],
    ['é', 'it has "é"'],
    ['a~b', 'it has "~"'],
    ['x'.repeat(215), 'it is longer than 214 characters'],
    ['node_modules', 'it is reserved'],
    ['http', 'it is the name of a Node module'],
    ['jest', 'it is the name of one of its dependencies'],
  ])('is not %j', (name, why) => {
    expect(whyRefused(name)).toBe(why);
  });

  it.each([
    ['MyServer', 'my-server'],
    ['My Server!', 'my-server'],
    ['Café über', 'cafe-uber'],
    ['http', 'http-server'],
    ['jest', 'jest-server'],
    ['...', 'my-server'],
    ['', 'my-server'],
  ])('near %j is %s', (name, proposal) => {
    expect(proposeName(name)).toBe(proposal);
    expect(whyRefused(proposal)).toBeUndefined();
  });
});
