// Mistakes in a container or in the security of its pod. The policy for each must find it.
import { container, one, pod } from './targets.mjs';

/** [policy, release, description, how the mistake is planted]. */
export const CONTAINERS_PLANTED = [
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
];
