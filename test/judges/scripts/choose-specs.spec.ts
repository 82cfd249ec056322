/** What `npm run check` runs for a change of what no spec imports. */
import { callScript } from './call-script';

interface Choice {
  readonly chosen: readonly string[];
  readonly leftOut: readonly string[];
}

// The cast stands for what the script documents.
const choose = (...files: string[]): Choice => callScript('choose-specs.mjs', 'chooseSpecs', files) as Choice;

describe('a change', () => {
  it.each([
    ['a script', 'scripts/judge-report.mjs', 'test/judges/scripts/judge-report.spec.ts'],
    ['a script of CommonJS', 'scripts/rooms.cjs', 'test/judges/rooms.spec.ts'],
    [
      'a table that helpers of specs read',
      'test/support/supplies/official-schemas.json',
      'test/support/supplies/judge-message.spec.ts',
    ],
    ['a page', 'docs/dependencies.md', 'test/judges/architecture.spec.ts'],
  ])('of %s chooses the specs that name it', (_, file, spec) => {
    const { chosen, leftOut } = choose(file);
    expect(chosen).toContain(spec);
    expect(leftOut.join()).not.toContain(file);
  });

  it('that no spec is found for is named among what is left out', () => {
    const files = ['scripts/', 'docs/', ''].map((folder) => `${folder}${'nobody'.repeat(2)}.json`);
    expect(choose(...files).leftOut).toEqual(files.map((file) => `what depends on ${file} (no spec is known to)`));
  });

  it('of a spec chooses it, however slow it is', () => {
    expect(choose('test/behaviour/wire/stdio.spec.ts').chosen).toContain('test/behaviour/wire/stdio.spec.ts');
  });
});
