/** The one warning of a server about all classes that say too little. */
import type { DefinitionProblem } from '../errors/definition-error';
import type { Logger } from './logger';

/** Collects what is told of classes until the server starts, says it then at once, and what comes later when it comes. */
export class VagueClasses {
  readonly #seen = new Map<string, DefinitionProblem>();
  #untold: DefinitionProblem[] = [];
  #isStarted = false;

  /**
   * @param logger takes the warning
   * @param strict what says too little is refused, so that there is nothing to tell; 'warn': what is wrong is told, too
   */
  constructor(
    private readonly logger: Logger,
    readonly strict: boolean | 'warn' = false,
  ) {}

  /** Takes a property that says too little; each is told once, however often its class is used. */
  add(problem: DefinitionProblem): void {
    if (this.#seen.has(problem.what)) return;
    this.#seen.set(problem.what, problem);
    this.#untold.push(problem);
    if (this.#isStarted) this.warn();
  }

  /** Says that the server starts: writes the warning, if there is anything to tell. */
  warn(): void {
    this.#isStarted = true;
    if (this.#untold.length === 0) return;
    const properties = this.#untold.map(({ code, where, what, fix }) => `${where}: ${what} ${fix} [${code}]`);
    this.#untold = [];
    this.logger.warn({ properties }, MESSAGE);
  }
}

const MESSAGE =
  'Some classes say too little of what they hold, or what had to be guessed; createServer({ strict: true }) refuses them';
