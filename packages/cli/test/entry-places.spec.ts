/** Where entries stand in the sources, and what decides about them. */
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { EntryPlaces } from '../src/causes/entry-places';
import type { JudgedEntry } from '../src/dev/request-report';
import { tsconfig } from '../../../test/support/sound-project';
import { linkCompiler, TemporaryFolders } from '../../../test/support/temporary-folder';

const SOURCE = `@Feature()
@UseGuards(Members)
export class Notes {
  @Tool('Takes a note')
  @Scopes('notes:read', 'notes:write')
  take(): void {}

  @Tool('Removes all') @UseGuards(Roles('admin'))
  purge(): void {}
}
class Members implements Guard {
  allows(): boolean { return true; }
}
const echo = tool('echo', { description: 'Says it again', guards: [RateLimit({ calls: 1, per: 'minute' })] }, () => '');
export const server = createServer({ name: 'notes', features: [Notes, echo], scopes: ['all:use'] });
`;

const folders = new TemporaryFolders();
let folder: string;
let places: EntryPlaces;
beforeEach(() => {
  folder = folders.make({ 'package.json': '{}', ...tsconfig(), 'src/notes.ts': SOURCE });
  linkCompiler(folder);
  places = new EntryPlaces(folder);
});
afterEach(() => folders.removeAll());

function judged(given: Partial<JudgedEntry>): JudgedEntry {
  const nothing = { feature: 'Notes', member: undefined, guard: undefined, message: undefined };
  const none = { scopes: [], isPublic: false, guards: [], asksLater: [], isListed: true, call: 'allowed', missing: [] };
  return { kind: 'tool', key: 'take', ...nothing, ...none, ...given };
}

/** The line of a part of the source, and its text from there. */
function at(text: string): object {
  const before = SOURCE.slice(0, SOURCE.indexOf(text)).split('\n');
  return { shown: 'src/notes.ts', line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
}

it('finds the method of an entry, and the function of one without a class', () => {
  const [take, echo, unknown] = places.find([
    judged({ member: 'take' }),
    judged({ key: 'echo', feature: undefined }),
    judged({ key: 'later', feature: undefined }),
  ]);
  expect(take?.place).toMatchObject(at('take()'));
  expect(echo?.place).toMatchObject(at("'echo'"));
  expect(unknown?.place).toBeUndefined();
});

it('finds the scopes on a method, and on the server', () => {
  const [own, all] = places.find([
    judged({ member: 'take', call: 'scopes', missing: ['notes:write'] }),
    judged({ member: 'purge', call: 'scopes', missing: ['all:use'] }),
  ]);
  expect(own?.ruledBy).toMatchObject(at('@Scopes'));
  expect(all?.ruledBy).toMatchObject(at("scopes: ['all:use']"));
});

it('finds the class of a guard, and where it is used', () => {
  const [members, roles, rate] = places.find([
    judged({ member: 'take', call: 'hidden', guard: 'Members' }),
    judged({ member: 'purge', call: 'hidden', guard: 'Roles(admin)' }),
    judged({ key: 'echo', feature: undefined, call: 'denied', guard: 'RateGuard' }),
  ]);
  expect(members).toMatchObject({ guardPlace: at('Members implements'), ruledBy: at('@UseGuards(Members)') });
  expect(roles).toMatchObject({ guardPlace: undefined, ruledBy: at("@UseGuards(Roles('admin'))") });
  expect(rate?.ruledBy).toMatchObject(at('guards: [RateLimit'));
});

it('follows a change', () => {
  places.find([judged({ member: 'take' })]);
  writeFileSync(join(folder, 'src', 'notes.ts'), `\n\n${SOURCE}`);
  expect(places.find([judged({ member: 'take' })])[0]?.place?.line).toBe(8);
});
