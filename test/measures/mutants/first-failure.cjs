/** Writes the first test that fails into the file SIGIL_FIRST_FAILURE: `--bail` may end a run before its report is written. */
const { existsSync, writeFileSync } = require('node:fs');

module.exports = class FirstFailure {
  onTestResult(_test, { testFilePath, testResults, failureMessage }) {
    const file = process.env.SIGIL_FIRST_FAILURE;
    const failed = testResults.find(({ status }) => status === 'failed');
    if ((!failed && !failureMessage) || existsSync(file)) return;
    const name = failed?.fullName ?? failureMessage.split('\n')[0];
    writeFileSync(file, JSON.stringify({ path: testFilePath, name }));
  }
};
