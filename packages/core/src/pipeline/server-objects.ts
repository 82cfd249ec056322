/** Which classes of a server's definition the container builds, and how plans get at the instances. */
import type { Container } from '../container/container';
import type { Constructor, Token } from '../container/provider';
import type { GuardReference, InterceptorReference } from '../decorators/create-fact';
import { sigilError } from '../errors/catalogue';
import type { ReportProblem } from '@sigil-mcp/base';
import type { HandlerRunner } from './handler-runner';
import type { OwnedStage, ServerExtensions } from '../extensions/server-extensions';
import type { EntryFacts } from '../context/entry-facts';
import type { Guard, Interceptor } from '../context/call';
import type { EntryPlan, FeatureSource } from '../kinds/all-kinds';
import type { HandlerPlan } from '../members/member';

type Methods = Readonly<Record<string, ((...args: unknown[]) => unknown) | undefined>>;

/** The options that name classes, or the framework that calls them. */
interface NamedObjects {
  readonly features?: readonly FeatureSource[];
  readonly guards?: readonly GuardReference[];
  readonly interceptors?: readonly InterceptorReference[];
  readonly runner?: HandlerRunner;
}

/** Finds the instances of the classes that plans name, once the container has built them. Throws for a class that was not built. */
export class ServerObjects {
  /** Whether an observer asks for the times of the stages of calls. */
  readonly isTimed: boolean;
  /**
   * Calls handlers; undefined if the server does so on the instances that its container has built. A field, because every entry asks for it
   * when the server starts.
   */
  readonly runner: HandlerRunner | undefined;

  constructor(
    private readonly container: Container,
    private readonly options: NamedObjects,
    private readonly extensions: ServerExtensions,
    observers: { readonly watchesStages: boolean } | undefined,
  ) {
    this.isTimed = observers?.watchesStages ?? false;
    this.runner = options.runner;
  }

  /** The stages of extensions around an entry. */
  stages(entry: EntryFacts): readonly OwnedStage[] {
    return this.extensions.stagesOf(entry);
  }

  /** Everything that the container has to build because the definition refers to it. */
  roots(plans: readonly EntryPlan[]): Token[] {
    const { features = [], guards = [], interceptors = [] } = this.options;
    const classes = features.filter((feature) => typeof feature === 'function');
    return [...classes, ...classesOf([...guards, ...interceptors]), ...referencesOf(plans)];
  }

  /** Tells the container what a feature needs that is added later. */
  prepare(feature: Constructor, plans: readonly EntryPlan[], report: ReportProblem): void {
    this.container.prepare([], [feature, ...referencesOf(plans)], report);
  }

  /** Builds and starts what was prepared and is not built yet. */
  async build(): Promise<void> {
    await this.container.build();
    await this.container.start();
  }

  /** Guards of the server, asked before those of classes and methods. */
  get serverGuards(): readonly Guard[] {
    return (this.options.guards ?? []).map((guard) => this.guard(guard));
  }

  serverInterceptors(): Interceptor[] {
    return (this.options.interceptors ?? []).map((interceptor) => this.interceptor(interceptor));
  }

  /** The method of a plan, bound to its instance; or the function of a plan without a class. */
  handler(plan: HandlerPlan): (...args: unknown[]) => unknown {
    if ('run' in plan) return plan.run;
    // The scanner found the method on the class of this instance.
    const instance = this.container.get(plan.feature) as Methods;
    // A decorator may put the method there for a property, which the instance then has as well, without a value.
    const method = instance[plan.member] ?? (plan.feature.prototype as Methods)[plan.member];
    if (!method) throw sigilError('SIGIL_INTERNAL', { what: `${plan.feature.name} has no method ${plan.member}` });
    return method.bind(instance);
  }

  guard(reference: GuardReference): Guard {
    // The container built this class for a guard reference.
    return typeof reference === 'function' ? (this.container.get(reference) as Guard) : reference;
  }

  interceptor(reference: InterceptorReference): Interceptor {
    // The container built this class for an interceptor reference.
    return typeof reference === 'function' ? (this.container.get(reference) as Interceptor) : reference;
  }
}

function referencesOf(plans: readonly EntryPlan[]): Token[] {
  return classesOf(plans.flatMap((plan) => [...plan.guards, ...plan.interceptors]));
}

function classesOf(references: readonly (GuardReference | InterceptorReference)[]): Token[] {
  return references.filter(
    (reference): reference is Constructor<Guard & Interceptor> => typeof reference === 'function',
  );
}
