// Tests deploy/operate.mjs with a fake kubectl whose pod does not start, does not end, or cannot be read.
import { operate } from '../operate.mjs';
import { deployment } from './objects.mjs';

const SECOND_MS = 1_000;
/** A command that is not stopped would otherwise be awaited forever. */
const MOST_ROUNDS = 20_000;
const MESSAGE = '0/3 nodes are available: 3 Insufficient cpu.';

const unscheduled = {
  phase: 'Pending',
  conditions: [{ type: 'PodScheduled', status: 'False', reason: 'Unschedulable', message: MESSAGE }],
};
const scheduled = { phase: 'Pending', conditions: [{ type: 'PodScheduled', status: 'True' }] };
const waitsFor = (reason, message) => ({
  ...scheduled,
  containerStatuses: [{ name: 'orders', state: { waiting: { reason, ...(message && { message }) } } }],
});
const ended = (phase, exitCode, more = {}) => ({
  phase,
  ...more,
  containerStatuses: [
    { name: 'injected', state: { terminated: { exitCode: 0 } } },
    { name: 'orders', state: { terminated: { exitCode } } },
  ],
});
const running = {
  phase: 'Running',
  containerStatuses: [{ name: 'injected', state: { waiting: { reason: 'Error' } } }],
};
const unread = (err) => ({ code: 1, out: '', err });

/** Runs the command while the service is stopped. The pod has each status once, and the last one from then on. */
async function started(releases, statuses, answers = {}) {
  const own = deployment(releases.get('orders'));
  const deleted = [];
  const complaints = [];
  let [at, time] = [-1, 0];
  const run = (args) => {
    const [, , verb, what] = args;
    if (verb !== 'exec' && !args.includes('--request-timeout=60s')) throw new Error(`${verb} is not bounded`);
    if (answers[verb]) return answers[verb];
    if (verb === 'delete') deleted.push(what);
    if (verb !== 'get') return { code: 0, out: '', err: '' };
    if (what.startsWith('deployment')) return { code: 0, out: JSON.stringify(own), err: '' };
    at = Math.min(at + 1, statuses.length - 1);
    const status = statuses[at];
    return 'err' in status ? status : { code: 0, out: JSON.stringify({ status }), err: '' };
  };
  const wait = async () => {
    time += SECOND_MS;
    if (time > MOST_ROUNDS * SECOND_MS) throw new Error('it waits forever');
  };
  const outcome = await operate(['orders', 'read-models', 'list'], {
    ...{ run, wait, now: () => time, actor: 'ana', print: () => undefined },
    complain: (text) => complaints.push(text.replace(/-[0-9a-f]{8}/, '')),
  }).catch((error) => error.message);
  return { outcome, complaints: complaints.join(''), deleted: deleted.length, seconds: time / SECOND_MS };
}

/** What operate.mjs does with pods that misbehave: `[description, faults]`. */
export async function starts(releases) {
  const expected = async (statuses, wanted, answers) => {
    const found = await started(releases, statuses, answers);
    return Object.entries({ deleted: 1, complaints: '', ...wanted })
      .filter(([member, value]) => found[member] !== value)
      .map(([member, value]) => `${member} is ${found[member]} instead of ${value}`);
  };
  const stopped = (reason) => ({ outcome: `the pod has not started within 10 minutes: ${reason}`, seconds: 601 });
  const why = `it is not scheduled (Unschedulable: ${MESSAGE})`;
  const report = `waiting for the pod ponte-orders-operator: ${why}\n`;
  const creating = 'waiting for the pod ponte-orders-operator: ContainerCreating\n';
  const faults = [
    ['ErrImagePull', 'not found'],
    ['ImagePullBackOff', 'Back-off pulling image "ponte/orders:2"'],
    ['InvalidImageName'],
    ['CreateContainerConfigError', 'secret "ponte-orders" not found'],
    ['RunContainerError', 'exec format error'],
  ];
  return [
    [
      'a pod that no node takes is reported once, stopped after ten minutes and deleted',
      await expected([unscheduled], { ...stopped(why), complaints: report }),
    ],
    [
      'a pod that a node takes later runs',
      await expected(
        [{ phase: 'Pending' }, unscheduled, unscheduled, waitsFor('ContainerCreating'), ended('Succeeded', 0)],
        {
          outcome: 0,
          complaints: `waiting for the pod ponte-orders-operator: no node has reported it\n${report}${creating}`,
        },
      ),
    ],
    [
      'a pod whose volumes are never there is stopped after ten minutes and deleted',
      await expected([waitsFor('ContainerCreating')], { ...stopped('ContainerCreating'), complaints: creating }),
    ],
    ...(await Promise.all(
      faults.map(async ([reason, message]) => [
        `a pod that cannot start because of ${reason} is given up at once and deleted`,
        await expected([scheduled, waitsFor(reason, message)], {
          outcome: `the pod cannot start: ${[reason, message].filter(Boolean).join(': ')}`,
          complaints: 'waiting for the pod ponte-orders-operator: no node has reported it\n',
        }),
      ]),
    )),
    [
      'a pod whose first container cannot start is given up at once',
      await expected([{ ...scheduled, initContainerStatuses: waitsFor('ErrImagePull').containerStatuses }], {
        outcome: 'the pod cannot start: ErrImagePull',
      }),
    ],
    [
      'a pod that runs for hours is awaited, whatever an injected container does',
      await expected([...Array.from({ length: 14_000 }, () => running), ended('Succeeded', 0)], { outcome: 0 }),
    ],
    [
      'a pod that never ends, as on a node that is gone, is given up and deleted',
      await expected([running], { outcome: 'the pod has not ended within 250 minutes', seconds: 15_001 }),
    ],
    [
      'a pod that its time limit ended has failed, whatever its command returned',
      await expected([running, ended('Failed', 0, { reason: 'DeadlineExceeded', message: 'too long' })], {
        outcome: 1,
        complaints: 'DeadlineExceeded: too long\n',
      }),
    ],
    [
      'a pod that failed before its container started says why',
      await expected(
        [{ phase: 'Failed', reason: 'Evicted', message: 'disk pressure' }],
        { outcome: 1, complaints: 'no logs\nEvicted: disk pressure\n' },
        { logs: unread('no logs\n') },
      ),
    ],
    [
      'a pod that cannot be read for a while goes on',
      await expected([running, ...Array.from({ length: 250 }, () => unread('refused')), ended('Failed', 3)], {
        outcome: 3,
      }),
    ],
    ['a pod that cannot be read any more is given up', await expected([unread('timeout')], { outcome: 'timeout' })],
    [
      'a pod that is gone is given up at once',
      await expected([running, unread('pods "x" not found')], { outcome: 'pods "x" not found', seconds: 1 }),
    ],
    [
      'a pod is deleted even if the answer to its creation was lost',
      await expected([], { outcome: 'timeout' }, { create: unread('timeout') }),
    ],
    [
      'a pod that cannot be deleted is named',
      await expected(
        [ended('Succeeded', 0)],
        {
          ...{ outcome: 0, deleted: 0 },
          complaints: 'the pod ponte-orders-operator could not be deleted, delete it: forbidden\n',
        },
        { delete: unread('forbidden') },
      ),
    ],
  ];
}
