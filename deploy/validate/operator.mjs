// Tests deploy/operate.mjs on the rendered chart with a fake kubectl: the pod of a command while its service is
// stopped.
/* global structuredClone */
import { operate, readLine, SERVICES, signed } from '../operate.mjs';
import { operatorPod } from '../operator-pod.mjs';
import { deployment, ofKind, selects } from './objects.mjs';

const NAME = 'ponte-orders-operator-0';

/** The pods of operator commands, one for each service, for the schemas. */
export const operatorPods = (releases) =>
  [...releases].flatMap(([name, documents]) => {
    const own = deployment(documents);
    return own ? [operatorPod(own, ['read-models', 'list'], `ponte-${name}-operator-0`)] : [];
  });

/**
 * Faults of such a pod. It needs the configuration of the service, must not match as a replica, and may reach only what
 * every service may reach.
 */
export function podFaults(pod, documents, all) {
  const own = deployment(documents).spec.template.spec.containers[0];
  const [container] = pod.spec.containers;
  const { labels } = pod.metadata;
  const takers = [deployment(documents), ...ofKind(documents, 'PodDisruptionBudget')]
    .filter(({ spec }) => selects(spec.selector, labels))
    .concat(
      ofKind(documents, 'Service').filter(({ spec }) => selects({ matchLabels: spec.selector }, labels)),
      ofKind(documents, 'NetworkPolicy').filter(({ spec }) => selects(spec.podSelector, labels)),
    );
  const [policy, ...more] = ofKind(all, 'NetworkPolicy').filter(
    ({ spec }) => spec.podSelector.matchLabels && selects(spec.podSelector, labels),
  );
  return [
    ...['image', 'env', 'envFrom', 'volumeMounts', 'securityContext']
      .filter((member) => JSON.stringify(container[member]) !== JSON.stringify(own[member]))
      .map((member) => `${member} differs from the service`),
    ...(pod.spec.volumes.find(({ name }) => name === 'data')?.emptyDir ? [] : ['it mounts the data of a replica']),
    ...takers.map(({ kind, metadata }) => `the ${kind} ${metadata.name} matches it as a replica`),
    ...(pod.spec.restartPolicy === 'Never' && pod.spec.activeDeadlineSeconds > 0
      ? []
      : ['no time limit or it restarts']),
    ...(policy && more.length === 0 && !policy.spec.ingress && policy.spec.policyTypes.length === 2
      ? []
      : ['no network policy of its own that refuses all ingress']),
    ...reachFaults(policy?.spec.egress ?? [], documents),
  ];
}

/** A command needs DNS and the engines, and may reach nothing that its service may not reach. */
function reachFaults(rules, documents) {
  const ofService = ofKind(documents, 'NetworkPolicy').flatMap(({ spec }) => spec.egress);
  const may = new Set(ofService.map((rule) => JSON.stringify(rule)));
  const ports = new Set(rules.flatMap(({ ports: all }) => all.map(({ port }) => port)));
  return [
    ...[53, 2113, 9093, 5432].filter((port) => !ports.has(port)).map((port) => `it does not reach port ${port}`),
    ...rules
      .filter((rule) => !may.has(JSON.stringify(rule)))
      .map((rule) => `its service may not reach ${JSON.stringify(rule)}`),
  ];
}

