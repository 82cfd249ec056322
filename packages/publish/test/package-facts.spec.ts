import { readPackageFacts } from '../src/package-facts';
import { TemporaryFolders } from '../../../test/support/temporary-folder';

const folders = new TemporaryFolders();
afterEach(() => folders.removeAll());
const facts = (manifest: object) => readPackageFacts(folders.make({ 'package.json': JSON.stringify(manifest) }));

describe('The facts of package.json', () => {
  it.each([
    ['github:you/notes', 'https://github.com/you/notes'],
    ['you/notes', 'https://github.com/you/notes'],
    [{ url: 'git+https://github.com/you/notes.git' }, 'https://github.com/you/notes'],
    [{ url: 'git@github.com:you/notes.git' }, 'https://github.com/you/notes'],
    ['git+ssh://git@gitlab.com/you/notes.git', 'https://gitlab.com/you/notes'],
    ['somewhere', undefined],
    [undefined, undefined],
  ])('have a repository that a browser can open: %j', (repository, url) => {
    expect(facts({ repository }).repository).toBe(url);
  });

  it.each([
    ['Ada <a@x.org> (https://x.org)', { name: 'Ada', email: 'a@x.org', url: 'https://x.org' }],
    ['Ada Lovelace', { name: 'Ada Lovelace' }],
    [
      { name: 'Ada', email: 'a@x.org' },
      { name: 'Ada', email: 'a@x.org' },
    ],
    ['<a@x.org>', undefined],
    [{}, undefined],
  ])('have an author: %j', (author, read) => {
    expect(facts({ author }).author).toEqual(read);
  });

  it('have only a version that npm accepts', () => {
    expect(facts({ version: '1.2.3-beta.1' }).version).toBe('1.2.3-beta.1');
    expect(facts({ version: '1.2' }).version).toBeUndefined();
    expect(() => readPackageFacts(folders.make({ 'package.json': '{' }))).toThrow('cannot be read');
  });
});
