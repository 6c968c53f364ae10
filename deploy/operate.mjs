// Runs an operator command on Kubernetes: node deploy/operate.mjs [--namespace ponte] orders parked list. If the
// service is running, the command is executed in one of its containers. Otherwise, as in a restore, or with --image, as
// before an upgrade, it is executed in a separate pod with the same configuration, which is deleted afterwards. Needs
// kubectl, and the right to exec or to create pods.
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';

const NODE = '/nodejs/bin/node';
const FAILED = 1;
const MISUNDERSTOOD = 2;
const POLL_MS = 1_000;
/** The services of an installation, each with its own Deployment. */
export const SERVICES = ['gateway', 'ledger', 'movements', 'onboarding', 'orders', 'pricing', 'webhooks'];
/** Enough for a long rebuild. The kubelet stops the pod after this time. */
const DEADLINE_SECONDS = 4 * 3_600;

/** `{ namespace, service, words, image? }`; undefined if the line has no service or no command. */
export function readLine([first, ...rest]) {
  if (first === '--namespace' || first === '--image') {
    const [value, ...line] = rest;
    const read = value ? readLine(line) : undefined;
    return read && { ...read, [first.slice(2)]: value };
  }
  return first && /^[a-z]+$/.test(first) && rest.length > 0
    ? { namespace: 'ponte', service: first, words: rest }
    : undefined;
}

/** The actor is the person who runs the command, not the user of the container. */
export const signed = (words, actor) =>
  words.includes('--reason') && !words.includes('--actor') ? [...words, '--actor', actor] : words;

/** Members of a replica's pod that are removed for the pod of a command. */
const OF_REPLICAS = [
  'topologySpreadConstraints',
  'terminationGracePeriodSeconds',
  'startupProbe',
  'livenessProbe',
  'readinessProbe',
  'lifecycle',
  'ports',
];
const without = (object, members) =>
  Object.fromEntries(Object.entries(object).filter(([member]) => !members.includes(member)));

/**
 * A pod with the configuration of a Deployment's pods that runs a command once. Its labels match no Service, budget or
 * Deployment. `image` replaces that of the Deployment.
 */
export function operatorPod({ metadata, spec }, words, name, image) {
  const pod = without(spec.template.spec, OF_REPLICAS);
  const [container] = pod.containers;
  return {
    apiVersion: 'v1',
    kind: 'Pod',
    metadata: {
      name,
      ...(metadata.namespace ? { namespace: metadata.namespace } : {}),
      labels: {
        'app.kubernetes.io/name': `${metadata.name}-operator`,
        'app.kubernetes.io/part-of': 'ponte',
        'ponte/job': 'operator',
      },
    },
    spec: {
      ...pod,
      restartPolicy: 'Never',
      activeDeadlineSeconds: DEADLINE_SECONDS,
      containers: [{ ...without(container, OF_REPLICAS), ...(image ? { image } : {}), args: ['main.js', ...words] }],
    },
  };
}

/** kubectl; tests pass another function. */
const kubectl = (args, input) => {
  const { status, stdout, stderr, error } = spawnSync('kubectl', args, {
    input,
    encoding: 'utf8',
    stdio: [input === undefined ? 'inherit' : 'pipe', 'pipe', 'pipe'],
    maxBuffer: 64 * 2 ** 20,
  });
  if (error) throw new Error(`kubectl cannot be run: ${error.message}`);
  return { code: status ?? FAILED, out: stdout, err: stderr };
};

/** Runs a line and returns the command's exit code. `print` and `complain` get its output and its errors. */
export async function operate(
  argv,
  {
    run = kubectl,
    print = (text) => process.stdout.write(text),
    complain = (text) => process.stderr.write(text),
    wait = () => pause(POLL_MS),
    actor = userInfo().username,
  } = {},
) {
  const line = readLine(argv);
  if (!line) {
    complain(
      'usage: node deploy/operate.mjs [--namespace ponte] [--image <image>] <service> <command> …, for example: ' +
        'orders parked list\n',
    );
    return MISUNDERSTOOD;
  }
  const { namespace, service, image } = line;
  if (!SERVICES.includes(service)) {
    complain(`unknown service "${service}"; the services are ${SERVICES.join(', ')}\n`);
    return MISUNDERSTOOD;
  }
  const words = signed(line.words, actor);
  const inNamespace = (...args) => ['--namespace', namespace, ...args];
  const asked = (args, input) => {
    const answer = run(args, input);
    if (answer.code !== 0) throw new Error(answer.err.trim());
    return answer.out;
  };
  const deployment = JSON.parse(asked(inNamespace('get', `deployment/ponte-${service}`, '--output', 'json')));
  if (image === undefined && (deployment.status?.readyReplicas ?? 0) > 0) {
    const { code, out, err } = run(
      inNamespace('exec', `deployment/ponte-${service}`, '--container', service, '--', NODE, 'main.js', ...words),
    );
    print(out);
    complain(err);
    return code;
  }
  const name = `ponte-${service}-operator-${randomBytes(4).toString('hex')}`;
  asked(inNamespace('create', '--filename', '-'), JSON.stringify(operatorPod(deployment, words, name, image)));
  try {
    for (;;) {
      const { status = {} } = JSON.parse(asked(inNamespace('get', `pod/${name}`, '--output', 'json')));
      if (status.phase === 'Succeeded' || status.phase === 'Failed') {
        print(asked(inNamespace('logs', `pod/${name}`)));
        if (status.reason) complain(`${status.reason}: ${status.message ?? ''}\n`);
        return (
          status.containerStatuses?.[0]?.state?.terminated?.exitCode ?? (status.phase === 'Succeeded' ? 0 : FAILED)
        );
      }
      const { reason, message } = status.containerStatuses?.[0]?.state?.waiting ?? {};
      if (/^(Err|Image|Invalid|CreateContainer|RunContainer)/.test(reason ?? ''))
        throw new Error(`the pod cannot start: ${reason} ${message ?? ''}`);
      await wait();
    }
  } finally {
    run(inNamespace('delete', `pod/${name}`, '--wait=false'));
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  process.exitCode = await operate(process.argv.slice(2)).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    return FAILED;
  });
}
