/** A text of a skill that is searched for what it names. */
export interface SearchedText {
  /** Markdown, without front matter. */
  readonly body: string;
  /** The line of its file at which it begins. */
  readonly bodyLine: number;
  /** The URI of the folder that it is in. */
  readonly folder: string;
  /** Its file, in messages. */
  readonly where: string;
}
