/** `sigil add openapi` with the documents of GitHub and Stripe: all of their operations compile, and one part of each passes its own tests. */
import { apiDocument } from '../../support/supplies/apis';
import { describeWith } from '../../support/supplies/supply';
import { ESLINT, JEST, OpenApiProject, PRETTIER, TSC } from './openapi-project';

jest.setTimeout(900_000);

const done = { status: 0, output: expect.any(String) as string };

describeWith('apis', 'documents of public APIs', () => {
  it.each([
    // One operation of each uploads files to a server of its own.
    ['github', '1222 of 1223'],
    ['stripe', '451 of 452'],
  ] as const)('all operations of %s compile', async (name, counts) => {
    const project = await OpenApiProject.make();
    try {
      const added = await project.sigil('add', 'openapi', apiDocument(name), '--all', '--name', name);
      expect(added).toEqual({
        status: 0,
        output: expect.stringContaining(`${counts} operations are tools.`) as string,
      });
      expect(project.tool(TSC, '-p', 'test')).toEqual({ status: 0, output: '' });
    } finally {
      project.remove();
    }
  });

  it.each([
    ['github', 'issues', 50_000],
    ['stripe', 'customers', 70_000],
  ] as const)('the tools of %s for %s are tidy, pass their tests and cost little', async (name, tag, most) => {
    const project = await OpenApiProject.make();
    try {
      const { status, output } = await project.sigil('add', 'openapi', apiDocument(name), '--tag', tag, '--name', name);
      expect({ status, output }).toEqual(done);
      const [, tokens = ''] = /([\d,]+) {2}the tools as they are written/.exec(output) ?? [];
      expect(Number(tokens.replaceAll(',', ''))).toBeLessThan(most);
      expect(project.tool(ESLINT, '.', '--max-warnings', '0')).toEqual({ status: 0, output: '' });
      expect(project.tool(PRETTIER, '--check', '.')).toEqual(done);
      expect(project.tool(JEST)).toEqual(done);
    } finally {
      project.remove();
    }
  });
});
