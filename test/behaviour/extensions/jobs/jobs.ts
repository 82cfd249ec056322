/** An extension as somebody else would write it: long tools run as jobs, which a client starts, watches, answers and reads. */
import { randomUUID } from 'node:crypto';
import {
  ProtocolError,
  TypedResult,
  createFact,
  extensionMethod,
  extensionNotification,
  type DetachedCall,
  type EntryFacts,
  type Extension,
  type ExtensionCall,
  type ExtensionListenField,
  type ExtensionServices,
  type JsonObject,
  type JsonValue,
  type MetaKey,
  type NotificationOperation,
  type Operation,
  type ResultType,
} from '@sigil-mcp/core';

export const JOBS = 'com.example/jobs';

/** Marks a tool that may run as a job, for so many milliseconds. */
export const Slow = createFact<{ readonly timeout: number }>({ label: 'Slow', extension: JOBS });

interface JobName {
  readonly job: string;
}
interface JobView extends JobName {
  readonly status: string;
  readonly progress?: number;
  readonly text?: string;
  readonly question?: string;
}
interface ToolCall {
  readonly tool: string;
  readonly arguments: JsonObject;
}

const text = (params: JsonObject, name: string): string => {
  const value = params[name];
  if (typeof value === 'string') return value;
  throw new ProtocolError('invalid-params', `params.${name} must be a string`);
};
const same = (value: object): JsonObject => ({ ...value });
const isObject = (value: JsonValue | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

function operation<P extends object, R extends object>(
  method: string,
  readParams: (params: JsonObject) => P,
  more: Partial<Operation<string, P, R>> = {},
): Operation<string, P, R> {
  const readResult = (result: JsonObject): R => result as unknown as R;
  return { method, ...more, compile: () => ({ readParams, writeParams: same, writeResult: same, readResult }) };
}

const readName = (params: JsonObject): JobName => ({ job: text(params, 'job') });
const readTool = (params: JsonObject): ToolCall => ({
  tool: text(params, 'tool'),
  arguments: isObject(params['arguments']) ? params['arguments'] : {},
});

export const GET = operation<JobName, JobView>('jobs/get', readName);
export const CANCEL = operation<JobName, object>('jobs/cancel', readName, { nameParameter: 'job' });
export const ANSWER = operation<JobName & { readonly answer: JsonObject }, object>('jobs/answer', (params) => ({
  ...readName(params),
  answer: isObject(params['answer']) ? params['answer'] : {},
}));
export const START = operation<ToolCall, JobName>('jobs/start', readTool);
export const RUN = operation<ToolCall, { readonly text: string; readonly isError: boolean }>('jobs/run', readTool, {
  mayAsk: true,
});
export const LIST = operation<object, { readonly tools: readonly string[] }>('jobs/tools', () => ({}));
export const COUNT = operation<object, { readonly tools: number }>('jobs/count', () => ({}));
export const ABOUT = operation<{ readonly tool: string }, { readonly timeout: number }>('jobs/about', (params) => ({
  tool: text(params, 'tool'),
}));

export const CHANGED: NotificationOperation<string, JobView> = {
  method: 'notifications/jobs',
  compile: () => ({ readParams: (params) => params as unknown as JobView, writeParams: same }),
};
const SEEN: NotificationOperation<string, JobName> = {
  method: 'notifications/jobs/seen',
  compile: () => ({ readParams: readName, writeParams: same }),
};
export const STARTED: NotificationOperation<string, JobName> = {
  method: 'notifications/jobs/started',
  compile: () => ({ readParams: readName, writeParams: same }),
};
export const PRIORITY: MetaKey<number> = {
  name: 'com.example/priority',
  read(value, at) {
    if (typeof value === 'number') return value;
    throw new ProtocolError('invalid-params', `${at}.com.example/priority must be a number`);
  },
};
export const JOB: ResultType<JobView> = {
  name: 'job',
  methods: ['tools/call'],
  write: same,
  read: (result) => result as unknown as JobView,
};

interface Job {
  /** Undefined while the work begins. */
  work?: DetachedCall;
  view: JobView;
  answer?: (answer: JsonObject) => void;
}

/** The extension. Each value has its own jobs. */
export function jobs(seen: string[] = []): Extension {
  const all = new Map<string, Job>();

  const find = ({ params: { job: name }, ...call }: { readonly params: JobName }, of: ExtensionCall): Job => {
    const job = all.get(name);
    if (job?.work?.belongsTo(of)) return job;
    throw new ProtocolError('invalid-params', `Unknown job: ${name}${Object.keys(call).join('')}`);
  };

  const begin = (
    call: ExtensionCall,
    work: () => object | Promise<object>,
    { services, timeout }: { readonly services: ExtensionServices; readonly timeout?: number },
  ): JobView => {
    const name = randomUUID();
    // The work may report progress, or ask, before it is detached.
    const job: Job = { view: { job: name, status: 'working' } };
    all.set(name, job);
    const change = (changes: Partial<JobView>): void => {
      job.view = { ...job.view, ...changes };
      services.notify(CHANGED, job.view, { subject: name, principal: call.context.caller.principal });
    };
    const detached = call.detach(work, {
      ...(timeout !== undefined && { timeout }),
      onProgress: (progress) => change({ progress }),
      onQuestion: (_key, { params }, signal) =>
        new Promise((resolve, reject) => {
          signal.addEventListener('abort', () => reject(signal.reason as Error), { once: true });
          job.answer = resolve;
          change({ status: 'asking', question: JSON.stringify(params?.['message']) });
        }),
    });
    job.work = detached;
    detached.result.then(
      (result) => change({ status: 'done', text: textOf(result) }),
      (error: Error) => change({ status: 'failed', text: error.message }),
    );
    return job.view;
  };

  const JOB_FIELD: ExtensionListenField<readonly string[]> = {
    name: 'jobs',
    read(value, at) {
      if (Array.isArray(value) && value.every((one): one is string => typeof one === 'string')) return value;
      throw new ProtocolError('invalid-params', `${at}.jobs must be an array of strings`);
    },
    honour: (names, call) => names.filter((name) => all.get(name)?.work?.belongsTo(call)),
    covers: (names, { method, params }) => method === CHANGED.method && names.includes((params as JobName).job),
  };

  return {
    name: JOBS,
    protocol: {
      isForEveryRevision: true,
      capabilities: (entries) => ({ tools: slowTools(entries.entries('tool')) }),
      methods: [
        extensionMethod(GET, (call) => find(call, call).view),
        extensionMethod(CANCEL, (call) => {
          find(call, call).work?.cancel();
          return {};
        }),
        extensionMethod(ANSWER, (call) => {
          find(call, call).answer?.(call.params.answer);
          return {};
        }),
        extensionMethod(START, async (call, services) => {
          const { tool: name, arguments: args } = call.params;
          const view = begin(call, () => call.run('tools/call', { name, arguments: args }), { services });
          await call.notify(STARTED, { job: view.job });
          return { job: view.job };
        }),
        extensionMethod(RUN, async (call) => {
          const { tool: name, arguments: args } = call.params;
          const result = await call.run('tools/call', { name, arguments: args });
          return { text: `${textOf(result)} (priority ${call.metaValue(PRIORITY) ?? 0})`, isError: result.isError };
        }),
        extensionMethod(LIST, (_call, { entries }) => ({ tools: slowTools(entries.entries('tool')) }), {
          isPublic: true,
        }),
        extensionMethod(COUNT, (_call, { entries }) => ({ tools: slowTools(entries.entries('tool')).length }), {
          isForEveryone: true,
        }),
        extensionMethod(
          ABOUT,
          ({ entry, params }) => {
            const slow = Slow.of(entry);
            if (!slow) throw new ProtocolError('invalid-params', `${params.tool} is no job.`);
            return { timeout: slow.timeout };
          },
          { entry: ({ tool }, entries) => entries.find('tool', tool) },
        ),
      ],
      clientNotifications: [extensionNotification(SEEN, ({ job }) => void seen.push(job))],
      serverNotifications: [CHANGED, STARTED],
      metaKeys: [PRIORITY],
      resultTypes: [JOB],
      listenFields: [JOB_FIELD],
    },
    stage(entry) {
      const slow = Slow.of(entry);
      if (!slow) return undefined;
      return {
        run(call, next, services) {
          if (!call.canAnswerWith(JOB)) return next();
          return new TypedResult(JOB, begin(call, next, { services, timeout: slow.timeout }));
        },
      };
    },
    check(entry, report) {
      const slow = Slow.of(entry);
      if (!slow || slow.timeout > 0) return;
      report({
        code: 'JOBS_TIMEOUT',
        where: entry.key,
        problem: 'a job needs some time.',
        fix: 'Give it more than 0 ms.',
      });
    },
    start(services) {
      seen.push('started');
      return { ...services, stop: () => void seen.push('stopped') };
    },
  };
}

function slowTools(tools: Iterable<EntryFacts>): string[] {
  return [...tools].filter((tool) => Slow.of(tool)).map(({ key }) => key);
}

function textOf(result: object): string {
  const { content = [], isError } = result as { content?: { text?: string }[]; isError?: boolean };
  return `${isError ? 'error: ' : ''}${content.map(({ text: said }) => said).join(' ')}`;
}
