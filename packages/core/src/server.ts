/** A server's life: started once, listening on any number of transports, closed once. */
import type { ServerCapabilities } from '@sigil-mcp/protocol';
import type { Container } from './container/container';
import type { ReportProblem } from './errors/definition-error';
import type { Kernel } from './kernel/kernel';
import type { Logger } from './logging/logger';
import { compileEntry } from './pipeline/compile-entry';
import type { EntryData } from './registry/entry-data';
import type { Registry } from './registry/registry';
import { ServerRegistry } from './registry/server-registry';
import type { Shapes } from './schema/shapes';
import { planData } from './scanner/plan-data';
import type { EntryPlan } from './scanner/plan';
import { CAPABILITY_OF } from './server-capabilities';
import type { ServerInstances } from './server-instances';
import type { Transport, TransportHost } from './transports/transport';

/** What a server is made of; only `createServer` makes one. */
export interface ServerParts {
  readonly plans: readonly EntryPlan[];
  readonly shapes: Shapes;
  readonly container: Container;
  readonly instances: ServerInstances;
  readonly registry: Registry;
  readonly logger: Logger;
  readonly shutdownDeadline: number;
  readonly capabilities: () => ServerCapabilities;
  readonly createKernel: (capabilities: ServerCapabilities) => Kernel;
}

/** Made by `createServer`. */
export class Server {
  /** What the server offers, to be changed while it runs. */
  readonly registry: ServerRegistry;
  readonly #plans: EntryPlan[];
  readonly #transports: Transport[] = [];
  #capabilities: ServerCapabilities | undefined;
  #started: Promise<Kernel> | undefined;
  #kernel: Kernel | undefined;
  #closed: Promise<void> | undefined;

  constructor(private readonly parts: ServerParts) {
    this.#plans = [...parts.plans];
    this.registry = new ServerRegistry({
      add: (data, report) => this.#add(data, report),
      remove: (kind, key) => this.#remove(kind, key),
      entries: (kind) => parts.registry.entries(kind),
    });
  }

  /**
   * Starts the server, if that has not happened, and serves clients on a transport.
   * @returns when clients can be served
   */
  async listen(transport: Transport): Promise<void> {
    if (this.#closed) throw new Error('The server was closed. Create another one.');
    const kernel = await this.#start();
    this.#transports.push(transport);
    await transport.open(this.#hostOf(kernel));
  }

  /**
   * Closes the transports, with a deadline for what runs, then stops the providers. Calling it again waits for the same end.
   */
  close(): Promise<void> {
    return (this.#closed ??= this.#close());
  }

  /**
   * Tells every client that subscribed to a resource that its contents have changed.
   * @param uri of the resource, or of a resource under a template
   */
  notifyResourceChanged(uri: string): void {
    this.#kernel?.audience.tell({ method: 'notifications/resources/updated', uri });
  }

  #start(): Promise<Kernel> {
    return (this.#started ??= this.#build());
  }

  async #build(): Promise<Kernel> {
    const { container, instances, registry, capabilities, createKernel } = this.parts;
    await container.build();
    for (const plan of this.#plans) registry.add(compileEntry(plan, instances));
    this.#capabilities = capabilities();
    await container.start();
    this.#kernel = createKernel(this.#capabilities);
    return this.#kernel;
  }

  async #close(): Promise<void> {
    // First, so that streams which wait for changes end by themselves and nobody waits for them.
    this.#kernel?.audience.close();
    await Promise.all(this.#transports.map((transport) => transport.close()));
    if (this.#started) await this.parts.container.stop();
  }

  #hostOf(kernel: Kernel): TransportHost {
    const { logger, shutdownDeadline } = this.parts;
    return { kernel, logger, shutdownDeadline, close: () => this.close() };
  }

  #add(data: EntryData, report: ReportProblem): void {
    const plan = planData(data, { report, shapes: this.parts.shapes });
    if (!plan) return;
    const capability = CAPABILITY_OF[plan.kind];
    if (this.#isTaken(plan)) {
      report({
        code: 'SIGIL_DUPLICATE_ENTRY',
        where: `registry.add(${JSON.stringify(plan.key)})`,
        what: `there is already a ${plan.kind} of this name.`,
        mend: 'Remove it first, or choose another name.',
      });
    } else if (!this.#capabilities) this.#plans.push(plan);
    else if (this.#capabilities[capability]) this.parts.registry.add(compileEntry(plan, this.parts.instances));
    else {
      report({
        code: 'SIGIL_CAPABILITY_NOT_ADVERTISED',
        where: `registry.add(${JSON.stringify(plan.key)})`,
        what: `the server told its clients that it has no ${capability}, because it had none when it started.`,
        mend: `Say createServer({ capabilities: ['${capability}'] }).`,
      });
    }
  }

  #isTaken({ kind, key }: EntryPlan): boolean {
    if (this.#capabilities) return this.parts.registry.find(kind, key) !== undefined;
    return this.#plans.some((plan) => plan.kind === kind && plan.key === key);
  }

  #remove(kind: EntryPlan['kind'], key: string): boolean {
    if (this.#capabilities) return this.parts.registry.remove(kind, key);
    const index = this.#plans.findIndex((plan) => plan.kind === kind && plan.key === key);
    if (index >= 0) this.#plans.splice(index, 1);
    return index >= 0;
  }
}
