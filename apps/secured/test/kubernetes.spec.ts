/** The manifests have only fields that Kubernetes knows, and match each other and the server. */
import { readFileSync, readdirSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { parseAllDocuments } from 'yaml';
import { readSettings } from '../src/settings';

interface Manifest {
  readonly apiVersion: string;
  readonly kind: string;
  readonly metadata: { readonly name: string; readonly labels?: Readonly<Record<string, string>> };
}

const folder = join(__dirname, '..', 'kubernetes');
const load = createRequire(__filename);

/** The errors of a manifest; empty if it is valid. */
function faultsOf(manifest: Manifest): string[] {
  const { apiVersion, kind } = manifest;
  const models = load(`kubernetes-models/${apiVersion}/${kind}`) as Record<
    string,
    { readonly prototype: { readonly validate: (this: object) => void } }
  >;
  const looked = new Set<string>();
  try {
    models[kind]?.prototype.validate.call(watched(manifest, '', looked));
  } catch (error) {
    return [String(error)];
  }
  return pathsOf(manifest, '').filter((path) => !looked.has(path));
}

/** Records every field that is read: the models accept unknown fields, but never read them. */
function watched<T extends object>(value: T, path: string, looked: Set<string>): T {
  return new Proxy(value, {
    get: (target, key) => {
      const part: unknown = Reflect.get(target, key);
      if (typeof key !== 'string') return part;
      looked.add(`${path}/${key}`);
      return typeof part === 'object' && part !== null ? watched(part, `${path}/${key}`, looked) : part;
    },
  });
}

function pathsOf(value: unknown, path: string): string[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([key, part]) => [`${path}/${key}`, ...pathsOf(part, `${path}/${key}`)]);
}

const manifests = readdirSync(folder).flatMap((file) =>
  parseAllDocuments(readFileSync(join(folder, file), 'utf8'), { strict: true }).map((document) => {
    expect([file, document.errors, document.warnings]).toEqual([file, [], []]);
    return document.toJS() as Manifest;
  }),
);

function manifestOf<T>(kind: string): Manifest & { readonly spec: T } {
  const found = manifests.filter((manifest) => manifest.kind === kind);
  expect(found).toHaveLength(1);
  return found[0] as Manifest & { readonly spec: T };
}

interface Container {
  readonly env: readonly { readonly name: string; readonly value: string }[];
  readonly envFrom: readonly { readonly secretRef: { readonly name: string } }[];
  readonly ports: readonly { readonly name: string; readonly containerPort: number }[];
  readonly resources: { readonly limits: { readonly memory: string } };
  readonly livenessProbe: object;
  readonly readinessProbe: object;
  readonly lifecycle: { readonly preStop: { readonly exec: { readonly command: readonly string[] } } };
  readonly securityContext: object;
}

const deployment = manifestOf<{
  readonly replicas: number;
  readonly selector: { readonly matchLabels: Readonly<Record<string, string>> };
  readonly template: {
    readonly metadata: { readonly labels: Readonly<Record<string, string>> };
    readonly spec: {
      readonly containers: readonly [Container];
      readonly terminationGracePeriodSeconds: number;
      readonly securityContext: object;
    };
  };
}>('Deployment');
const pod = deployment.spec.template.spec;
const [container] = pod.containers;

it.each(manifests.map((manifest) => [manifest.kind, manifest]))(
  '%s is known to Kubernetes to the last field',
  (_, manifest) => {
    expect(faultsOf(manifest)).toEqual([]);
  },
);

it('finds unknown fields, missing fields and fields of a wrong type', () => {
  const unknown = structuredClone(deployment) as unknown as {
    spec: Record<string, unknown> & { template: { spec: Record<string, unknown> } };
  };
  unknown.spec['replica'] = 3;
  unknown.spec.template.spec['restartsPolicy'] = 'Always';
  expect(faultsOf(unknown as never)).toEqual(['/spec/template/spec/restartsPolicy', '/spec/replica']);
  expect(faultsOf({ ...deployment, spec: { ...deployment.spec, selector: undefined } } as never)).toEqual([
    expect.stringContaining('selector'),
  ]);
  expect(faultsOf({ ...deployment, spec: { ...deployment.spec, replicas: 'three' } } as never)).toEqual([
    expect.stringContaining('replicas'),
  ]);
});

