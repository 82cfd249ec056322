/** Whether other processes probably serve the same clients, judged by the environment of this one. */
import type { Cluster } from 'node:cluster';

/** Variables of platforms that start several instances under load. */
const SCALED_BY: Readonly<Record<string, string>> = {
  K_SERVICE: 'Cloud Run',
  FLY_MACHINE_ID: 'Fly',
  CONTAINER_APP_REPLICA_NAME: 'Azure Container Apps',
  AWS_LAMBDA_FUNCTION_NAME: 'Lambda',
  VERCEL: 'Vercel',
};

/**
 * The reason why there are probably other instances; undefined without evidence.
 * @param inCluster whether this process is a worker of `node:cluster`
 */
export function likelyInstances(env: NodeJS.ProcessEnv, inCluster = isClusterWorker()): string | undefined {
  if (inCluster) return 'this process is a worker of node:cluster';
  if (Number(env['NODE_APP_INSTANCE']) > 0) return `NODE_APP_INSTANCE is ${env['NODE_APP_INSTANCE']}`;
  if (Number(env['WEB_CONCURRENCY']) > 1) return `WEB_CONCURRENCY is ${env['WEB_CONCURRENCY']}`;
  if (/^\w+\.(?:[2-9]|\d\d+)$/.test(env['DYNO'] ?? '')) return `this is the dyno ${env['DYNO']}`;
  const [, platform] = Object.entries(SCALED_BY).find(([name]) => env[name] !== undefined) ?? [];
  return platform && `${platform} starts several instances under load`;
}

/** Not every platform has the module, so it is asked for at run time. */
function isClusterWorker(): boolean {
  // Its types describe the members of the module as an `import` of its default has them.
  const cluster = process.getBuiltinModule('node:cluster') as unknown as Cluster | undefined;
  return cluster?.isWorker ?? false;
}
