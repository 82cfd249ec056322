/** Decorators of class-validator load on first use: what then loads, that nothing differs, and where class-validator loads as ever. */
import { execFileSync, spawnSync } from 'node:child_process';
import {
  cpSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  realpathSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';

const root = join(__dirname, '..', '..', '..');
const installed = (name: string): string => join(root, 'node_modules', ...name.split('/'));
const folder = realpathSync(mkdtempSync(join(tmpdir(), 'sigil-late-')));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** Compiled files without the maps, and without what the bundles are made from. */
const isNeeded = (path: string): boolean => !path.endsWith('.map') && basename(path) !== 'modules';

/** A project with copies of our packages and of class-validator, which a test may change. */
function makeProject(name: string): string {
  const project = join(folder, name);
  const modules = join(project, 'node_modules');
  for (const each of ['base', 'protocol', 'schema', 'core'])
    for (const part of ['package.json', 'dist'])
      cpSync(join(root, 'packages', each, part), join(modules, '@sigil-mcp', each, part), {
        recursive: true,
        filter: isNeeded,
      });
  copyValidator(modules);
  for (const each of ['class-transformer', 'reflect-metadata', 'validator', 'libphonenumber-js'])
    symlinkSync(installed(each), join(modules, each), 'junction');
  return project;
}

function copyValidator(modules: string): void {
  for (const part of ['package.json', 'cjs'])
    cpSync(join(installed('class-validator'), part), join(modules, 'class-validator', part), {
      recursive: true,
      filter: isNeeded,
    });
}

/** Runs a program in a project, and returns what it prints as JSON. */
function run(project: string, program: string, ending = 'cjs'): unknown {
  const file = join(project, `main.${ending}`);
  writeFileSync(file, program);
  return JSON.parse(execFileSync(process.execPath, [file], { encoding: 'utf8' }));
}

const main = makeProject('main');

/** How many files of class-validator's decorators, of `validator` and of the telephone numbers are loaded. */
const COUNT = `
const loaded = (name) => Object.values(require.cache).filter((each) => each.loaded && each.id.includes(name)).length;
const count = () => ({
  decorators: loaded('/class-validator/cjs/decorator/'.replaceAll('/', require('node:path').sep)),
  validator: loaded('node_modules/validator/'.replaceAll('/', require('node:path').sep)),
  phones: loaded('libphonenumber-js'),
});`;
/** Our start, the file that is replaced, and whether the replacement stands there. */
const START = `
require('reflect-metadata');
require('@sigil-mcp/core');
const list = require.resolve('class-validator/cjs/decorator/decorators');
const isLate = () => require.cache[list] !== undefined && require.cache[list].children.length < 50;`;

describe('class-validator after Sigil', () => {
  it('loads the decorators that a program uses, and no telephone number', () => {
    const program = `${START}${COUNT}
      const { IsString, IsInt, Min, IsOptional } = require('class-validator');
      console.log(JSON.stringify(count()));`;
    // The file of each, the one that they are made with, the one that stands for all, and one without code for its types.
    expect(run(main, program)).toEqual({ decorators: 7, validator: 0, phones: 0 });
  });

  it('loads what validators import when they are used', () => {
    const program = `${START}${COUNT}
      const validator = require('class-validator');
      const before = count();
      console.log(JSON.stringify({ before, isPhone: validator.isPhoneNumber('+41446681800'), after: count().phones > 0 }));`;
    expect(run(main, program)).toEqual({
      before: { decorators: 3, validator: 0, phones: 0 },
      isPhone: true,
      after: true,
    });
  });

  it('exports every name in the same order and shape, with the identical value', () => {
    const program = `${START}
      const shapeOf = (module) => Object.entries(Object.getOwnPropertyDescriptors(module)).map(([name, { get, enumerable, configurable }]) =>
        [name, get !== undefined, enumerable, configurable]);
      const whole = require('class-validator');
      const late = require.cache[list];
      const names = Object.keys(whole);
      const values = names.map((name) => whole[name]);
      const lateValues = { ...late.exports };
      const lateShape = shapeOf(late.exports);
      delete require.cache[list];
      const real = require(list);
      const again = require(list) === real;
      const differing = Object.keys({ ...real, ...lateValues }).filter((name) => real[name] !== lateValues[name]);
      const unlike = shapeOf(real).filter((each, index) => String(each) !== String(lateShape[index]));
      const missing = Object.keys(real).filter((name) => whole[name] !== real[name]);
      const count = lateShape.length - Object.keys(real).length;
      console.log(JSON.stringify({ replaced: late.exports !== real, again, differing, unlike, missing, count, esModule: late.exports.__esModule, values: values.includes(undefined) }));`;
    expect(run(main, program)).toEqual({
      replaced: true,
      again: true,
      differing: [],
      unlike: [],
      missing: [],
      // __esModule, which is no key.
      count: 1,
      esModule: true,
      values: false,
    });
  });

  it('validates with its own functions, with the rules of decorators from both ways', () => {
    const program = `${START}
      const { IsInt, validateSync, getMetadataStorage } = require('class-validator');
      const { Max } = require('class-validator/cjs/decorator/number/Max');
      class Query {}
      IsInt()(Query.prototype, 'limit');
      Max(5)(Query.prototype, 'limit');
      const errors = validateSync(Object.assign(new Query(), { limit: 7.5 }));
      const isOne = getMetadataStorage() === require('class-validator/cjs/metadata/MetadataStorage').getMetadataStorage();
      console.log(JSON.stringify([isLate(), Object.keys(errors[0].constraints).sort(), isOne]));`;
    expect(run(main, program)).toEqual([true, ['isInt', 'max'], true]);
  });

  it('is what modules that re-export it hand on', () => {
    writeFileSync(
      join(main, 'rules.cjs'),
      `const all = require('class-validator');
      Object.defineProperty(exports, '__esModule', { value: true });
      for (const name in all) if (!(name in exports)) Object.defineProperty(exports, name, Object.getOwnPropertyDescriptor(all, name));`,
    );
    const program = `${START}${COUNT}
      const { IsString } = require('./rules.cjs');
      console.log(JSON.stringify([IsString === require('class-validator').IsString, count().phones]));`;
    expect(run(main, program)).toEqual([true, 0]);
  });
});

describe('ES modules', () => {
  const SAME = `
    const required = createRequire(import.meta.url)('class-validator');
    const names = Object.keys(required);
    console.log(JSON.stringify({ count: names.length > 300, differing: names.filter((name) => all[name] !== required[name]) }));`;

  it('get every name by an import, as before', () => {
    const program = `import '@sigil-mcp/core';
      import { createRequire } from 'node:module';
      import { IsString } from 'class-validator';
      import * as all from 'class-validator';
      if (all.IsString !== IsString) throw new Error('two of them');${SAME}`;
    expect(run(main, program, 'mjs')).toEqual({ count: true, differing: [] });
  });

  it('get every name by an import that runs later', () => {
    const program = `import '@sigil-mcp/core';
      import { createRequire } from 'node:module';
      const all = await import('class-validator');${SAME}`;
    expect(run(main, program, 'mjs')).toEqual({ count: true, differing: [] });
  });
});

describe('class-validator loads as ever', () => {
  const whole = `${START}
    const { IsString, isPhoneNumber } = require('class-validator');
    console.log(JSON.stringify([isLate(), typeof IsString, isPhoneNumber('+41446681800')]));`;
  const asEver = [false, 'function', true];

  it('where a program imports it first', () => {
    expect(run(main, `require('reflect-metadata'); require('class-validator'); ${whole}`)).toEqual(asEver);
  });

  it('in another version', () => {
    const project = makeProject('other-version');
    const file = join(project, 'node_modules', 'class-validator', 'package.json');
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as object;
    writeFileSync(file, JSON.stringify({ ...manifest, version: '0.15.99' }));
    expect(run(project, whole)).toEqual(asEver);
  });

  it('where its list of files was changed', () => {
    const project = makeProject('patched');
    const decorators = join(project, 'node_modules', 'class-validator', 'cjs', 'decorator');
    const file = join(decorators, 'decorators.js');
    writeFileSync(file, `${readFileSync(file, 'utf8')}\nexports.IsOwn = () => 'own';\n`);
    expect(run(project, whole)).toEqual(asEver);
    expect(run(project, `${START} console.log(JSON.stringify(require('class-validator').IsOwn()));`)).toBe('own');
  });

  it('in a copy that is not the one of Sigil', () => {
    const project = join(main, 'inner');
    mkdirSync(project, { recursive: true });
    copyValidator(join(project, 'node_modules'));
    expect(run(project, whole)).toEqual(asEver);
  });

  it('from a file that has lost a name, for that name', () => {
    const project = makeProject('moved');
    const decorators = join(project, 'node_modules', 'class-validator', 'cjs', 'decorator');
    writeFileSync(join(decorators, 'number', 'Min.js'), '');
    const program = `${START}
      const { Max, Min } = require('class-validator');
      console.log(JSON.stringify([isLate(), typeof Max, typeof Min]));`;
    expect(run(project, program)).toEqual([true, 'function', 'undefined']);
  });

  it('and says what is missing where a file is missing', () => {
    const project = makeProject('torn');
    rmSync(join(project, 'node_modules', 'class-validator', 'cjs', 'decorator', 'string', 'IsEmail.js'));
    const file = join(project, 'main.cjs');
    writeFileSync(
      file,
      `${START} const { IsString } = require('class-validator'); IsString(); require('class-validator').IsEmail;`,
    );
    expect(spawnSync(process.execPath, [file], { encoding: 'utf8' }).stderr).toContain(
      "Cannot find module './string/IsEmail'",
    );
  });
});

describe('the table of files', () => {
  it('is of the installed version', () => {
    const script = join(root, 'scripts', 'write-decorator-files.mjs');
    const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('has every file of the decorators', () => {
    const table = readFileSync(join(root, 'packages', 'schema', 'src', 'rules', 'decorator-files.ts'), 'utf8');
    const decorators = join(dirname(require.resolve('class-validator')), 'decorator');
    const files = readdirSync(decorators, { recursive: true, encoding: 'utf8' }).map((file) =>
      file.replaceAll('\\', '/'),
    );
    const named = files.filter((file) => /\/[^.]+\.js$/.test(file)).map((file) => file.slice(0, -3));
    expect(named.filter((file) => !table.includes(`\n${file} `))).toEqual([]);
  });
});
