import type { ReservationClaimed, WalletCreated, WalletWhitelisted } from '@ponte/contracts';
import type { Recorded } from '@ponte/event-sourcing';
import { CHAINS } from '@ponte/kernel';
import type { WebhookReceiver } from '../../demo/webhook-receiver';
import { startWebhookReceiver } from '../../demo/webhook-receiver';
import { ofType } from '../testing/trial-balance';
import { chosenPoints } from '../kills/testing/kill-points';
import { Customer } from '../testing/customer';
import { KillableCluster } from '../testing/killable-cluster';
import { CLUSTERED, itClustered, Program } from '../testing/program';
import type { Provisioned } from './testing/provisioning-scenario';
import { readyFolder } from './testing/ready-folder';
import { DEPOSIT, provisionOnCluster, provisionThroughDeath, TALKATIVE } from './testing/provisioning-scenario';
import { leaksOf } from './testing/leaks';

jest.setTimeout(CLUSTERED ? 1_800_000 : 240_000);

/** The steps from the first reservation to the active account, in order. */
const POINTS = chosenPoints([
  'after:ReservationClaimed:3',
  'before:AccountRequested',
  'after:AccountRequested',
  'after:AccountRequestApproved',
  'before:AccountOpened',
  'after:AccountOpened',
  'after:ProvisioningStepDone:1',
  'before:WalletCreated:1',
  'after:WalletCreated:1',
  'after:WalletCreated:2',
  'after:WalletCreated:3',
  'after:ReservationClaimed:4',
  'after:ProvisioningStepDone:2',
  'after:WalletWhitelisted:1',
  'after:WalletWhitelisted:2',
  'before:AccountRequestActivated',
  'after:AccountRequestActivated',
]);
/** The number of embedded clusters that a machine can run in parallel. */
const LANES = 3;

let program: Program;
let cluster: KillableCluster | undefined;
let receiver: WebhookReceiver | undefined;
const runs = new Map<string, Promise<Provisioned>>();

/**
 * With the embedded cluster each point has its own folder and the points run in parallel. On the single cluster of
 * processes they run one after another. Each test below awaits its own run.
 */
beforeAll(async () => {
  program = await Program.build();
  if (CLUSTERED) return onOneCluster();
  const ready = await readyFolder(program);
  const ends: Promise<unknown>[] = [];
  POINTS.forEach((point, index) => {
    const run = (ends[index % LANES] ?? Promise.resolve()).then(() => provisionThroughDeath(program, ready, point));
    // A failure is reported by its own test and does not stop the others.
    ends[index % LANES] = run.catch(() => undefined);
    runs.set(point, run);
  });
});
afterAll(async () => {
  await program.close();
  await receiver?.close();
});

async function onOneCluster(): Promise<void> {
  const killable = (cluster = await KillableCluster.start(program, TALKATIVE));
  const { sandbox } = killable.running;
  const partner = Customer.of(sandbox);
  const heard = (receiver = await startWebhookReceiver());
  heard.useSecret(await new Customer(partner.api, sandbox['account-id']).listen(heard.url));
  await partner.api.close();
  let before: Promise<unknown> = Promise.resolve();
  POINTS.forEach((point, index) => {
    const run = before.then(() => provisionOnCluster(killable, point, index + 1, heard));
    before = run.catch(() => undefined);
    runs.set(point, run);
  });
}

/** The open reservations, computed from the log. */
function held(
  log: readonly Recorded[],
): { readonly kind: string; readonly address: string | null; readonly holderId: string }[] {
  const open = new Map<string, { kind: string; address: string | null; holderId: string; claims: Set<string> }>();
  for (const { type, data } of log) {
    const { reservationId, claimId, kind, address, holderId } = data as ReservationClaimed['data'];
    const now = open.get(reservationId);
    if (type === 'ReservationClaimed') {
      if (now && now.holderId !== holderId) throw new Error(`${reservationId} has two holders`);
      open.set(reservationId, { kind, address, holderId, claims: new Set([...(now?.claims ?? []), claimId]) });
    }
    if (type === 'ReservationClaimReleased') now?.claims.delete(claimId);
    if (type === 'ReservationFreed' || now?.claims.size === 0) open.delete(reservationId);
  }
  return [...open.values()].map(({ kind, address, holderId }) => ({ kind, address, holderId }));
}

const sorted = <T>(things: readonly T[]): string[] => things.map((thing) => JSON.stringify(thing)).sort();

describe('provisioning with kill -9 at each step', () => {
  it.each(POINTS)('killed %s ends with the request active once and one working account', async (point) => {
    const { killedBy, request, answers, accounts, others, externalWallets, brcodes, deposit, webhooks, leaks, log } =
      await (runs.get(point) as Promise<Provisioned>);
    expect(killedBy).toBe('SIGKILL');
    const { id, 'account-id': accountId } = request;
    // The request was posted twice but has one id.
    expect(new Set(answers)).toEqual(new Set([id]));
    for (const type of ['AccountRequested', 'AccountRequestApproved', 'AccountRequestActivated', 'AccountOpened'])
      expect([type, ofType(log, type).length]).toEqual([type, 1]);
    expect(ofType<{ step: string }>(log, 'ProvisioningStepDone').map(({ data }) => data.step)).toEqual([
      'account',
      'wallets',
      'whitelist',
    ]);
    expect(accounts.filter((one) => one.id === accountId)).toMatchObject([{ status: 'active' }]);
    // Accounts that were listed before are still listed.
    expect(accounts).toHaveLength(others + 1);

    const wallets = ofType<WalletCreated['data']>(log, 'WalletCreated').map(({ data }) => data);
    expect(wallets.map(({ accountId: owner }) => owner)).toEqual(CHAINS.map(() => accountId));
    expect(sorted(wallets.map(({ chain }) => chain))).toEqual(sorted(CHAINS));
    expect(
      ofType<WalletWhitelisted['data']>(log, 'WalletWhitelisted').map(({ data: { address, fx } }) => [address, fx]),
    ).toEqual(externalWallets.map((address) => [address, false]));

    // The request holds the person and the two external wallets, the account holds our wallets, and nothing else is
    // held.
    expect(sorted(held(log))).toEqual(
      sorted([
        { kind: 'identifier', address: null, holderId: id },
        ...externalWallets.map((address) => ({ kind: 'wallet', address, holderId: id })),
        ...wallets.map(({ address }) => ({ kind: 'wallet', address, holderId: accountId })),
      ]),
    );

    expect(new Set(brcodes).size).toBe(1);
    expect(deposit).toMatchObject({ status: 'credited', amount: DEPOSIT });
    // Issue 4: no personal data in any log line, stored event, outbox entry, metric and error.
    expect(leaks).toEqual([]);
    const reported = webhooks.filter((one) => one['event-type'] === 'account-approved');
    expect(reported.map((one) => [one.payload['subaccount-id'], one.payload['status']])).toEqual([
      [accountId, 'active'],
    ]);
  });

  itClustered('leaves no personal data in clear text in the files of the cluster', async () => {
    const { running, folder } = cluster as KillableCluster;
    await running.stop();
    expect(leaksOf(folder, POINTS.length)).toEqual([]);
  });
});