/** What operate.mjs does to a fake cluster: `[description, faults]`. */
export async function walks(releases) {
  const own = deployment(releases.get('orders'));
  const walked = async (ready, phase, argv = ['orders', 'read-models', 'rebuild', '--all', '--reason', 'restore']) => {
    const calls = [];
    const said = [];
    const run = (args, input) => {
      const [, , verb, what] = args;
      calls.push(
        verb === 'create'
          ? createdBy(JSON.parse(input).spec.containers[0])
          : `${verb} ${what.replace(/-[0-9a-f]{8}$/, '')}`,
      );
      if (verb === 'get' && what.startsWith('deployment'))
        return { code: 0, out: JSON.stringify({ ...own, status: { readyReplicas: ready } }), err: '' };
      if (verb === 'get')
        return {
          code: 0,
          out: JSON.stringify({
            status: {
              phase,
              containerStatuses: [{ name: 'orders', state: { terminated: { exitCode: phase === 'Failed' ? 1 : 0 } } }],
            },
          }),
          err: '',
        };
      return { code: 0, out: `${verb}\n`, err: '' };
    };
    const code = await operate(argv, {
      run,
      print: (text) => said.push(text),
      complain: () => undefined,
      wait: async () => undefined,
      actor: 'ana',
    });
    return JSON.stringify([code, calls, said.join('')]);
  };
  const createdBy = ({ image, args }) =>
    `create ${image === own.spec.template.spec.containers[0].image ? '' : `${image} `}${args.join(' ')}`;
  const same = (found, ...wanted) =>
    found === JSON.stringify(wanted) ? [] : [`${found} instead of ${JSON.stringify(wanted)}`];
  const line = 'create main.js read-models rebuild --all --reason restore --actor ana';
  const alone = [
    'get deployment/ponte-orders',
    line,
    'get pod/ponte-orders-operator',
    'logs pod/ponte-orders-operator',
    'delete pod/ponte-orders-operator',
  ];
  return [
    [
      'a verb runs in a running container',
      same(await walked(2, 'Running'), 0, ['get deployment/ponte-orders', 'exec deployment/ponte-orders'], 'exec\n'),
    ],
    [
      'without a running container it gets a pod, which is deleted afterwards',
      same(await walked(0, 'Succeeded'), 0, alone, 'logs\n'),
    ],
    [
      'with another image it gets a pod with that image, also while the service runs',
      same(
        await walked(2, 'Succeeded', ['--image', 'ponte/orders@sha256:2', 'orders', 'read-models', 'list']),
        0,
        [alone[0], 'create ponte/orders@sha256:2 main.js read-models list', ...alone.slice(2)],
        'logs\n',
      ),
    ],
    ['a failing verb returns its exit code', same(await walked(0, 'Failed'), 1, alone, 'logs\n')],
    ['a line without a verb is refused', same(await walked(0, '', ['orders']), 2, [], '')],
    ['an image without a name is refused', same(await walked(0, '', ['--image']), 2, [], '')],
    ['an unknown service is refused', same(await walked(2, 'Running', ['order', 'parked', 'list']), 2, [], '')],
    [
      'operate.mjs accepts exactly the services of the releases',
      same(
        JSON.stringify([...SERVICES]),
        ...[...releases]
          .filter(([, documents]) => deployment(documents))
          .map(([name]) => name)
          .sort(),
      ),
    ],
    [
      'the actor is added once, and only to verbs that change something',
      same(
        JSON.stringify([signed(['parked', 'list'], 'ana'), signed(['x', '--reason', 'y', '--actor', 'eva'], 'ana')]),
        ['parked', 'list'],
        ['x', '--reason', 'y', '--actor', 'eva'],
      ),
    ],
    [
      'the namespace can be set, before or after the image',
      same(JSON.stringify([readLine(['--image', 'i', '--namespace', 'pay', 'orders', 'actions'])]), {
        namespace: 'pay',
        service: 'orders',
        words: ['actions'],
        image: 'i',
      }),
    ],
  ];
}

/** [description, how the mistake is planted], in the pod of a command of orders. */
export const OPERATOR_PLANTED = [
  [
    'the labels of a replica',
    (pod) => {
      Object.assign(pod.metadata.labels, {
        'app.kubernetes.io/name': 'ponte-orders',
        'app.kubernetes.io/instance': 'ponte-orders',
      });
    },
  ],
  [
    'a missing setting',
    (pod) => {
      pod.spec.containers[0].env.pop();
    },
  ],
  [
    'no job label',
    (pod) => {
      delete pod.metadata.labels['ponte/job'];
    },
  ],
  [
    'a pod that restarts',
    (pod) => {
      pod.spec.restartPolicy = 'Always';
    },
  ],
];

export const planted = (releases, plant) => {
  const pod = structuredClone(operatorPod(deployment(releases.get('orders')), ['read-models', 'list'], NAME));
  plant(pod);
  return pod;
};
