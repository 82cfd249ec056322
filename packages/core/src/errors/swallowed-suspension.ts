/** A handler caught the signal that should have ended its round. */
import { SigilError } from '@sigil-mcp/base';
import { wordsFor } from './catalogue';

/** The author's mistake, with the place where the question was asked in its stack. */
export class SwallowedSuspension extends SigilError {
  override readonly name = 'SwallowedSuspension';

  /**
   * @param label the question that is without an answer
   * @param suspension was thrown where it was asked
   * @param thrown what the handler threw in its place, if it did
   */
  constructor(label: string, suspension: Error, thrown?: unknown) {
    super(
      wordsFor('SIGIL_SWALLOWED_SUSPENSION', { question: label }),
      thrown === undefined ? undefined : { cause: thrown },
    );
    // What matters to its author is where it was asked, not where that was noticed.
    this.stack = `${this.name}: ${this.message}\n${(suspension.stack ?? '').split('\n').slice(1).join('\n')}`;
  }
}
