/* global module, beforeEach, afterEach, afterAll */
/**
 * Closes what `connect`, `issuer` and the like opened in a test when the test is over, also when it failed: a program that runs on would keep
 * jest from ending. What was opened outside of a test, as in `beforeAll`, is closed when the tests of the file are over.
 */
const OPENED = Symbol.for('sigil.testing.opened');

const ofFile = [];
const ofTest = [];
let current = ofFile;

globalThis[OPENED] = (opened) => void current.push(opened);

/** The last first: a client before the issuer that it has its token of. What was closed by the test is closed already. */
async function closeAll(opened) {
  for (const each of opened.splice(0).reverse()) await each.close().catch(() => undefined);
}

beforeEach(() => {
  current = ofTest;
});
afterEach(async () => {
  current = ofFile;
  await closeAll(ofTest);
});
afterAll(() => closeAll(ofFile));

module.exports = {};
