/** The end of a question, for observers of the call. */

/**
 * How a question ended. `accept`, `decline`, `cancel`: the action of the answer to an elicitation. `answered`: any other question has its
 * answer. `pending`: the answer comes with another request. `failed`: there is no answer, or one that cannot be used.
 */
export type QuestionOutcome = 'accept' | 'decline' | 'cancel' | 'answered' | 'pending' | 'failed';
