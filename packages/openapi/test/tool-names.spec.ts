/** The names of tools: what a model would call them. */
import type { ApiOperation } from '../src/operations/operation';
import { proposeToolNames } from '../src/names/tool-names';
import { TakenNames } from '../src/names/taken-names';

const named = (key: string, id?: string, tag?: string): string | undefined => {
  const [method = '', path = ''] = key.split(' ');
  // Names are made of these alone.
  return proposeToolNames({
    key,
    method,
    path,
    id,
    tags: tag === undefined ? [] : [tag],
  } as unknown as ApiOperation)[0];
};

it.each([
  ['GET /repos/{owner}/{repo}/issues', 'issues/list-for-repo', 'issues', 'listIssuesForRepo'],
  ['GET /repos/{o}/{r}/issues/{n}', 'issues/get', 'issues', 'getIssue'],
  ['POST /repos/{o}/{r}/issues/{n}/assignees', 'issues/add-assignees', 'issues', 'addIssueAssignees'],
  ['DELETE /repos/{o}/{r}/issues/{n}/labels', 'issues/remove-all-labels', 'issues', 'removeAllIssueLabels'],
  ['POST /repos/{o}/{r}/milestones', 'issues/create-milestone', 'issues', 'createMilestone'],
  ['GET /search/commits', 'search/commits', 'search', 'searchCommits'],
  ['GET /pets', 'listPets', 'pets', 'listPets'],
  ['GET /pets', 'list', 'pets', 'listPets'],
  ['GET /pets/{id}', 'get_pet_by_id', 'pets', 'getPetById'],
  ['POST /orders', 'orders_create', 'orders', 'createOrder'],
  ['GET /users', 'UsersController_findAll', 'users', 'findAllUsers'],
  ['GET /items/{item_id}', 'read_item_items__item_id__get', undefined, 'readItem'],
  ['POST /v1/payment_intents/{intent}/confirm', 'PostPaymentIntentsIntentConfirm', undefined, 'confirmPaymentIntent'],
  ['GET /v1/payment_intents', 'GetPaymentIntents', undefined, 'listPaymentIntents'],
  ['POST /v1/payment_intents/{intent}', 'PostPaymentIntentsIntent', undefined, 'updatePaymentIntent'],
  ['GET /search', 'search', 'Search', 'search'],
  ['GET /search', 'search', undefined, 'search'],
  ['POST /search/search', undefined, undefined, 'search'],
  ['GET /searches', 'search/search', 'search', 'search'],
  ['POST /upload', 'upload', 'upload', 'upload'],
  ['POST /exports', 'exports_export', 'exports', 'export'],
  ['GET /lists', 'listAll', 'Lists', 'getAllLists'],
  ['GET /lists', 'lists/list', 'lists', 'getLists'],
  ['GET /lists', undefined, undefined, 'getLists'],
  ['GET /lists/{id}', undefined, undefined, 'getList'],
  ['GET /shares/{id}/shares', 'shares/list-for-share', 'shares', 'listSharesForShare'],
  ['GET /people/{id}', undefined, undefined, 'getPerson'],
  ['PUT /categories', undefined, undefined, 'setCategory'],
  ['GET /', undefined, undefined, 'getRoot'],
  ['GET /größen/{größe}', undefined, undefined, 'getGroe'],
])('%s with the id %s is %s', (key, id, tag, name) => {
  if (key.includes('größe')) expect(named(key, id, tag)).toMatch(/^get[A-Z]\w*$/);
  else expect(named(key, id, tag)).toBe(name);
});

it('are cut between words, and get a number if they are taken', () => {
  const taken = new TakenNames();
  const long = 'replaceEverythingThatTheBakeryHasForAllOfItsCustomers';
  expect(taken.take(long)).toBe('replaceEverythingThatTheBakeryHasForAllOfIts');
  expect(taken.take(long)).toMatch(/^replaceEverything\w*2$/);
  expect(taken.take('listPets')).toBe('listPets');
  expect(taken.take('ListPets', 'listAllPets')).toBe('listAllPets');
  for (let count = 0; count < 20; count += 1) expect(taken.take(long).length).toBeLessThanOrEqual(50);
});
