import { isInRange } from '../src/doctor/check-versions';

describe('a version', () => {
  it.each([
    ['1.2.3', '^1.2.0', true],
    ['2.0.0', '^1.2.0', false],
    ['0.15.9', '^0.15.1', true],
    ['0.16.0', '^0.15.1', false],
    ['0.0.4', '^0.0.3', false],
    ['6.0.9', '~6.0.3', true],
    ['6.1.0', '~6.0.3', false],
    ['20.19.0', '>=20.19', true],
    ['20.18.9', '>=20.19', false],
    ['9.0.0', '^8.0.0 || ^9.0.0', true],
    ['10.0.0', '^8.0.0 || ^9.0.0', false],
    ['1.5.0', '>=1.0.0 <2.0.0', true],
    ['2.0.0', '>=1.0.0 <2.0.0', false],
    ['0.1.0', '0.1.0', true],
    ['0.1.1', '0.1.0', false],
    ['0.9.0', '^0', true],
    ['1.0.0', '^0', false],
    ['1.5.0', '~1', true],
    ['2.0.0', '~1', false],
    ['1.5.0', '1.x', true],
    ['2.0.0', '1.x', false],
    ['1.4.9', '1.2 - 1.4', true],
    ['1.5.0', '1.2 - 1.4', false],
    ['1.5.0', '>= 1.0.0', true],
    ['0.9.0', '>= 1.0.0', false],
    ['21.0.0-nightly', '>=20.19', true],
    ['7.0.0-dev', '>=5.4 <7', false],
    ['6.1.0-dev', '>=5.4 <7', true],
    ['0.1.0', '*', true],
    ['0.1.0', 'next', true],
    ['0.1.0', 'workspace:*', true],
    ['linked', '^1.0.0', true],
    ['0.1.0', 'file:vendor/x.tgz', true],
  ])('%s in %s: %s', (version, range, expected) => {
    expect(isInRange(version, range)).toBe(expected);
  });
});
