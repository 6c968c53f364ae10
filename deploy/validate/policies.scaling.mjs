// Policies for scaling: one scaler, and no more replicas than Kafka has partitions.
import { configOf, deployment, ofKind } from './objects.mjs';

/** Whether the service simulates a bank; the code simulates one that is not named. */
export function hasSimulatedBank(documents) {
  if (deployment(documents)?.metadata.name !== 'ponte-ledger') return false;
  const { LEDGER_PIX_RAIL: pix, LEDGER_PAYOUT_RAIL: payout } = configOf(documents);
  return [pix, payout].some((rail) => (rail ?? 'simulator') === 'simulator');
}

const hasDataClaim = ({ spec }) =>
  spec.template.spec.volumes.find(({ name }) => name === 'data')?.persistentVolumeClaim !== undefined;

export const SCALING = {
  'there is at most one scaler': (documents) => {
    const own = deployment(documents);
    if (!own) return [];
    const scalers = ofKind(documents, 'HorizontalPodAutoscaler', 'ScaledObject');
    return [
      ...(scalers.length > 1 ? [`${scalers.map(({ kind }) => kind).join(' and ')} scale the same service`] : []),
      ...(scalers.length > 0 && own.spec.replicas !== undefined
        ? ['replicas would overwrite the scaler on each apply']
        : []),
      ...scalers
        .filter(({ spec }) => spec.scaleTargetRef.name !== own.metadata.name)
        .map(() => 'the scaler targets another Deployment'),
    ];
  },

  'a simulated bank has one process': (documents) =>
    hasSimulatedBank(documents) &&
    (deployment(documents).spec.replicas !== 1 ||
      deployment(documents).spec.strategy.type !== 'Recreate' ||
      ofKind(documents, 'HorizontalPodAutoscaler', 'ScaledObject').length > 0)
      ? ['the books of a simulated bank are in one process, so there must be one replica, recreated, and no scaler']
      : [],

  'the books of a simulated bank outlive a pod': (documents) =>
    !hasSimulatedBank(documents) || hasDataClaim(deployment(documents)) ? [] : ['its data folder is not a claim'],

  'replicas range from two to the number of partitions': (documents) => {
    const own = deployment(documents);
    if (!own || hasSimulatedBank(documents)) return [];
    const partitions = Number(configOf(documents).KAFKA_PARTITIONS);
    const bounds = ofKind(documents, 'HorizontalPodAutoscaler', 'ScaledObject').map(({ spec }) => ({
      least: spec.minReplicas ?? spec.minReplicaCount,
      most: spec.maxReplicas ?? spec.maxReplicaCount,
    }));
    const all = bounds.length > 0 ? bounds : [{ least: own.spec.replicas, most: own.spec.replicas }];
    return all.flatMap(({ least, most }) => [
      ...(least >= 2 ? [] : ['fewer than two replicas: a rollout or a lost node stops the service']),
      ...(most <= partitions ? [] : [`${most} replicas for ${partitions} partitions`]),
    ]);
  },

  'lag is read with the credentials of the service': (documents) =>
    ofKind(documents, 'ScaledObject').flatMap(({ spec }) => {
      const config = configOf(documents);
      const triggers = spec.triggers.filter(({ type }) => type === 'kafka');
      return [
        ...(triggers.length > 0 ? [] : ['no trigger on Kafka']),
        ...triggers
          .filter(({ metadata }) => metadata.bootstrapServers !== config.KAFKA_BROKERS)
          .map(() => 'brokers differ from those of the service'),
        ...triggers
          .filter(({ metadata }) => (metadata.tls === 'enable') !== (config.KAFKA_SSL === 'true'))
          .map(() => 'TLS differs from that of the service'),
        ...triggers
          .filter(
            ({ metadata, authenticationRef }) =>
              Boolean(config.KAFKA_SASL_MECHANISM) !==
              Boolean(
                metadata.sasl &&
                ofKind(documents, 'TriggerAuthentication').some((one) => one.metadata.name === authenticationRef?.name),
              ),
          )
          .map(() => 'credentials differ from those of the service'),
        ...triggers
          .filter(({ metadata }) => metadata.allowIdleConsumers !== 'false')
          .map(() => 'allowIdleConsumers must be false'),
      ];
    }),
};
