// Policies for scaling: one scaler, and no more replicas than Kafka has partitions.
import { configOf, deployment, ofKind } from './objects.mjs';

export const SCALING = {
  'one scaler or none, never two': (documents) => {
    const own = deployment(documents);
    if (!own) return [];
    const scalers = ofKind(documents, 'HorizontalPodAutoscaler', 'ScaledObject');
    return [
      ...(scalers.length > 1 ? [`${scalers.map(({ kind }) => kind).join(' and ')} pull at one service`] : []),
      ...(scalers.length > 0 && own.spec.replicas !== undefined
        ? ['replicas would undo the scaler with each apply']
        : []),
      ...scalers
        .filter(({ spec }) => spec.scaleTargetRef.name !== own.metadata.name)
        .map(() => 'the scaler names another Deployment'),
    ];
  },

  'from two replicas up to the partitions of a topic': (documents) => {
    const own = deployment(documents);
    if (!own) return [];
    const partitions = Number(configOf(documents).KAFKA_PARTITIONS);
    const bounds = ofKind(documents, 'HorizontalPodAutoscaler', 'ScaledObject').map(({ spec }) => ({
      least: spec.minReplicas ?? spec.minReplicaCount,
      most: spec.maxReplicas ?? spec.maxReplicaCount,
    }));
    const all = bounds.length > 0 ? bounds : [{ least: own.spec.replicas, most: own.spec.replicas }];
    return all.flatMap(({ least, most }) => [
      ...(least >= 2 ? [] : ['fewer than two replicas: a roll or a lost node stops the service']),
      ...(most <= partitions ? [] : [`${most} replicas for ${partitions} partitions`]),
    ]);
  },

  'lag is looked at with the credentials of the brokers': (documents) =>
    ofKind(documents, 'ScaledObject').flatMap(({ spec }) => {
      const config = configOf(documents);
      const triggers = spec.triggers.filter(({ type }) => type === 'kafka');
      return [
        ...(triggers.length > 0 ? [] : ['no trigger on Kafka']),
        ...triggers
          .filter(({ metadata }) => metadata.bootstrapServers !== config.KAFKA_BROKERS)
          .map(() => 'other brokers than those of the service'),
        ...triggers
          .filter(({ metadata }) => (metadata.tls === 'enable') !== (config.KAFKA_SSL === 'true'))
          .map(() => 'TLS as the service has it'),
        ...triggers
          .filter(
            ({ metadata, authenticationRef }) =>
              Boolean(config.KAFKA_SASL_MECHANISM) !==
              Boolean(
                metadata.sasl &&
                ofKind(documents, 'TriggerAuthentication').some((one) => one.metadata.name === authenticationRef?.name),
              ),
          )
          .map(() => 'the credentials of the service'),
        ...triggers
          .filter(({ metadata }) => metadata.allowIdleConsumers !== 'false')
          .map(() => 'no replica without a partition'),
      ];
    }),
};
