import { nodeProblem } from '../src/node-problem';

describe('Node', () => {
  it.each(['20.19.0', '20.20.2', '22.0.0', '24.1.0', '26.0.0-nightly'])('%s is new enough', (version) => {
    expect(nodeProblem(version)).toBeUndefined();
  });

  it.each(['0.12.18', '8.17.0', '18.20.8', '20.9.0', '20.18.3'])('%s is too old', (version) => {
    expect(nodeProblem(version)).toEqual({
      problem: `This is Node ${version}; Sigil needs 20.19 or newer.`,
      fix: expect.stringMatching(/^Install a newer Node .*\.$/) as string,
    });
  });
});
