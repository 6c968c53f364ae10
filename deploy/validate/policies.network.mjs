// Policies for the network: all traffic must be allowed explicitly.
import { deployment, ofKind, pods, selects } from './objects.mjs';

const PRIVATE = ['10.0.0.0/8', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12', '192.168.0.0/16', '100.64.0.0/10'];

const isAnybody = (peers) =>
  !peers ||
  peers.length === 0 ||
  peers.some(
    ({ podSelector, namespaceSelector, ipBlock }) =>
      !ipBlock && !namespaceSelector?.matchLabels && !podSelector?.matchLabels,
  );

export const NETWORK = {
  'every pod has a policy for both directions': (documents, all) =>
    pods(documents).flatMap(({ owner, labels }) => {
      const policy = ofKind(all, 'NetworkPolicy').find(({ spec }) => selects(spec.podSelector, labels));
      return policy?.spec.policyTypes?.includes('Ingress') && policy.spec.policyTypes.includes('Egress')
        ? []
        : [`${owner.metadata.name} has no policy for both directions`];
    }),

  'traffic without a policy is denied': (documents, all) =>
    ofKind(all, 'NetworkPolicy').some(
      ({ spec }) =>
        Object.keys(spec.podSelector).length === 0 && spec.policyTypes.length === 2 && !spec.ingress && !spec.egress,
    )
      ? []
      : ['no default-deny'],

  'peers and ports are restricted': (documents) =>
    ofKind(documents, 'NetworkPolicy').flatMap(({ metadata, spec }) => [
      ...(spec.ingress ?? []).filter(({ from }) => isAnybody(from)).map(() => `${metadata.name}: any peer may connect`),
      ...(spec.egress ?? []).filter(({ to }) => isAnybody(to)).map(() => `${metadata.name}: it may reach any peer`),
      ...[...(spec.ingress ?? []), ...(spec.egress ?? [])]
        .filter(({ ports }) => !ports?.length)
        .map(() => `${metadata.name}: any port`),
    ]),

  'the internet means only public addresses': (documents) =>
    ofKind(documents, 'NetworkPolicy')
      .flatMap(({ spec }) => (spec.egress ?? []).flatMap(({ to = [] }) => to))
      .flatMap(({ ipBlock }) =>
        ipBlock?.cidr === '0.0.0.0/0'
          ? PRIVATE.filter((range) => !ipBlock.except?.includes(range)).map((range) => `${range} is open`)
          : ipBlock?.cidr === '::/0'
            ? ['all of IPv6 is open']
            : [],
      ),

  'DNS is allowed': (documents) =>
    ofKind(documents, 'NetworkPolicy')
      .filter(({ spec }) => spec.egress)
      .flatMap(({ metadata, spec }) =>
        ['UDP', 'TCP'].every((protocol) =>
          spec.egress.some(({ ports = [] }) => ports.some((one) => one.port === 53 && one.protocol === protocol)),
        )
          ? []
          : [`${metadata.name} reaches no DNS`],
      ),

  'an ingress limits bodies and buffers both directions': (documents) =>
    ofKind(documents, 'Ingress').flatMap(({ metadata }) => bufferingFaults(metadata, documents)),

  'an ingress exposes only what it should, over TLS': (documents) =>
    ofKind(documents, 'Ingress').flatMap(({ metadata, spec }) => {
      const paths = spec.rules.flatMap(({ http }) => http.paths.map(({ path }) => path));
      const isStaff = metadata.name.endsWith('-staff');
      return [
        ...(spec.rules.every(({ host }) =>
          spec.tls?.some(({ hosts, secretName }) => secretName && hosts.includes(host)),
        )
          ? []
          : [`${metadata.name} has no TLS`]),
        ...paths
          .filter((path) => path === '/' || path.startsWith('/metrics') || path.startsWith('/health'))
          .map((path) => `${metadata.name} exposes ${path}`),
        ...paths
          .filter((path) => !isStaff && /^\/(staff|console)/.test(path))
          .map((path) => `${metadata.name} exposes ${path} to the public`),
        ...(ofKind(documents, 'NetworkPolicy').some(
          ({ spec: own }) =>
            selects(own.podSelector, deployment(documents)?.spec.template.metadata.labels ?? {}) &&
            own.ingress.some(({ ports }) =>
              ports.some(({ port }) =>
                spec.rules.every(({ http }) => http.paths.every(({ backend }) => backend.service.port.name === port)),
              ),
            ),
        )
          ? []
          : [`${metadata.name} leads to a port that no policy opens`]),
      ];
    }),
};

const NGINX = 'nginx.ingress.kubernetes.io/';
const TRAEFIK = 'traefik.ingress.kubernetes.io/router.middlewares';
const isSize = (value) => Number.isInteger(Number(value)) && Number(value) > 0;

/** The configured maximum of a body in bytes for the controller of an ingress; undefined without one. */
export function largestBody({ name, namespace = 'ponte', annotations = {} }, documents) {
  const size = annotations[`${NGINX}proxy-body-size`];
  if (size !== undefined) return isSize(size) ? Number(size) : undefined;
  const middleware = ofKind(documents, 'Middleware').find(
    (one) => annotations[TRAEFIK] === `${namespace}-${one.metadata.name}@kubernetescrd` && one.metadata.name === name,
  );
  return middleware?.spec.buffering?.maxRequestBodyBytes;
}

function bufferingFaults(metadata, documents) {
  const { name, annotations = {} } = metadata;
  if (largestBody(metadata, documents) === undefined) return [`${name} has no maximum body size`];
  if (annotations[TRAEFIK]) return [];
  return ['proxy-buffering', 'proxy-request-buffering']
    .filter((one) => annotations[NGINX + one] !== 'on')
    .map((one) => `${name}: ${one} is not on`);
}
