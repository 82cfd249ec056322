/** The names of an API in the code that is written for it. */
import { apiNames } from '../src/print/api-names';

it.each([
  ['Pet Store API', 'petStore'],
  ['constructor', 'constructorApi'],
  ['Class', 'classApi'],
  ['The API of arguments', 'argumentsApi'],
])('of %j has a member that a class can have: %s', (title, member) => {
  expect(apiNames(undefined, title, '').member).toBe(member);
});
