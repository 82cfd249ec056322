/** The exports of class-validator that a program uses: too few would break it, so any doubt means all of them. */
import { usedValidators } from '../src/build/used-validators';

const used = (...texts: string[]): string[] | undefined => {
  const names = usedValidators(texts);
  return names && [...names].sort();
};

describe('the validators that a program uses', () => {
  it.each([
    [
      'what the compiler writes',
      'const class_validator_1 = require("class-validator"); a(class_validator_1.Min(1), (0, class_validator_1.IsInt)());',
      ['IsInt', 'Min'],
    ],
    ['a namespace of the compiler', 'const v = __importStar(require("class-validator")); v.IsInt();', ['IsInt']],
    ['names', "const { IsInt, Min: Least } = require('class-validator'); IsInt(Least);", ['IsInt', 'Min']],
    ['an import', "import { IsInt, Min as Least, type Max } from 'class-validator';", ['IsInt', 'Max', 'Min']],
    ['an import over several lines', 'import {\n  IsInt,\n  Min,\n} from "class-validator";', ['IsInt', 'Min']],
    ['nothing', "require('class-transformer');", []],
  ])('are read from %s', (_, text, names) => {
    expect(used(text)).toEqual(names);
    expect(used(text, "import { Length } from 'class-validator'")).toEqual([...names, 'Length'].sort());
  });

  it.each([
    ['is passed on', 'const v = require("class-validator"); use(v);'],
    ['is read by a computed name', 'const v = require("class-validator"); v[name]();'],
    ['is exported again', "export * from 'class-validator';"],
    ['is exported again by names', "export { IsInt } from 'class-validator';"],
    ['is exported again by the compiler', '__exportStar(require("class-validator"), exports);'],
    ['is a namespace', "import * as v from 'class-validator'; v.IsInt();"],
    ['is loaded at run time', "const load = () => import('class-validator');"],
    ['is loaded by a function', "load('class-validator', () => require('class-validator'));"],
    ['is taken apart', "const { IsInt, ...rest } = require('class-validator'); use(rest);"],
    ['is put into another variable', 'const v = require("class-validator"); const w = v;'],
    ['is used in a second way', 'const { IsInt } = require("class-validator"); use(require("class-validator"));'],
  ])('are all of them where the package %s', (_, text) => {
    expect(used("import { Length } from 'class-validator'", text)).toBeUndefined();
  });
});
