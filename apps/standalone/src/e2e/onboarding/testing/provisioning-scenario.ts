import type { Recorded } from '@ponte/event-sourcing';
import { CHAINS } from '@ponte/kernel';
import type { ReceivedWebhook } from '../../../demo/webhook-receiver';
import { startWebhookReceiver } from '../../../demo/webhook-receiver';
import { ofType, readLog, readRunningLog } from '../../testing/trial-balance';
import { filesIn } from '../../testing/canaries';
import type { Json } from '../../testing/client';
import { Client } from '../../testing/client';
import type { Deposit } from '../../testing/customer';
import { Customer } from '../../testing/customer';
import type { KillableCluster } from '../../testing/killable-cluster';
import type { Env, Program } from '../../testing/program';
import { SIMULATED } from '../../testing/program';
import { until } from '../../testing/waiting';
import type { Applicant } from './applicant';
import { responsesToVariants, applicant, canariesOf, person, REQUESTS } from './applicant';
import type { Leak } from './leaks';
import { leaksIn } from './leaks';

const DEATH_MS = 60_000;

const READY_ACCOUNTS = 2;
const ACCOUNTS = '/api/v1/accounts';
const POLL_MS = 250;
export const DEPOSIT = '10.00';

interface AccountRequest extends Json {
  readonly id: string;
  readonly 'account-id': string;
  readonly status: string;
}

/** The observed state after the cluster has recovered and stopped again. */
export interface Provisioned {
  readonly killedBy: NodeJS.Signals | null;
  readonly request: AccountRequest;
  /** The request ids in the responses to the partner's one command, before and after the kill. */
  readonly answers: readonly string[];
  readonly accounts: readonly { readonly id: string; readonly status: string }[];
  /** The number of accounts that existed before. */
  readonly others: number;
  readonly externalWallets: readonly string[];
  readonly brcodes: readonly string[];
  readonly deposit: Deposit;
  readonly webhooks: readonly ReceivedWebhook[];
  /** Places with personal values in clear text: files, log lines, webhooks, metrics and errors. */
  readonly leaks: readonly Leak[];
  /** All events after those of the prepared sandbox. */
  readonly log: readonly Recorded[];
}

/**
 * Requests an account for one person, who is approved automatically. The process kills itself at the failpoint, and
 * another one continues in its folder.
 */
export async function provisionThroughDeath(program: Program, ready: string, failpoint: string): Promise<Provisioned> {
  const folder = program.copyOf(ready);
  const before = (await readLog(folder)).length;
  const receiver = await startWebhookReceiver();
  try {
    const doomed = await program.start(folder, { ...TALKATIVE, PONTE_FAILPOINT: failpoint });
    const partner = Client.bearer(doomed.sandbox['base-url'], doomed.sandbox['api-key']);
    const partnerAccount = new Customer(partner, doomed.sandbox['account-id']);
    receiver.useSecret(await partnerAccount.listen(receiver.url));
    const who = applicant(0);
    const body = await person(partner, who);
    const early = await firstRequestIds(partner, body);
    const { signal } = await doomed.ended(DEATH_MS);
    await partner.close();
    const running = await program.start(folder, TALKATIVE);
    const again = Client.bearer(running.sandbox['base-url'], running.sandbox['api-key']);
    const seen = await resume(again, who, body, receiver);
    await again.close();
    await running.stop();
    const answers = [...early, ...seen.answers];
    const said = [
      ...seen.said,
      ['log before', doomed.log + doomed.printed],
      ['log after', running.log + running.printed],
    ] as const;
    const leaks = leaksIn(
      [...filesIn(folder).map(({ name, text }) => [name, text] as const), ...said],
      canariesOf(who),
    );
    return {
      ...seen,
      others: READY_ACCOUNTS,
      externalWallets: who.wallets,
      answers,
      leaks,
      killedBy: signal,
      webhooks: receiver.verified,
      log: (await readLog(folder)).slice(before),
    };
  } finally {
    await receiver.close();
  }
}

/** The settings for the most verbose log. */
export const TALKATIVE: Env = { ...SIMULATED, PONTE_LOG_LEVEL: 'trace' };

