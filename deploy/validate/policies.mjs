// Policies for every release, in addition to valid Kubernetes objects. A policy returns a line for each fault;
// planted.mjs tests it.
import { containers, deployment, ofKind, pods, selects, unless } from './objects.mjs';
import { MIGRATION } from './policies.migration.mjs';
import { NETWORK } from './policies.network.mjs';
import { hasSimulatedBank, SCALING } from './policies.scaling.mjs';
import { SECRETS } from './policies.secrets.mjs';

/** Name → (documents of a release, all documents) → faults. */
export const POLICIES = {
  'no pod runs as root or can gain privileges': (documents) => [
    ...pods(documents).flatMap(({ spec: { securityContext: own = {} } }) => [
      ...unless(own.runAsNonRoot === true && own.runAsUser > 0, 'runAsNonRoot with a user'),
      ...unless(own.seccompProfile?.type === 'RuntimeDefault', 'seccompProfile RuntimeDefault'),
    ]),
    ...containers(documents).flatMap(({ container: { securityContext: own = {} } }) => [
      ...unless(own.allowPrivilegeEscalation === false && own.privileged !== true, 'no privilege escalation'),
      ...unless(own.capabilities?.drop?.includes('ALL') && !own.capabilities.add, 'all capabilities dropped'),
      ...unless(own.runAsUser === undefined && own.runAsNonRoot !== false, 'the user of the pod'),
    ]),
  ],

  'containers have a read-only file system and mount nothing of the node': (documents) => [
    ...containers(documents).flatMap(
      ({ container: { securityContext, volumeMounts = [] }, spec: { volumes = [] } }) => [
        ...unless(securityContext?.readOnlyRootFilesystem === true, 'readOnlyRootFilesystem'),
        ...volumeMounts
          .filter(({ name, readOnly }) => !readOnly && !isWritable(volumes.find((one) => one.name === name)))
          .map(({ name }) => `${name} is writable`),
      ],
    ),
    ...pods(documents).flatMap(({ spec }) => [
      ...(spec.volumes ?? [])
        .filter(({ hostPath, projected }) => hostPath || projected)
        .map(({ name }) => `${name} is mounted from the node`),
      ...(spec.volumes ?? [])
        .filter(({ emptyDir }) => emptyDir && !emptyDir.sizeLimit)
        .map(({ name }) => `${name} has no sizeLimit`),
      ...unless(!spec.hostNetwork && !spec.hostPID && !spec.hostIPC, 'no namespace of the node'),
    ]),
  ],

  'no pod has a token of the cluster': (documents) => [
    ...pods(documents).flatMap(({ spec }) =>
      unless(spec.automountServiceAccountToken === false, 'automountServiceAccountToken: false'),
    ),
    ...ofKind(documents, 'ServiceAccount').flatMap((one) =>
      unless(one.automountServiceAccountToken === false, 'automountServiceAccountToken: false'),
    ),
    ...ofKind(documents, 'Role', 'RoleBinding', 'ClusterRole', 'ClusterRoleBinding').map(
      ({ kind }) => `a ${kind} is not needed`,
    ),
  ],

  'an image has a fixed version': (documents) =>
    containers(documents).flatMap(({ container: { image } }) =>
      unless(
        /^[^:@]+(:\d+)?[^:@]*(:(?!latest$)[\w][\w.-]+|@sha256:[0-9a-f]{64})$/.test(image ?? ''),
        `${image} has neither a version nor a digest`,
      ),
    ),

  'memory is limited at its request, CPU is requested and not limited': (documents) =>
    containers(documents).flatMap(({ container: { name, resources: { requests = {}, limits = {} } = {} } }) => [
      ...unless(
        limits.memory !== undefined && limits.memory === requests.memory,
        `${name}: memory limit equal to its request`,
      ),
      ...unless(requests.cpu !== undefined, `${name}: a request for CPU`),
      ...unless(limits.cpu === undefined, `${name}: no CPU limit`),
    ]),

  'the heap of Node leaves room in the memory limit': (documents) =>
    containers(documents).flatMap(({ container: { env = [], resources } }) => {
      const heap = Number(
        /--max-old-space-size=(\d+)/.exec(env.find(({ name }) => name === 'NODE_OPTIONS')?.value ?? '')?.[1],
      );
      const limit = Number(/^(\d+)Mi$/.exec(resources?.limits?.memory ?? '')?.[1]);
      return unless(heap <= limit * 0.8, 'a heap of at most eight tenths of the limit');
    }),

  'there are three probes: live checks the process, ready its engines': (documents) =>
    ofKind(documents, 'Deployment')
      .flatMap(({ spec }) => spec.template.spec.containers)
      .flatMap(({ startupProbe, livenessProbe, readinessProbe }) => [
        ...unless(startupProbe?.httpGet?.path === '/health/live', 'a startup probe on /health/live'),
        ...unless(livenessProbe?.httpGet?.path === '/health/live', 'a liveness probe on /health/live'),
        ...unless(readinessProbe?.httpGet?.path === '/health/ready', 'a readiness probe on /health/ready'),
      ]),

  'a rollout keeps old pods until new ones are ready, and lets work finish': (documents) =>
    ofKind(documents, 'Deployment').flatMap(({ spec }) => {
      const { rollingUpdate } = spec.strategy ?? {};
      const pod = spec.template.spec;
      const sleeps = pod.containers.map(({ lifecycle }) => lifecycle?.preStop?.sleep?.seconds);
      return [
        ...unless(
          (rollingUpdate?.maxUnavailable === 0 && rollingUpdate.maxSurge > 0) || hasSimulatedBank(documents),
          'maxUnavailable 0 and a surge',
        ),
        ...unless(
          sleeps.every((seconds) => seconds > 0),
          'a preStop sleep, without a shell',
        ),
        ...unless(
          pod.terminationGracePeriodSeconds >= Math.max(...sleeps) + 30,
          'a grace period that is longer than sleep and drain',
        ),
      ];
    }),

  'replicas are spread over zones and nodes': (documents) =>
    ofKind(documents, 'Deployment').flatMap(({ spec }) =>
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].flatMap((key) => {
        const constraint = spec.template.spec.topologySpreadConstraints?.find(({ topologyKey }) => topologyKey === key);
        return unless(
          constraint && selects(constraint.labelSelector, spec.template.metadata.labels),
          `a spread over ${key} that selects the pods`,
        );
      }),
    ),

  'a disruption affects one pod at a time, and a broken pod does not block a node': (documents) =>
    ofKind(documents, 'Deployment').flatMap(({ spec }) => {
      const budget = ofKind(documents, 'PodDisruptionBudget').find((one) =>
        selects(one.spec.selector, spec.template.metadata.labels),
      );
      return [
        ...unless(budget?.spec.maxUnavailable === 1, 'a PodDisruptionBudget with maxUnavailable 1'),
        ...unless(budget?.spec.unhealthyPodEvictionPolicy === 'AlwaysAllow', 'unhealthyPodEvictionPolicy AlwaysAllow'),
      ];
    }),

  'selectors and ports refer to existing objects': (documents) => {
    const own = deployment(documents);
    if (!own) return [];
    const { labels } = own.spec.template.metadata;
    const ports = own.spec.template.spec.containers
      .flatMap((container) => container.ports ?? [])
      .map(({ name }) => name);
    const services = ofKind(documents, 'Service');
    return [
      ...unless(selects(own.spec.selector, labels), 'the Deployment selects its pods'),
      ...ofKind(documents, 'Job').flatMap((job) =>
        unless(
          !selects(own.spec.selector, job.spec.template.metadata.labels),
          'the Deployment does not select the pods of the Job',
        ),
      ),
      ...services.flatMap(({ spec }) => [
        ...unless(selects({ matchLabels: spec.selector }, labels), 'the Service selects the pods'),
        ...spec.ports
          .filter(({ targetPort }) => !ports.includes(targetPort))
          .map(({ targetPort }) => `no container has the port ${targetPort}`),
      ]),
      ...ofKind(documents, 'ServiceMonitor').flatMap(({ spec }) =>
        unless(
          services.some(
            ({ metadata, spec: { ports: named } }) =>
              selects(spec.selector, metadata.labels) &&
              spec.endpoints.every(({ port }) => named.some(({ name }) => name === port)),
          ),
          'the ServiceMonitor selects the Service and its port',
        ),
      ),
      ...unless(ofKind(documents, 'ServiceMonitor').length === 1, 'one ServiceMonitor'),
    ];
  },

  ...MIGRATION,
  ...SCALING,
  ...SECRETS,
  ...NETWORK,
};

/** A folder of the pod, or the data folder of the process as a claim. */
const isWritable = (volume) => volume?.emptyDir || (volume?.name === 'data' && volume.persistentVolumeClaim);

/** Faults of all policies in one release: `{ policy, fault }`. */
export const faultsIn = (documents, all) =>
  Object.entries(POLICIES).flatMap(([policy, violations]) =>
    violations(documents, all).map((fault) => ({ policy, fault })),
  );
