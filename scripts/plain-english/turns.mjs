/**
 * Words and turns that a reader has to read twice, each with what to write instead. Pages, READMEs, docstrings, comments, messages and
 * templates must not contain them. Extend the list: add turns that you stumble over, and fix the lines that the program finds.
 */
export const TURNS = [
  [/\bmend(s|ed|ing)?\b/i, 'fix'],
  [/\bwhoever\b/i, 'the client, the caller, the code that …'],
  [/\bwherever\b/i, 'in every …, each time …'],
  [/\bof the house\b/i, 'of this project'],
  [/\bout of the house\b/i, 'outside the process'],
  [/\bcomes? over\b/i, 'arrives over'],
  [/\bas far as (it|that) goes\b/i, '(leave it out)'],
  [/\bthat there is not\b/i, 'that does not exist'],
  [/\b(is|are|was|were|be) none\b/i, 'is not a valid …, does not exist'],
  [/\bin vain\b/i, 'without success'],
  [/\banew\b/i, 'again'],
  [/\ball the same\b/i, 'anyway'],
  [/\b(hears?|heard|tells?|told|is told) of\b/i, 'is notified of, reports'],
  [/\bknows nothing of\b/i, 'does not know'],
  [/\bmakes of (it|them|that)\b/i, 'does with'],
  [/\bbeside (it|them|the|each|a|an|its|this|that|one)\b/i, 'next to, in addition to'],
  [/\bat the most\b/i, 'at most'],
  [/\bfor who\b/i, 'for the client that …'],
  [/\b(whatever|whichever)\b/i, 'any …, every …, regardless of …'],
  [/\b(anybody|somebody else|nobody in particular)\b/i, 'a client, another caller, no user'],
  [/\bis told\b/i, 'receives, is notified'],
  [/\bwhere there (is|are|was|were)\b/i, 'if there is'],
  [/\bhears\b(?!\()/i, 'receives, is notified'],
  [/\b(call|connection|request|server|session|stream|test|time) is over\b/i, 'has ended'],
  [/\bwhat (became|becomes) of\b/i, 'the outcome of'],
  [/\bno words? for\b/i, 'does not have'],
  [/\bin the words of\b/i, 'in the terms of, with the names of'],
  [/\b(of|for|to) those who\b/i, 'for clients that …, for authors who …'],
  [/\bwhat stands\b/i, 'the content of …'],
  [/\bin the place of\b/i, 'instead of'],
  [/\bout of reach\b/i, 'unreachable'],
  [/\bsomebody\b/i, 'a user, a caller, a client'],
  [/\bwithout a word\b/i, 'without a message, silently'],
  [/\blets? (it|them|him|callers|people|users) in\b/i, 'admits, accepts'],
  [/\b(comes?|came) back for\b/i, 'reconnects for'],
  [/\bgo(es)? on (elsewhere|with (it|them|a|the|any))\b/i, 'continues'],
  [/\b(is|are) kept no more\b/i, 'is no longer stored'],
  [/\bby themselves\b/i, 'automatically, separately'],
];

/** Lines that quote a turn or need it in another sense: these parts of a line are not looked at. */
export const ALLOWED = [/\bconst \w+ of\b/g, /`[^`]*`/g, /https?:\/\/\S+/g, /\]\([^)]*\)/g];
