// Mistakes in network policies and ingresses. The policy for each must find it.
import { ofKind } from '../objects.mjs';
import { one, policy } from './targets.mjs';

/** [policy, release, description, how the mistake is planted]. */
export const NETWORK_PLANTED = [
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
