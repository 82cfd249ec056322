/**
 * The rules of the house that a machine can check by the syntax; what eslint lacks is in scripts/eslint. Rules that need types are in
 * .oxlintrc.json, where they take a quarter of the time.
 */
import eslint from '@eslint/js';
import { defineConfig } from 'eslint/config';
import regexp from 'eslint-plugin-regexp';
import tseslint from 'typescript-eslint';
import { houseRules } from './scripts/eslint/house-rules.mjs';

const typescript = ['**/*.ts'];
const sources = ['packages/*/src/**/*.ts'];
const tests = ['**/test/**/*.ts', 'jest.config.ts'];
const scripts = ['**/*.mjs', '**/*.cjs'];
const nodeGlobals = [
  'AbortSignal',
  'Buffer',
  'URL',
  '__dirname',
  'console',
  'fetch',
  'module',
  'performance',
  'process',
  'require',
  'setTimeout',
];
const browserGlobals = ['Element', 'document', 'innerWidth', 'localStorage', 'scrollBy'];
/** The page of `sigil dev`. */
const pageModules = ['packages/inspector/page/*.js'];
const pageGlobals = [
  ...[
    'Blob',
    'Element',
    'HTMLElement',
    'ResizeObserver',
    'TextDecoderStream',
    'URL',
    'clearTimeout',
    'document',
    'fetch',
  ],
  ...['localStorage', 'location', 'navigator', 'requestAnimationFrame', 'sessionStorage', 'setTimeout', 'window'],
];
const revisionRooms = [
  'packages/protocol/src/revisions/**',
  'packages/core/src/conversations/**',
  'packages/client/src/conversations/**',
];
const commandSources = ['packages/{cli,create}/src/**/*.ts'];
/** The one way out to a terminal. */
const outletFile = 'packages/cli/src/terminal/outlet.ts';
/** The one way to a file. */
const newFile = 'packages/cli/src/new-file.ts';
/** Those of Sigil, and those of Nest. */
const metadataFiles = ['packages/base/src/facts/facts.ts', 'packages/nest/src/nest-metadata.ts'];
const sideEffectFiles = [
  'packages/core/src/transports/stdio/guard.ts',
  'packages/testing/src/matchers/extend-expect.ts',
  'packages/{cli,create}/src/main.ts',
  'packages/cli/src/targets/preload.ts',
  'packages/cli/src/causes/report-crash.ts',
  'packages/cli/src/dev/report-requests.ts',
  'packages/cli/src/declared/report-entries.ts',
  'packages/cli/src/contract/report-description.ts',
  'packages/cli/src/causes/report-stray.ts',
  // A thread begins with it.
  'packages/cli/src/project/compile-thread.ts',
  'packages/cli/src/doctor/dtos/load-classes.ts',
  // A script of a page defines the names that the page uses.
  'packages/apps/src/view/page-script.ts',
];

const names = [
  {
    selector: ':matches(TSInterfaceDeclaration, TSTypeAliasDeclaration)[id.name=/^I[A-Z][a-z]/]',
    message: 'No I prefix: the port has the plain noun.',
  },
  {
    selector: ':matches(ClassDeclaration, TSInterfaceDeclaration, FunctionDeclaration)[id.name=/Impl$/]',
    message: 'No Impl suffix: an implementation says how it does it.',
  },
];
const defaultExports = { selector: 'ExportDefaultDeclaration', message: 'No default exports: a name is said once.' };
const reflection = {
  selector: "MemberExpression[object.name='Reflect'][property.name=/[mM]etadata/]",
  message: 'Only facts/facts.ts and nest-metadata.ts touch Reflect metadata.',
};
const sideEffects = {
  selector: 'Program > ExpressionStatement:not([directive])',
  message: 'No side effect at import.',
};
const mutableState = [
  {
    selector:
      ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration:not([declare=true]):matches([kind="let"], [kind="var"])',
    message: 'No module-level mutable state.',
  },
  {
    selector:
      ':matches(Program, Program > ExportNamedDeclaration) > VariableDeclaration > VariableDeclarator > NewExpression[callee.name=/^(Weak)?(Map|Set)$/][arguments.length=0]',
    message: 'An empty collection at module level is mutable state: let the object that needs it own it.',
  },
];
const languageErrors = {
  selector: ':matches(NewExpression, CallExpression)[callee.name=/^(Error|TypeError|RangeError)$/]',
  message:
    'Errors have codes: sigilError(code, values) of core, or that of the package (errors.ts, defineErrors), or a ProtocolError.',
};
const bareWrites = {
  selector:
    "CallExpression[callee.property.name='write'][callee.object.object.name='process'][callee.object.property.name=/^std(out|err)$/]",
  message: 'What a person reads goes through terminal/outlet.ts, which makes control characters of strangers visible.',
};
const openers = '/^(writeFile|appendFile|copyFile|cp|open|createWriteStream)(Sync)?$/';
const fileWrites = {
  selector: `:matches(ImportDeclaration[source.value=/^(node:)?fs(.promises)?$/] ImportSpecifier[imported.name=${openers}], MemberExpression[object.name=/^(fs|promises)$/][property.name=${openers}])`,
  message:
    'Files are written by new-file.ts and write-files.ts, which follow no link that somebody else has put there.',
};
const entryStars = { selector: 'ExportAllDeclaration', message: "A package's entry names what it exports." };

