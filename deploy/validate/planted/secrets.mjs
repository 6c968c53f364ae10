// Mistakes in secrets and in how they are mounted. The policy for each must find it.
import { ofKind } from '../objects.mjs';
import { container, one, pod } from './targets.mjs';

/** [policy, release, description, how the mistake is planted]. */
export const SECRETS_PLANTED = [
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
];
