// Checks what the chart renders for other values than ours, and what it refuses.
import { operatorPod } from '../../operator-pod.mjs';
import { deployment } from '../objects.mjs';
import { podFaults } from '../operator.mjs';
import { PLANTED_VALUES } from '../planted/values.mjs';
import { render } from '../render.mjs';
import { check, seen } from './results.mjs';

export function chart(releases) {
  for (const [what, release, args] of PLANTED_VALUES)
    seen(
      `values: ${what}`,
      isRefused(() => render(release, args)),
    );
  const annotation = (documents) =>
    documents.find(({ kind }) => kind === 'Deployment').spec.template.metadata.annotations['ponte/config'];
  const other = render('orders', ['--set-string', 'config.ORDERS_BRCODE_SECONDS=600']);
  check(
    'a changed setting restarts the pods',
    annotation(other) === annotation(releases.get('orders')) ? ['the annotation did not change'] : [],
  );
  check(
    'a second master key is accepted next to the first, as key rotation requires',
    rotationFaults(render('orders', ['--set-string', 'secrets.files.PONTE_OTHER_MASTER_KEY_FILE=next-master-key'])),
  );
  check(
    'a CA for the engines is mounted in the pods and before them in the migration',
    caFaults(
      render('orders', [
        ...['--set-string', 'config.KAFKA_SSL_CA=/etc/ponte/files/kafka-ca.crt'],
        ...['--set-string', 'files.kafka-ca\\.crt=-----BEGIN CERTIFICATE-----'],
      ]),
    ),
  );
  check('with a master key in AWS KMS, service and operator pods reach KMS and get credentials', kmsFaults());
  const names = (documents) => documents.find(({ kind }) => kind === 'Job').metadata.name;
  const pinned = `sha256:${'a'.repeat(64)}`;
  const { metadata, spec } = render('orders', [
    ...['--set', 'image.requireDigest=true', '--set', `image.digest=${pinned}`],
    ...['--set', 'image.tag=9.9.9'],
  ]).find(({ kind }) => kind === 'Deployment').spec.template;
  check(
    'an image with a digest is run by its digest',
    spec.containers[0].image.endsWith(`/orders@${pinned}`) ? [] : [spec.containers[0].image],
  );
  const version = metadata.labels['app.kubernetes.io/version'];
  check(
    'the version of an image with a digest is the digest, not a tag that is not run',
    version === `sha256-${'a'.repeat(12)}` ? [] : [version],
  );
  for (const [what, ...args] of MIGRATION_CHANGES)
    check(
      `a migration with ${what} is a new Job`,
      names(render('orders', args)) === names(releases.get('orders')) ? ['the name did not change'] : [],
    );
  check(
    'a value that the migration does not read keeps its Job',
    names(render('orders', ['--set', 'autoscaling.max=7'])) === names(releases.get('orders'))
      ? []
      : ['the name changed'],
  );
}

/** [description, arguments of Helm]. The pod template of a Job is immutable, so each of these needs another name. */
const MIGRATION_CHANGES = [
  ['another image', '--set', 'image.tag=0.2.0'],
  ['a changed setting', '--set-string', 'config.PONTE_LOG_LEVEL=debug'],
  ['more memory', '--set', 'resources.memoryMi=640'],
  ['the key of another secret', '--set', 'secrets.files.PONTE_MASTER_KEY_FILE=next-master-key'],
  ['a changed secret', '--set-string', 'secrets.revision=2'],
  ['a changed file', '--set-string', 'files.kafka-ca\\.crt=-----BEGIN CERTIFICATE-----'],
  ['a pull secret', '--set', 'image.pullSecrets[0]=registry'],
];

