// The pod of an operator command (operate.mjs): what it contains, and what its status says.

/** Enough for a long rebuild. The kubelet stops the pod after this time, which begins when the pod is on a node. */
export const DEADLINE_SECONDS = 4 * 3_600;

/** Members of a replica's pod that are removed for the pod of a command. */
const OF_REPLICAS = [
  'topologySpreadConstraints',
  'terminationGracePeriodSeconds',
  'startupProbe',
  'livenessProbe',
  'readinessProbe',
  'lifecycle',
  'ports',
];
const without = (object, members) =>
  Object.fromEntries(Object.entries(object).filter(([member]) => !members.includes(member)));

/** The data folder may be a volume that only the replica can mount. A command needs nothing in it. */
const scratch = (volume) => (volume.name === 'data' ? { name: 'data', emptyDir: { sizeLimit: '256Mi' } } : volume);

/**
 * A pod with the configuration of a Deployment's pods that runs a command once. Its labels match no Service, budget or
 * Deployment. `image` replaces that of the Deployment.
 */
export function operatorPod({ metadata, spec }, words, name, image) {
  const pod = without(spec.template.spec, OF_REPLICAS);
  const [container] = pod.containers;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
      labels: {
        'app.kubernetes.io/name': `${metadata.name}-operator`,
        'app.kubernetes.io/part-of': 'ponte',
        'ponte/job': 'operator',
      },
    },
    spec: {
      ...pod,
      volumes: pod.volumes.map(scratch),
      restartPolicy: 'Never',
      activeDeadlineSeconds: DEADLINE_SECONDS,
      containers: [{ ...without(container, OF_REPLICAS), ...(image ? { image } : {}), args: ['main.js', ...words] }],
    },
  };
}

/**
 * States of a container that is being started. Others rarely end by themselves. If a registry was away for a moment,
 * the command can be repeated.
 */
const STARTING = [undefined, 'ContainerCreating', 'PodInitializing'];
const told = ({ reason, message }) => [reason, message].filter(Boolean).join(': ');

/**
 * What the status of a pod says: it has `ended`, is `running`, has a `fault` because of which it cannot start, or has
 * not started, with a reason to wait (`waiting`).
 */
export function progressOf({ phase, conditions = [], initContainerStatuses = [], containerStatuses = [] }) {
  if (phase === 'Succeeded' || phase === 'Failed') return { ended: true };
  // Every container was created. One that was injected may wait; that does not concern the command.
  if (phase === 'Running') return { running: true };
  const waits = [...initContainerStatuses, ...containerStatuses].flatMap(({ state }) => state?.waiting ?? []);
  const fault = waits.find(({ reason }) => !STARTING.includes(reason));
  if (fault) return { fault: told(fault) };
  const scheduled = conditions.find(({ type }) => type === 'PodScheduled');
  if (scheduled?.status === 'False') return { waiting: `it is not scheduled (${told(scheduled)})` };
  return { waiting: waits.map(told).find(Boolean) ?? 'no node has reported it' };
}

/** The exit code of the command in a pod that has ended; never 0 if the pod failed, for example at its time limit. */
export function exitCodeOf({ phase, containerStatuses = [] }, container) {
  if (phase === 'Succeeded') return 0;
  return containerStatuses.find(({ name }) => name === container)?.state?.terminated?.exitCode || 1;
}
