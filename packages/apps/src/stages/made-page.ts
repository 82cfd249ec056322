/** Checks a page that a method makes, which can be known only when they are read. */
import type { DefinitionProblem } from '@sigil-mcp/base';
import type { EntryFacts, ExtensionServices } from '@sigil-mcp/core';
import { VIEW } from '../declared/view-fact';
import { VIEW_TYPE } from '../names';
import { readAuthored } from '../page/view-pages';
import { checkPage } from '../checks/check-view';
import { whereOf } from '../checks/where';

/** Contents of a resource, as far as they matter here. */
interface PageContents {
  readonly mimeType?: string | undefined;
  readonly text?: string | undefined;
  readonly blob?: string | undefined;
}

/** Logs what is wrong with the page of one view that was made for a call: the first one is read. */
export class MadePage {
  #isRead = false;

  constructor(private readonly entry: EntryFacts) {}

  /** @param contents of the result of `resources/read` */
  check(contents: readonly PageContents[], { logger }: ExtensionServices): void {
    if (this.#isRead) return;
    this.#isRead = true;
    const { entry } = this;
    const where = whereOf(entry);
    const warn = ({ problem, fix }: Pick<DefinitionProblem, 'problem' | 'fix'>): void =>
      logger.warn({ uri: entry.key }, `${where}: ${problem} ${fix}`);
    for (const { mimeType, text, blob } of contents) {
      if (mimeType !== VIEW_TYPE)
        warn({ problem: `Its contents have the type ${mimeType}.`, fix: `Views have the type ${VIEW_TYPE}.` });
      const html = text ?? Buffer.from(blob ?? '', 'base64').toString('utf8');
      checkPage({ name: entry.key, page: readAuthored(html) }, VIEW.of(entry)?.options.csp, where, warn);
    }
  }
}