/** The same on a shared cluster; `at` is the number of the applicant. The receiver gets the partner's webhooks. */
export async function provisionOnCluster(
  cluster: KillableCluster,
  failpoint: string,
  at: number,
  receiver: Heard,
): Promise<Provisioned> {
  const { running, folder } = cluster;
  const who = applicant(at);
  const partner = Client.bearer(running.sandbox['base-url'], running.sandbox['api-key']);
  const { accounts } = await partner.get<{ accounts: object[] }>(ACCOUNTS);
  const [before, said] = [(await readRunningLog(folder)).length, running.log.length];
  const body = await person(partner, who);
  const death = await cluster.armFailpoint(failpoint);
  const early = await firstRequestIds(partner, body);
  const killedBy = await death();
  const seen = await resume(partner, who, body, receiver);
  await partner.close();
  const log = await quiet(folder, seen.request['account-id']);
  return {
    ...seen,
    others: accounts.length,
    externalWallets: who.wallets,
    killedBy,
    answers: [...early, ...seen.answers],
    leaks: leaksIn([...seen.said, ['log', running.log.slice(said)]], canariesOf(who)),
    log: log.slice(before),
    webhooks: receiver.verified.filter((one) => one.payload['subaccount-id'] === seen.request['account-id']),
  };
}

/** Returns the log after the account's wallets have been reserved, which no partner-visible state waits for. */
const quiet = (folder: string, accountId: string): Promise<Recorded[]> =>
  until(
    async () => {
      const log = await readRunningLog(folder);
      const reserved = ofType<{ kind: string; holderId: string }>(log, 'ReservationClaimed').filter(
        ({ data }) => data.kind === 'wallet' && data.holderId === accountId,
      );
      if (reserved.length < CHAINS.length) throw new Error(`${reserved.length} wallets of the account are reserved`);
      return log;
    },
    undefined,
    POLL_MS,
  );

/** The request id in the response to the first command, if it was answered before the kill. */
async function firstRequestIds(partner: Client, body: Json): Promise<string[]> {
  const early = await partner
    .send<{ 'account-request': AccountRequest }>('POST', REQUESTS, body)
    .catch(() => undefined);
  return early?.status === 201 ? [early.body['account-request'].id] : [];
}

type Heard = { readonly verified: readonly ReceivedWebhook[] };

type Seen = Pick<Provisioned, 'request' | 'answers' | 'accounts' | 'brcodes' | 'deposit'> & {
  readonly said: readonly (readonly [string, string])[];
};

/** Repeats the command and waits until the account is active and works. */
async function resume(partner: Client, who: Applicant, body: Json, receiver: Heard): Promise<Seen> {
  const { 'account-request': again } = await until(() =>
    partner.post<{ 'account-request': AccountRequest }>(REQUESTS, body),
  );
  const request = await until(async () => {
    const { 'account-request': now } = await partner.get<{ 'account-request': AccountRequest }>(
      `${REQUESTS}/${again.id}`,
    );
    if (now.status !== 'active') throw new Error(`the request is ${now.status}: ${JSON.stringify(now)}`);
    return now;
  });
  const account = new Customer(partner, request['account-id']);
  const brcodes = [await codeOf(account), await codeOf(account)];
  const deposit = await account.fund(DEPOSIT);
  const { accounts } = await partner.get<{ accounts: { id: string; status: string }[] }>(ACCOUNTS);
  const approved = (one: ReceivedWebhook): boolean =>
    one['event-type'] === 'account-approved' && one.payload['subaccount-id'] === account.accountId;
  await until(() => {
    if (!receiver.verified.some(approved)) throw new Error('the account-approved webhook has not arrived');
  });
  const heard = await responsesToVariants(partner, who, body);
  // Only deposit-processed webhooks name the payer in clear text, to the account's own endpoint.
  const reported = receiver.verified.filter((one) => one['event-type'] !== 'deposit-processed');
  return {
    request,
    answers: [again.id],
    accounts,
    brcodes,
    deposit,
    said: [...heard, ['webhooks', JSON.stringify(reported)]],
  };
}

const codeOf = async (account: Customer): Promise<string> =>
  (await account.api.get<{ brcode: string }>(account.path('/deposits/pix'))).brcode;
