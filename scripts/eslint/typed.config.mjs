/** Rules of ours that need types: they take as long as all others together, so they stand apart. */
import { defineConfig } from 'eslint/config';
import tseslint from 'typescript-eslint';
import { houseRules } from './house-rules.mjs';

export default defineConfig({
  files: ['packages/*/src/**/*.ts'],
  // They are for the other rules.
  linterOptions: { reportUnusedDisableDirectives: 'off' },
  extends: [tseslint.configs.base],
  plugins: { house: houseRules },
  languageOptions: {
    parserOptions: { project: './tsconfig.json', tsconfigRootDir: import.meta.dirname },
  },
  rules: { 'house/void-promise': 'error' },
});
