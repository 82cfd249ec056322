/** The words of names: split, joined, and in the singular or the plural, as English mostly has them. */

/** Characters of a name that are read: no name in code is longer. */
const LONGEST = 500;

/** `listPaymentIntents`, `list_payment-intents` -> `['list', 'payment', 'intents']`. */
export function wordsOf(name: string): string[] {
  return name
    .slice(0, LONGEST)
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .replace(/([a-z0-9])([A-Z])/g, '$1 $2')
    .replace(/([A-Z])([A-Z][a-z])/g, '$1 $2')
    .split(/[^A-Za-z0-9]+/)
    .filter((word) => word !== '')
    .map((word) => word.toLowerCase());
}

/** `['list', 'pets']` -> `listPets`; a name never begins with a digit. */
export function camel(words: readonly string[]): string {
  const name = words.map((word, index) => (index === 0 ? word : upper(word))).join('');
  return /^\d/.test(name) ? `n${name}` : name;
}

/** `['list', 'pets']` -> `ListPets`. */
export function pascal(words: readonly string[]): string {
  const name = words.map(upper).join('');
  return /^\d/.test(name) ? `N${name}` : name;
}

/** A name with a capital letter first. */
export function upper(word: string): string {
  return word.charAt(0).toUpperCase() + word.slice(1);
}

/** Whether a word stands for several: `pets`, but not `status` or `address`. */
export function isPlural(word: string): boolean {
  return singular(word) !== word;
}

const IRREGULAR = [
  ['person', 'people'],
  ['child', 'children'],
  ['index', 'indices'],
  ['series', 'series'],
] as const;

/** `repositories` -> `repository`. */
export function singular(word: string): string {
  const irregular = IRREGULAR.find(([, many]) => many === word);
  if (irregular) return irregular[0];
  if (/(?:ss|us|is|news|data|sms|dns|https?|aws|gps|os|css)$/.test(word) || word.length < 3) return word;
  if (/[^aeiou]ies$/.test(word)) return word.replace(/ies$/, 'y');
  if (/(?:ch|sh|x|z|ss|us)es$/.test(word)) return word.slice(0, -2);
  return word.replace(/s$/, '');
}

/** `repository` -> `repositories`. */
export function plural(word: string): string {
  const irregular = IRREGULAR.find(([one]) => one === word);
  if (irregular) return irregular[1];
  if (isPlural(word) || /(?:data|news)$/.test(word)) return word;
  if (/[^aeiou]y$/.test(word)) return word.replace(/y$/, 'ies');
  return /(?:ch|sh|x|z|s)$/.test(word) ? `${word}es` : `${word}s`;
}

/** The words with the last of them in the singular. */
export function lastSingular(words: readonly string[]): string[] {
  return words.map((word, index) => (index === words.length - 1 ? singular(word) : word));
}

/** The words with the last of them in the plural. */
export function lastPlural(words: readonly string[]): string[] {
  return words.map((word, index) => (index === words.length - 1 ? plural(word) : word));
}

const VERBS = new Set(
  (
    'accept add advance apply approve archive assign attach attest authorize block cancel capture check clear close clone compare complete ' +
    'confirm convert copy count create deactivate delete deliver deny detach disable dismiss dispatch download duplicate edit ' +
    'enable enter exchange execute expire export fail fetch filter finalize find follow force fork fund generate get grant import increment ' +
    'init install invite issue join leave link list lock login logout make mark merge migrate mint mirror modify move mute notify open ' +
    'order patch pause pay ping pin post preview provision publish purge put query read receive recreate redeem redeliver refresh refund ' +
    'register reject release rebase recover reprioritize retag redo regenerate reindex reassign reactivate reload remove rename render reopen reorder replace reply report request rerequest rerun reset resend resolve ' +
    'restart restore resume retrieve retry return reveal reverse review revoke rotate run save schedule search send set share sign ship ' +
    'show skip star start stop submit subscribe suspend sync test track transfer trigger unarchive unassign unblock undo unfollow ' +
    'unlink unlock unmark unpin unstar unsubscribe unsuspend update upload upsert use validate verify view void watch write'
  ).split(' '),
);

/** Whether a word can begin the name of a tool. */
export function isVerb(word: string): boolean {
  return VERBS.has(word);
}
