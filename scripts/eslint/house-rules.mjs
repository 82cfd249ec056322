/** The rules of this project that plain eslint cannot express, as one local plugin. */
import { fileName } from './file-name.mjs';
import { documented } from './documented.mjs';
import { fixedSleep } from './fixed-sleep.mjs';
import { revisionWords } from './revision-words.mjs';
import { voidPromise } from './void-promise.mjs';
import { wallTime } from './wall-time.mjs';

export const houseRules = {
  meta: { name: 'house' },
  rules: {
    documented,
    'file-name': fileName,
    'fixed-sleep': fixedSleep,
    'revision-words': revisionWords,
    'void-promise': voidPromise,
    'wall-time': wallTime,
  },
};
