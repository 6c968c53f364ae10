// Objects with keys or values that the schemas or the types must find.

/** [description, kind, how the mistake is planted]: mistakes that the schemas or the types must find. */
export const PLANTED_SHAPES = [
  [
    'a misspelt key of a container',
    'Deployment',
    (d) => {
      d.spec.template.spec.containers[0].resorces = {};
    },
  ],
  [
    'a key at the wrong depth',
    'Deployment',
    (d) => {
      d.spec.topologySpreadConstraints = [];
    },
  ],
  [
    'a number instead of a string',
    'ConfigMap',
    (d) => {
      d.data.KAFKA_PARTITIONS = 12;
    },
  ],
  [
    'a policy that does not exist',
    'PodDisruptionBudget',
    (d) => {
      d.spec.unhealthyPodEvictionPoliccy = 'AlwaysAllow';
    },
  ],
  [
    'a port as a list',
    'Service',
    (d) => {
      d.spec.ports[0].port = ['9464'];
    },
  ],
  [
    'no template',
    'Job',
    (d) => {
      delete d.spec.template;
    },
  ],
  [
    'a metric of an older version',
    'HorizontalPodAutoscaler',
    (d) => {
      d.spec.targetCPUUtilizationPercentage = 70;
    },
  ],
  [
    'a peer without its list',
    'NetworkPolicy',
    (d) => {
      d.spec.ingress[0].from = { podSelector: {} };
    },
  ],
  [
    'a backend of an older version',
    'Ingress',
    (d) => {
      d.spec.rules[0].http.paths[0].backend = { serviceName: 'x', servicePort: 80 };
    },
  ],
  [
    'a scaler without a target',
    'ScaledObject',
    (d) => {
      delete d.spec.scaleTargetRef;
    },
  ],
  [
    'a misspelt key of KEDA',
    'ScaledObject',
    (d) => {
      d.spec.maxReplicas = 8;
    },
  ],
  [
    'a secret without its key',
    'TriggerAuthentication',
    (d) => {
      delete d.spec.secretTargetRef[0].key;
    },
  ],
  [
    'an interval that is not a duration',
    'ServiceMonitor',
    (d) => {
      d.spec.endpoints[0].interval = 'often';
    },
  ],
  [
    'a misspelt key of a monitor',
    'ServiceMonitor',
    (d) => {
      d.spec.endpoints[0].scrapeTimout = '10s';
    },
  ],
  [
    'a policy unknown to the External Secrets operator',
    'ExternalSecret',
    (d) => {
      d.spec.target.deletionPolicy = 'Keep';
    },
  ],
  [
    'a misspelt key of a secret',
    'ExternalSecret',
    (d) => {
      d.spec.data[0].remoteRef.name = 'x';
    },
  ],
];
