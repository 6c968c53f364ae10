// Mistakes in the number of replicas. The policy for each must find it.
import { one } from './targets.mjs';

/** [policy, release, description, how the mistake is planted]. */
export const SCALING_PLANTED = [
  [
    'there is at most one scaler',
    'orders',
    'an HPA next to KEDA',
    (d) => {
      d.push({
        apiVersion: 'autoscaling/v2',
        kind: 'HorizontalPodAutoscaler',
        metadata: { name: 'ponte-orders' },
        spec: { scaleTargetRef: { name: 'ponte-orders' }, minReplicas: 2, maxReplicas: 4 },
      });
    },
  ],
  [
    'there is at most one scaler',
    'orders',
    'replicas next to a scaler',
    (d) => {
      one(d, 'Deployment').spec.replicas = 2;
    },
  ],
  [
    'a simulated bank has one process',
    'ledger',
    'a second replica',
    (d) => {
      one(d, 'Deployment').spec.replicas = 2;
    },
  ],
  [
    'a simulated bank has one process',
    'ledger',
    'a second process during a rollout',
    (d) => {
      one(d, 'Deployment').spec.strategy = { type: 'RollingUpdate', rollingUpdate: { maxUnavailable: 0, maxSurge: 1 } };
    },
  ],
  [
    'the books of a simulated bank outlive a pod',
    'ledger',
    'books that end with the pod',
    (d) => {
      const { volumes } = one(d, 'Deployment').spec.template.spec;
      volumes.splice(0, volumes.length, { name: 'data', emptyDir: { sizeLimit: '256Mi' } });
    },
  ],
  [
    'replicas range from two to the number of partitions',
    'orders',
    'more replicas than partitions',
    (d) => {
      one(d, 'ScaledObject').spec.maxReplicaCount = 13;
    },
  ],
  [
    'replicas range from two to the number of partitions',
    'pricing',
    'a single replica',
    (d) => {
      one(d, 'HorizontalPodAutoscaler').spec.minReplicas = 1;
    },
  ],
  [
    'lag is read with the credentials of the service',
    'orders',
    'a trigger without credentials',
    (d) => {
      delete one(d, 'ScaledObject').spec.triggers.find(({ type }) => type === 'kafka').authenticationRef;
    },
  ],
  [
    'lag is read with the credentials of the service',
    'orders',
    'other brokers',
    (d) => {
      one(d, 'ScaledObject').spec.triggers.find(({ type }) => type === 'kafka').metadata.bootstrapServers =
        'kafka:9092';
    },
  ],
];