it('service, budget and ingress select the pods of the deployment', () => {
  const { labels } = deployment.spec.template.metadata;
  expect(deployment.spec.selector.matchLabels).toEqual(labels);
  const service = manifestOf<{
    selector: object;
    ports: { name: string; targetPort: string }[];
    sessionAffinity: string;
  }>('Service');
  expect(service.spec).toMatchObject({ selector: labels, sessionAffinity: 'None' });
  expect(service.spec.ports.map(({ targetPort }) => targetPort)).toEqual(container.ports.map(({ name }) => name));
  const budget = manifestOf<{ minAvailable: number; selector: { matchLabels: object } }>('PodDisruptionBudget');
  expect(budget.spec.selector.matchLabels).toEqual(labels);
  expect(budget.spec.minAvailable).toBeLessThan(deployment.spec.replicas);
  expect(JSON.stringify(manifestOf('Ingress').spec)).toContain(
    JSON.stringify({ service: { name: service.metadata.name, port: { name: service.spec.ports[0]?.name } } }),
  );
});

it('scales up when instances are busy, and never below the disruption budget', () => {
  const { spec } = manifestOf<{ scaleTargetRef: object; minReplicas: number; maxReplicas: number }>(
    'HorizontalPodAutoscaler',
  );
  const { apiVersion, kind, metadata } = deployment;
  expect(spec.scaleTargetRef).toEqual({ apiVersion, kind, name: metadata.name });
  expect(spec.minReplicas).toBe(deployment.spec.replicas);
  expect(spec.maxReplicas).toBeGreaterThan(spec.minReplicas);
});

it('allows connections from the ingress controller, and to DNS, Redis and the authorization server', () => {
  const { spec } = manifestOf<{ podSelector: object; policyTypes: string[]; ingress: object[]; egress: object[] }>(
    'NetworkPolicy',
  );
  expect(spec.podSelector).toEqual({ matchLabels: deployment.spec.template.metadata.labels });
  expect(spec.policyTypes).toEqual(['Ingress', 'Egress']);
  expect(JSON.stringify(spec.ingress)).toContain('"kubernetes.io/metadata.name":"ingress-nginx"');
  const ports = [...JSON.stringify(spec.egress).matchAll(/"port":(\d+)/g)].map(([, port]) => Number(port));
  expect(ports).toEqual([53, 53, 6379, 443]);
});

it('its memory has room for the heap, and for unread answers and events', () => {
  const heap = Number(/--max-old-space-size=(\d+)/.exec(JSON.stringify(container.env))?.[1]);
  const limits = readFileSync(join(__dirname, '..', '..', '..', 'docs', 'limits.md'), 'utf8');
  const [unread = NaN, events = NaN] = [
    /^\| `unread` \| .+ \((\d+) MiB\) for answers/m,
    /^\| `events` \| .+ \((\d+) MiB\) for events/m,
  ].map((row) => Number(row.exec(limits)?.[1]));
  // Node itself, its code and its buffers.
  const NODE = 150;
  expect(container.resources.limits.memory).toBe('1Gi');
  expect(heap + unread + events + NODE).toBeLessThan(1024);
});

it('the variables of the deployment and its secret configure one of several instances', () => {
  const secret = manifestOf('Secret') as unknown as Manifest & { stringData: Record<string, string> };
  expect(container.envFrom).toEqual([{ secretRef: { name: secret.metadata.name } }]);
  const env = { ...Object.fromEntries(container.env.map(({ name, value }) => [name, value])), ...secret.stringData };
  const settings = readSettings(env);
  expect(settings).toMatchObject({ redis: secret.stringData['REDIS_URL'], port: container.ports[0]?.containerPort });
  expect(secret.stringData['SIGIL_SECRETS']?.length).toBeGreaterThanOrEqual(32);
  const { host } = new URL(settings.resource);
  expect(env['ALLOWED_HOSTS']).toBe(host);
  expect(JSON.stringify(manifestOf('Ingress').spec)).toContain(`"host":"${host}"`);
});

it('probes use existing routes, and running calls have time to finish', () => {
  expect(container.livenessProbe).toMatchObject({ httpGet: { path: '/healthz', port: 'http' } });
  expect(container.readinessProbe).toMatchObject({ httpGet: { path: '/readyz', port: 'http' } });
  const [, seconds] = container.lifecycle.preStop.exec.command;
  // The deadline for calls, and a second each for the last bytes of answers, of streams and of connections.
  expect(pod.terminationGracePeriodSeconds).toBeGreaterThan(Number(seconds) + 5 + 3);
});

it('runs as an unprivileged user, with no capabilities', () => {
  expect(pod.securityContext).toMatchObject({ runAsNonRoot: true, seccompProfile: { type: 'RuntimeDefault' } });
  expect(container.securityContext).toEqual({
    allowPrivilegeEscalation: false,
    readOnlyRootFilesystem: true,
    capabilities: { drop: ['ALL'] },
  });
});
