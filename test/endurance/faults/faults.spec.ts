/** Faults that are quickly tried; `npm run faults` tries all of them, and writes the table of docs/reliability.md. */
import { FAULTS } from './all-faults';
import { Report } from './fault';

describe('what goes wrong around a server is survived', () => {
  it.each(FAULTS.filter(({ isQuick }) => isQuick))(
    '$name: $expected',
    async ({ run }) => {
      const report = new Report();
      await run(report);
      expect(report.problems).toEqual([]);
    },
    120_000,
  );
});