const commandRules = [names, defaultExports, reflection, sideEffects, mutableState, languageErrors];
const restricted = (...rules) => ({ 'no-restricted-syntax': ['error', ...rules.flat()] });

export default defineConfig(
  { ignores: ['**/dist/**', '**/coverage/**', '**/node_modules/**', '.nx/**', '.sigil/**'] },
  { linterOptions: { reportUnusedDisableDirectives: 'error' } },
  eslint.configs.recommended,
  {
    files: scripts,
    languageOptions: { globals: Object.fromEntries(nodeGlobals.map((name) => [name, 'readonly'])) },
  },
  {
    // The theme of the site runs in browsers.
    files: ['docs/.vitepress/theme/*.mjs'],
    languageOptions: { globals: Object.fromEntries(browserGlobals.map((name) => [name, 'readonly'])) },
  },
  {
    files: pageModules,
    languageOptions: { globals: Object.fromEntries(pageGlobals.map((name) => [name, 'readonly'])) },
    rules: {
      'no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', { max: 60, skipBlankLines: true, skipComments: true }],
      eqeqeq: 'error',
      ...restricted(defaultExports, mutableState),
    },
  },
  {
    files: ['{packages,apps,bench,test,scripts}/**/*.{ts,mjs,cjs}'],
    plugins: { house: houseRules },
    rules: { 'house/file-name': 'error' },
  },
  {
    files: typescript,
    extends: [tseslint.configs.recommended],
    // Types of what decorators are on are values.
    languageOptions: { parserOptions: { emitDecoratorMetadata: true, experimentalDecorators: true } },
    rules: {
      '@typescript-eslint/consistent-type-imports': 'error', // leaves files with decorators alone: their types are values
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/no-non-null-assertion': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      eqeqeq: 'error',
      'max-params': ['error', 4],
      'no-warning-comments': ['error', { terms: ['todo', 'fixme', 'xxx'] }],
      ...restricted(names, defaultExports),
    },
  },
  {
    files: sources,
    plugins: { house: houseRules, regexp },
    rules: {
      'house/documented': 'error',
      'house/revision-words': 'error',
      // A text of a stranger costs as much as it is long.
      'regexp/no-super-linear-backtracking': 'error',
      'regexp/no-super-linear-move': 'error',
      'max-lines': ['error', 400],
      'max-lines-per-function': ['error', { max: 40, skipBlankLines: true, skipComments: true }],
      'no-console': 'error',
      ...restricted(names, defaultExports, reflection, sideEffects, mutableState, languageErrors),
    },
  },
  {
    files: commandSources,
    ignores: [outletFile],
    rules: restricted(...commandRules, bareWrites, fileWrites),
  },
  { files: [newFile], rules: restricted(...commandRules, bareWrites) },
  {
    files: ['packages/*/src/index.ts'],
    rules: restricted(names, defaultExports, reflection, sideEffects, mutableState, languageErrors, entryStars),
  },
  { files: revisionRooms, rules: { 'house/revision-words': 'off' } },
  { files: metadataFiles, rules: restricted(names, defaultExports, sideEffects, mutableState, languageErrors) },
  { files: sideEffectFiles, rules: restricted(names, defaultExports, reflection, languageErrors, fileWrites) },
  {
    files: tests,
    rules: {
      // Tests read what came off the wire, and break rules on purpose.
      '@typescript-eslint/no-non-null-assertion': 'off',
      'max-params': 'off',
    },
  },
  {
    // Programs that wear a server out for minutes, and those that measure it, are about real time.
    files: ['{packages,apps}/*/test/**/*.{ts,cjs,mjs}', 'test/**/*.{ts,cjs,mjs}'],
    ignores: [
      'test/{endurance,measures}/**',
      'test/support/until.ts',
      'test/support/watched/**',
      'test/documents/guides/**',
    ],
    rules: { 'house/fixed-sleep': 'error', 'house/wall-time': 'error' },
  },
  { files: ['jest.config.ts'], rules: restricted(names) },
);