/** Both ways to get a role on EKS: an annotation of the service account, and the agent of Pod Identity. */
function kmsFaults() {
  const role = 'arn:aws:iam::111122223333:role/ponte';
  const args = [
    ...['--set', 'network.internet={443}', '--set', 'network.egress={eventstore,kafka,postgres,pod-identity}'],
    ...['--set', 'peers.pod-identity.port=80', '--set', 'peers.pod-identity.cidrs={169.254.170.23/32}'],
    ...['--set-string', `serviceAccount.annotations.eks\\.amazonaws\\.com/role-arn=${role}`],
  ];
  const [orders, platform] = ['orders', 'platform'].map((release) => render(release, args));
  const account = orders.find(({ kind }) => kind === 'ServiceAccount');
  const cidrsFor = (documents, policy, port) =>
    documents
      .find(({ kind, metadata }) => kind === 'NetworkPolicy' && metadata.name === policy)
      .spec.egress.filter(({ ports }) => ports.some((one) => one.port === port))
      .flatMap(({ to }) => to.map(({ ipBlock }) => ipBlock?.cidr));
  return [
    ...(account.metadata.annotations?.['eks.amazonaws.com/role-arn'] === role ? [] : ['no role']),
    ...[
      [orders, 'ponte-orders'],
      [platform, 'ponte-operators'],
    ].flatMap(([documents, policy]) => [
      ...(cidrsFor(documents, policy, 443).includes('0.0.0.0/0') ? [] : [`${policy}: KMS is closed`]),
      ...(cidrsFor(documents, policy, 80).includes('169.254.170.23/32') ? [] : [`${policy}: no Pod Identity`]),
    ]),
    ...podFaults(operatorPod(deployment(orders), ['keys', 'rewrap'], 'ponte-orders-operator-0'), orders, [
      ...orders,
      ...platform,
    ]),
  ];
}

/** A migration is a hook that runs before the installation, so its ConfigMap has to be an earlier hook. */
function caFaults(documents) {
  return ['Deployment', 'Job'].flatMap((kind) => {
    const { metadata, spec } = documents.find((one) => one.kind === kind);
    const pod = spec.template.spec;
    const mount = pod.containers[0].volumeMounts.find(({ mountPath }) => mountPath === '/etc/ponte/files');
    if (mount === undefined) return [`${kind}: /etc/ponte/files is not mounted`];
    const wanted = pod.volumes.find(({ name }) => name === mount.name).configMap.name;
    const files = documents.find((one) => one.kind === 'ConfigMap' && one.metadata.name === wanted);
    const [hooks, weights] = ['helm.sh/hook', 'helm.sh/hook-weight'].map((name) =>
      [metadata, files?.metadata ?? {}].map(({ annotations = {} }) => annotations[name]),
    );
    return [
      ...(files?.data['kafka-ca.crt'] ? [] : [`${kind}: no ConfigMap ${wanted} with the file`]),
      ...(hooks[0] === hooks[1] ? [] : [`${kind}: its ConfigMap is created with another hook`]),
      ...(hooks[0] === undefined || Number(weights[1]) < Number(weights[0])
        ? []
        : [`${kind}: its ConfigMap is not created before it`]),
    ];
  });
}

function rotationFaults(documents) {
  return documents
    .filter(({ kind }) => kind === 'Deployment' || kind === 'Job')
    .flatMap(
      ({
        kind,
        spec: {
          template: { spec },
        },
      }) => {
        const named = spec.containers[0].env
          .filter(({ name }) => name.endsWith('MASTER_KEY_FILE'))
          .map(({ name, value }) => `${name} ${value}`)
          .sort()
          .join(', ');
        const mounted = spec.volumes
          .find(({ name }) => name === 'secrets')
          .secret.items.map(({ key }) => key)
          .sort()
          .join(', ');
        const wanted = [
          'PONTE_MASTER_KEY_FILE /run/secrets/ponte/master-key, PONTE_OTHER_MASTER_KEY_FILE /run/secrets/ponte/next-master-key',
          'master-key, next-master-key',
        ];
        return named === wanted[0] && mounted === wanted[1] ? [] : [`${kind}: ${named}; mounted ${mounted}`];
      },
    );
}

function isRefused(work) {
  try {
    work();
    return false;
  } catch {
    return true;
  }
}
