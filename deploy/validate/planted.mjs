// Typical mistakes, each planted into the rendered objects. The policy for it must find it.
import { ofKind } from './objects.mjs';

const one = (documents, kind) => ofKind(documents, kind)[0];
const pod = (documents) => one(documents, 'Deployment').spec.template.spec;
const container = (documents) => pod(documents).containers[0];
const policy = (documents) => one(documents, 'NetworkPolicy').spec;

/** [policy, release, description, how the mistake is planted]. */
export const PLANTED = [
  [
    'no pod runs as root or can gain privileges',
    'orders',
    'the root user',
    (d) => {
      pod(d).securityContext.runAsUser = 0;
    },
  ],
  [
    'no pod runs as root or can gain privileges',
    'orders',
    'root in the container',
    (d) => {
      container(d).securityContext.runAsUser = 0;
    },
  ],
  [
    'no pod runs as root or can gain privileges',
    'orders',
    'a capability',
    (d) => {
      container(d).securityContext.capabilities.add = ['NET_ADMIN'];
    },
  ],
  [
    'no pod runs as root or can gain privileges',
    'orders',
    'a migration without seccomp',
    (d) => {
      delete one(d, 'Job').spec.template.spec.securityContext.seccompProfile;
    },
  ],
  [
    'containers have a read-only file system and mount nothing of the node',
    'orders',
    'a writable root',
    (d) => {
      container(d).securityContext.readOnlyRootFilesystem = false;
    },
  ],
  [
    'containers have a read-only file system and mount nothing of the node',
    'orders',
    'a folder of the node',
    (d) => {
      pod(d).volumes.push({ name: 'socket', hostPath: { path: '/var/run' } });
    },
  ],
  [
    'containers have a read-only file system and mount nothing of the node',
    'onboarding',
    'a writable claim',
    (d) => {
      container(d).volumeMounts.find(({ name }) => name === 'lists').readOnly = false;
    },
  ],
  [
    'no pod has a token of the cluster',
    'orders',
    'a mounted token',
    (d) => {
      pod(d).automountServiceAccountToken = true;
    },
  ],
  [
    'an image has a fixed version',
    'orders',
    'the tag latest',
    (d) => {
      container(d).image = 'registry.ponte.example/ponte/orders:latest';
    },
  ],
  [
    'an image has a fixed version',
    'orders',
    'no tag',
    (d) => {
      container(d).image = 'registry.ponte.example:5000/ponte/orders';
    },
  ],
  [
    'memory is limited at its request, CPU is requested and not limited',
    'orders',
    'no limit',
    (d) => {
      delete container(d).resources.limits;
    },
  ],
  [
    'memory is limited at its request, CPU is requested and not limited',
    'orders',
    'a CPU limit',
    (d) => {
      container(d).resources.limits.cpu = '1';
    },
  ],
  [
    'the heap of Node leaves room in the memory limit',
    'orders',
    'a heap as large as the limit',
    (d) => {
      container(d).env.find(({ name }) => name === 'NODE_OPTIONS').value = '--max-old-space-size=512';
    },
  ],
  [
    'there are three probes: live checks the process, ready its engines',
    'orders',
    'a liveness probe on the engines',
    (d) => {
      container(d).livenessProbe.httpGet.path = '/health/ready';
    },
  ],
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
  [
    'no secret is in clear text',
    'orders',
    'a password in the ConfigMap',
    (d) => {
      one(d, 'ConfigMap').data.KAFKA_SASL_PASSWORD = 'hunter2';
    },
  ],
  [
    'no secret is in clear text',
    'orders',
    'a password in a URL',
    (d) => {
      container(d).env.push({ name: 'DATABASE_URL', value: 'postgres://ponte:hunter2@postgres/ponte' });
    },
  ],
  [
    'no secret is in clear text',
    'orders',
    'a Secret in a manifest',
    (d) => {
      d.push({ apiVersion: 'v1', kind: 'Secret', metadata: { name: 'ponte-orders' }, stringData: {} });
    },
  ],
  [
    'a service reads only its own secret and fetched keys',
    'orders',
    'the secret of another service',
    (d) => {
      container(d).env.find(({ name }) => name === 'ESDB_URL').valueFrom.secretKeyRef.name = 'ponte-movements';
    },
  ],
  [
    'a service reads only its own secret and fetched keys',
    'orders',
    'a key that no one fetches',
    (d) => {
      container(d).env.push({ name: 'X', valueFrom: { secretKeyRef: { name: 'ponte-orders', key: 'X' } } });
    },
  ],
  [
    'a service reads only its own secret and fetched keys',
    'orders',
    'a key that no one uses',
    (d, all) => {
      ofKind(all, 'ExternalSecret')
        .find(({ metadata }) => metadata.name === 'ponte-orders')
        .spec.data.push({ secretKey: 'keystore', remoteRef: { key: 'x' } });
    },
  ],
  [
    'a file that all replicas must share comes from the secret',
    'movements',
    'a separate seed for each pod',
    (d) => {
      container(d).volumeMounts = container(d).volumeMounts.filter(({ subPath }) => !subPath);
    },
  ],
  [
    'a mounted secret is readable only by the process',
    'movements',
    'a decimal mode that was meant to be octal',
    (d) => {
      pod(d).volumes.find(({ secret }) => secret).secret.defaultMode = 440;
    },
  ],
  [
    'every pod has a policy for both directions',
    'orders',
    'no policy of the service',
    (d, all) => {
      all.splice(
        all.findIndex(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'ponte-orders'),
        1,
      );
    },
  ],
  [
    'every pod has a policy for both directions',
    'orders',
    'unrestricted egress',
    (d) => {
      policy(d).policyTypes = ['Ingress'];
    },
  ],
  [
    'traffic without a policy is denied',
    'orders',
    'no default-deny',
    (d, all) => {
      all.splice(
        all.findIndex(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === 'default-deny'),
        1,
      );
    },
  ],
  [
    'peers and ports are restricted',
    'orders',
    'metrics without a restricted peer',
    (d) => {
      delete policy(d).ingress[0].from;
    },
  ],
  [
    'peers and ports are restricted',
    'orders',
    'every namespace',
    (d) => {
      policy(d).egress[1].to = [{ namespaceSelector: {} }];
    },
  ],
  [
    'peers and ports are restricted',
    'orders',
    'every port',
    (d) => {
      delete policy(d).egress[1].ports;
    },
  ],
  [
    'the internet means only public addresses',
    'webhooks',
    'the metadata service of the cloud',
    (d) => {
      policy(d)
        .egress.flatMap(({ to }) => to)
        .find(({ ipBlock }) => ipBlock?.cidr === '0.0.0.0/0').ipBlock.except = ['10.0.0.0/8'];
    },
  ],
  [
    'DNS is allowed',
    'orders',
    'no DNS',
    (d) => {
      policy(d).egress.shift();
    },
  ],
  [
    'an ingress limits bodies and buffers both directions',
    'gateway',
    'no maximum body size',
    (d) => {
      delete one(d, 'Ingress').metadata.annotations['nginx.ingress.kubernetes.io/proxy-body-size'];
    },
  ],
  [
    'an ingress limits bodies and buffers both directions',
    'gateway',
    'requests that are not buffered',
    (d) => {
      one(d, 'Ingress').metadata.annotations['nginx.ingress.kubernetes.io/proxy-request-buffering'] = 'off';
    },
  ],
  [
    'an ingress exposes only what it should, over TLS',
    'gateway',
    'public metrics',
    (d) => {
      one(d, 'Ingress').spec.rules[0].http.paths[0].path = '/';
    },
  ],
  [
    'an ingress exposes only what it should, over TLS',
    'gateway',
    'a public console',
    (d) => {
      ofKind(d, 'Ingress').find(({ metadata }) => metadata.name.endsWith('-public')).spec.rules[0].http.paths[0].path =
        '/console';
    },
  ],
  [
    'an ingress exposes only what it should, over TLS',
    'gateway',
    'plain HTTP',
    (d) => {
      delete one(d, 'Ingress').spec.tls;
    },
  ],
];

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

/** [description, release, arguments of Helm]: values that the chart must refuse to render. */
export const PLANTED_VALUES = [
  ['the tag latest', 'orders', ['--set', 'image.tag=latest']],
  ['a tag where a digest is required', 'orders', ['--set', 'image.requireDigest=true', '--set', 'image.tag=0.2.0']],
  ['more replicas than partitions', 'orders', ['--set', 'autoscaling.max=13']],
  ['a maximum below the minimum', 'pricing', ['--set', 'autoscaling.max=1']],
  ['two scalers', 'orders', ['--set-json', 'autoscaling.by=["cpu","lag"]']],
  ['an unknown value', 'orders', ['--set', 'replicaCount=3']],
  ['a setting that is a number', 'orders', ['--set', 'config.KAFKA_PARTITIONS=12']],
  ['an undefined peer', 'orders', ['--set', 'network.egress={redis}']],
  ['an ingress of an unknown controller without annotations', 'gateway', ['--set', 'ingresses[0].controller=other']],
  ['an ingress without a maximum body size', 'gateway', ['--set', 'ingresses[0].maxBodyBytes=null']],
  ['no memory limit', 'orders', ['--set', 'resources.memoryMi=null']],
];
