/** The files that sources name, as their authors write them, and as compilers do. */
import { findNamedFiles } from '../src/project/named-files';

const pathsIn = (text: string): string[] => findNamedFiles(text).map(({ path }) => path);

it.each([
  ["@Skill('./a.md')", ['./a.md']],
  ["(0, skills_1.Skill)('../a.md')", ['../a.md']],
  ["@View('ui://a/(b)', { csp: { connectDomains: ['./no'] }, file: './a.html' })", ['./a.html']],
  ['(0, apps_1.view)("ui://a", { name: `it\\`s (`, file: "./a.html" }, () => f(")"))', ['./a.html']],
  ["skills({ guards: [Roles('staff')], folders: ['../a', `./b`, \"./c\"] })", ['../a', './b', './c']],
  ["skills({ /* don't ( */ // nor (\n folders: ['./a'] })", ['./a']],
  ["skills({ folders: ['./a'] }); other({ folders: ['./b'] })", ['./a']],
  ["@Skill(join(__dirname, './a.md')) Skill(`./${name}`) skills({ elsewhere: ['./a'] })", []],
  ["preview('ui://a', { file: './a.html' }); view.skills", []],
  ["skills({ folders: ['./a'", []],
])('%s', (text, paths) => {
  expect(pathsIn(text)).toEqual(paths);
});

it('have their places', () => {
  const text = "Skill('./a.md'); skills({ folders: ['./b', './c'] })";
  for (const { path, from, to } of findNamedFiles(text)) expect(text.slice(from, to)).toBe(path);
});

it('are found in time, whatever the text', () => {
  expect(pathsIn(`${'skills('.repeat(3000)}${'"`'.repeat(3000)}`)).toEqual([]);
});
