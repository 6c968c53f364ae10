// Runs an operator command on Kubernetes: node deploy/operate.mjs [--namespace ponte] orders parked list. If the
// service is running, the command is executed in one of its containers. Otherwise, as in a restore, or with --image, as
// before an upgrade, it is executed in a separate pod with the same configuration, which is deleted afterwards. Needs
// kubectl, and the right to exec or to create pods.
/* global AbortController */
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { userInfo } from 'node:os';
import { performance } from 'node:perf_hooks';
import { setTimeout as pause } from 'node:timers/promises';
import { pathToFileURL } from 'node:url';
import { DEADLINE_SECONDS, exitCodeOf, operatorPod, progressOf } from './operator-pod.mjs';

const NODE = '/nodejs/bin/node';
const FAILED = 1;
const MISUNDERSTOOD = 2;
const POLL_MS = 1_000;
/** The services of an installation, each with its own Deployment. */
export const SERVICES = ['gateway', 'ledger', 'movements', 'onboarding', 'orders', 'pricing', 'webhooks'];
/** How long a pod may take to start, for example until the cluster has a new node and the node has the image. */
const START_SECONDS = 10 * 60;
/** How long a pod may take to end. Longer than the kubelet's limit, for a node that is gone and stops nothing. */
const END_SECONDS = DEADLINE_SECONDS + START_SECONDS;
/** For how long the pod may not be read, as while the API server restarts, before the command is given up. */
const UNREAD_SECONDS = 300;
/** Otherwise kubectl waits forever for an API server that does not answer. Not for `exec`, which it would cut off. */
const BOUNDED = '--request-timeout=60s';

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

/** kubectl; tests pass another function. */
const kubectl = (args, input) => {
  const { status, signal, stdout, stderr, error } = spawnSync('kubectl', args, {
    input,
    encoding: 'utf8',
    stdio: [input === undefined ? 'inherit' : 'pipe', 'pipe', 'pipe'],
    maxBuffer: 64 * 2 ** 20,
  });
  if (error) throw new Error(`kubectl cannot be run: ${error.message}`);
  return { code: status ?? FAILED, out: stdout, err: signal ? `${stderr}kubectl was ended by ${signal}\n` : stderr };
};

/**
 * Runs a line and returns the command's exit code. `print` and `complain` get its output and its errors. Throws if the
 * command cannot be run. `now` is a clock in milliseconds; `wait` rejects to interrupt the command.
 */
export async function operate(
  argv,
  {
    run = kubectl,
    print = (text) => process.stdout.write(text),
    complain = (text) => process.stderr.write(text),
    wait = () => pause(POLL_MS),
    now = () => performance.now(),
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
  const bounded = (args, input) => run(inNamespace(...args, BOUNDED), input);
  const asked = (args, input) => {
    const answer = bounded(args, input);
    if (answer.code !== 0) throw new Error(answer.err.trim());
    return answer.out;
  };
  const deployment = JSON.parse(asked(['get', `deployment/ponte-${service}`, '--output', 'json']));
  if (image === undefined && (deployment.status?.readyReplicas ?? 0) > 0) {
    const { code, out, err } = run(
      inNamespace('exec', `deployment/ponte-${service}`, '--container', service, '--', NODE, 'main.js', ...words),
    );
    print(out);
    complain(err);
    return code;
  }
  const name = `ponte-${service}-operator-${randomBytes(4).toString('hex')}`;
  const pod = operatorPod(deployment, words, name, image);
  try {
    asked(['create', '--filename', '-'], JSON.stringify(pod));
    const status = await end(() => bounded(['get', `pod/${name}`, '--output', 'json']), { name, complain, wait, now });
    const logs = bounded(['logs', `pod/${name}`, '--container', pod.spec.containers[0].name]);
    print(logs.out);
    complain(logs.err);
    if (status.reason) complain(`${status.reason}: ${status.message ?? ''}\n`);
    return exitCodeOf(status, pod.spec.containers[0].name);
  } finally {
    // Even if `create` failed: the pod may exist if only the answer was lost.
    const deleted = bounded(['delete', `pod/${name}`, '--ignore-not-found', '--wait=false']);
    if (deleted.code !== 0) complain(`the pod ${name} could not be deleted, delete it: ${deleted.err.trim()}\n`);
  }
}

/**
 * Waits until a pod has ended, and returns its status. Throws if it cannot start, takes too long, is gone, or could not
 * be read for minutes.
 */
async function end(get, { name, complain, wait, now }) {
  const began = now();
  const isOver = (seconds) => now() - began > seconds * 1_000;
  let reported;
  let lastRead = began;
  for (;;) {
    const { code, out, err } = get();
    if (code !== 0) {
      if (/not ?found/i.test(err) || now() - lastRead > UNREAD_SECONDS * 1_000) throw new Error(err.trim());
      await wait();
      continue;
    }
    lastRead = now();
    const { status = {} } = JSON.parse(out);
    const { ended, running, fault, waiting } = progressOf(status);
    if (ended) return status;
    if (fault) throw new Error(`the pod cannot start: ${fault}`);
    if (!running && isOver(START_SECONDS))
      throw new Error(`the pod has not started within ${START_SECONDS / 60} minutes: ${waiting}`);
    if (isOver(END_SECONDS)) throw new Error(`the pod has not ended within ${Math.floor(END_SECONDS / 60)} minutes`);
    if (waiting && waiting !== reported) complain(`waiting for the pod ${name}: ${waiting}\n`);
    reported = waiting;
    await wait();
  }
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  // kubectl gets the signal too. The pod is deleted before the process exits.
  const interrupted = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM']) process.once(name, () => interrupted.abort());
  const wait = () =>
    pause(POLL_MS, undefined, { signal: interrupted.signal }).catch(() => {
      throw new Error('interrupted; the pod is deleted, and the command with it');
    });
  process.exitCode = await operate(process.argv.slice(2), { wait }).catch((error) => {
    process.stderr.write(`${error.message}\n`);
    return FAILED;
  });
}
