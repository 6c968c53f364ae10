// Mistakes in rollouts, in where replicas run, in selectors and in migrations. The policy for each must find it.
import { container, one, pod } from './targets.mjs';

/** [policy, release, description, how the mistake is planted]. */
export const AVAILABILITY_PLANTED = [
  [
    'a rollout keeps old pods until new ones are ready, and lets work finish',
    'orders',
    'a pod removed before its replacement is ready',
    (d) => {
      one(d, 'Deployment').spec.strategy.rollingUpdate.maxUnavailable = 1;
    },
  ],
  [
    'a rollout keeps old pods until new ones are ready, and lets work finish',
    'orders',
    'no time to drain',
    (d) => {
      pod(d).terminationGracePeriodSeconds = 10;
    },
  ],
  [
    'a rollout keeps old pods until new ones are ready, and lets work finish',
    'orders',
    'a preStop that needs a shell',
    (d) => {
      container(d).lifecycle.preStop = { exec: { command: ['sleep', '5'] } };
    },
  ],
  [
    'replicas are spread over zones and nodes',
    'orders',
    'a spread that selects nothing',
    (d) => {
      pod(d).topologySpreadConstraints[0].labelSelector.matchLabels = { app: 'orders' };
    },
  ],
  [
    'a disruption affects one pod at a time, and a broken pod does not block a node',
    'orders',
    'no budget',
    (d) => {
      d.splice(
        d.findIndex(({ kind }) => kind === 'PodDisruptionBudget'),
        1,
      );
    },
  ],
  [
    'a disruption affects one pod at a time, and a broken pod does not block a node',
    'orders',
    'a broken pod that blocks a node',
    (d) => {
      delete one(d, 'PodDisruptionBudget').spec.unhealthyPodEvictionPolicy;
    },
  ],
  [
    'selectors and ports refer to existing objects',
    'orders',
    'a Service without pods',
    (d) => {
      one(d, 'Service').spec.selector['app.kubernetes.io/name'] = 'orders';
    },
  ],
  [
    'selectors and ports refer to existing objects',
    'gateway',
    'a port that no container has',
    (d) => {
      one(d, 'Service').spec.ports[0].targetPort = 'metrics';
    },
  ],
  [
    'selectors and ports refer to existing objects',
    'orders',
    'a ServiceMonitor for a port that does not exist',
    (d) => {
      one(d, 'ServiceMonitor').spec.endpoints[0].port = 'http';
    },
  ],
  [
    'selectors and ports refer to existing objects',
    'orders',
    'a migration that the Service selects',
    (d) => {
      one(d, 'Job').spec.template.metadata.labels = one(d, 'Deployment').spec.template.metadata.labels;
    },
  ],
  [
    'a migration runs before the pods, ends, and runs once per version',
    'orders',
    'a Job after the pods',
    (d) => {
      delete one(d, 'Job').metadata.annotations;
    },
  ],
  [
    'a migration runs before the pods, ends, and runs once per version',
    'orders',
    'a Job with the same name for every version',
    (d) => {
      one(d, 'Job').metadata.name = 'ponte-orders-migrate';
    },
  ],
];
