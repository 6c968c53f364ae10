import type { Recorded } from '@ponte/event-sourcing';
import { CHAINS } from '@ponte/kernel';
import { cpfOf } from '../../../../onboarding/src/testing/people';
import type { ReceivedWebhook } from '../../demo/webhook-receiver';
import { startWebhookReceiver } from '../../demo/webhook-receiver';
import { ofType, readLog, readRunningLog } from './trial-balance';
import { filesIn, givenAway } from './canaries';
import type { Json } from './client';
import { Client } from './client';
import type { Deposit } from './customer';
import { Customer } from './customer';
import type { MortalCluster } from './mortal-cluster';
import type { Env, Program } from './program';
import { SIMULATED } from './program';
import { until } from './waiting';

/** Values that occur nowhere else. The CPF is one that the sandbox approves by itself. */
const PERSON = {
  cpf: '90012345695',
  firstName: 'Quixotilda',
  lastName: 'Zarabatanova',
  email: 'quixotilda@zwitscher.example',
  phone: '+55 31 98887-1717',
  mother: 'Ermengundis Wolfensbrandt',
  birth: '1971-03-29',
  street: 'Travessa Xilindrau 4711',
  postalCode: '69945-123',
  session: 'session-of-quixotilda',
};
/** One who asks for an account: the person above, under a tax id, wallets and a liveness session of the asker's own. */
interface Asker {
  readonly cpf: string;
  readonly session: string;
  readonly wallets: readonly string[];
}
const FIRST_CPF = 900_123_457;
const hex = (number: number): string => number.toString(16).padStart(40, '0');
/** The sandbox approves each of them by itself. */
const asker = (at: number): Asker =>
  at === 0
    ? { cpf: PERSON.cpf, session: PERSON.session, wallets: [`0x${hex(0xa1)}`, `0x${hex(0xa2)}`] }
    : {
        cpf: cpfOf(FIRST_CPF + at),
        session: `${PERSON.session}-${at}`,
        wallets: [`0x${hex(0xa00 + at)}`, `0x${hex(0xb00 + at)}`],
      };
const canariesOf = ({ cpf, session }: Asker): string[] => [...Object.values(PERSON), cpf, session];
export const DEPOSIT = '10.00';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const REQUESTS = '/api/v1/accounts/kyc/individual';
const DEATH_MS = 60_000;
/** What the ready sandbox has: four accounts with a wallet on each of three chains. */
const READY_WALLETS = 12;
const MAX_STARTS = 5;
const READY_ACCOUNTS = 2;
const ACCOUNTS = '/api/v1/accounts';
const LOOK_MS = 250;

export interface AccountRequest extends Json {
  readonly id: string;
  readonly 'account-id': string;
  readonly status: string;
}

/** What there was to see once the cluster had recovered, and stopped again. */
export interface Provisioned {
  readonly killedBy: NodeJS.Signals | null;
  readonly request: AccountRequest;
  /** Ids of what the partner was answered for its one command, before the kill and after it. */
  readonly answers: readonly string[];
  readonly accounts: readonly { readonly id: string; readonly status: string }[];
  /** So many of those there had been before. */
  readonly others: number;
  readonly externalWallets: readonly string[];
  readonly brcodes: readonly string[];
  readonly deposit: Deposit;
  readonly webhooks: readonly ReceivedWebhook[];
  /** Where something personal stood in clear: files, lines of the log, webhooks, metrics, errors. */
  readonly leaks: readonly (readonly [place: string, canaries: readonly string[]])[];
  /** Everything but what the ready sandbox had written before. */
  readonly log: readonly Recorded[];
}

/**
 * The folder of a sandbox that has made itself ready and has nothing left to do, so that a failpoint counts what
 * follows alone.
 */
export async function readyFolder(program: Program): Promise<string> {
  const folder = program.dataFolder();
  for (let starts = 0; starts < MAX_STARTS; starts += 1) {
    const running = await program.start(folder);
    await running.stop();
    const log = await readLog(folder);
    const reserved = ofType<{ kind: string }>(log, 'ReservationClaimed').filter(({ data }) => data.kind === 'wallet');
    if (ofType(log, 'WalletCreated').length === READY_WALLETS && reserved.length === READY_WALLETS) return folder;
  }
  throw new Error('the wallets of the ready sandbox are not done');
}

/** One person, posted and approved; the process kills itself on the way, and another goes on in its folder. */
export async function provisionThroughDeath(program: Program, ready: string, failpoint: string): Promise<Provisioned> {
  const folder = program.copyOf(ready);
  const before = (await readLog(folder)).length;
  const receiver = await startWebhookReceiver();
  try {
    const doomed = await program.start(folder, { ...TALKATIVE, PONTE_FAILPOINT: failpoint });
    const partner = Client.bearer(doomed.sandbox['base-url'], doomed.sandbox['api-key']);
    const partnerAccount = new Customer(partner, doomed.sandbox['account-id']);
    receiver.useSecret(await partnerAccount.listen(receiver.url));
    const who = asker(0);
    const body = await person(partner, who);
    const early = await partner
      .send<{ 'account-request': AccountRequest }>('POST', REQUESTS, body)
      .catch(() => undefined);
    const { signal } = await doomed.ended(DEATH_MS);
    await partner.close();
    const running = await program.start(folder, TALKATIVE);
    const again = Client.bearer(running.sandbox['base-url'], running.sandbox['api-key']);
    const seen = await carriedOn(again, who, body, receiver);
    await again.close();
    await running.stop();
    const answers = [...(early?.status === 201 ? [early.body['account-request'].id] : []), ...seen.answers];
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

/** Everything that a process could say. */
export const TALKATIVE: Env = { ...SIMULATED, PONTE_LOG_LEVEL: 'trace' };

const leaksIn = (places: readonly (readonly [string, string])[], canaries: readonly string[]) =>
  places.map(([place, text]) => [place, givenAway(text, canaries)] as const).filter(([, found]) => found.length > 0);

/** Where on a cluster that has stopped something personal of any of so many askers stands in clear. */
export const leaksOf = (folder: string, askers: number): Provisioned['leaks'] =>
  leaksIn(
    filesIn(folder).map(({ name, text }) => [name, text] as const),
    [...new Set(Array.from({ length: askers + 1 }, (_, at) => canariesOf(asker(at))).flat())],
  );

/**
 * The same on a cluster of processes on which others were killed before; `at` numbers the caller. The receiver gets the
 * partner's webhooks.
 */
export async function provisionOnCluster(
  cluster: MortalCluster,
  failpoint: string,
  at: number,
  receiver: Heard,
): Promise<Provisioned> {
  const { running, folder } = cluster;
  const who = asker(at);
  const partner = Client.bearer(running.sandbox['base-url'], running.sandbox['api-key']);
  const { accounts } = await partner.get<{ accounts: object[] }>(ACCOUNTS);
  const [before, said] = [(await readRunningLog(folder)).length, running.log.length];
  const body = await person(partner, who);
  const death = await cluster.doom(failpoint);
  const early = await partner
    .send<{ 'account-request': AccountRequest }>('POST', REQUESTS, body)
    .catch(() => undefined);
  const killedBy = await death();
  const seen = await carriedOn(partner, who, body, receiver);
  await partner.close();
  const log = await quiet(folder, seen.request['account-id']);
  return {
    ...seen,
    others: accounts.length,
    externalWallets: who.wallets,
    killedBy,
    answers: [...(early?.status === 201 ? [early.body['account-request'].id] : []), ...seen.answers],
    leaks: leaksIn([...seen.said, ['log', running.log.slice(said)]], canariesOf(who)),
    log: log.slice(before),
    webhooks: receiver.verified.filter((one) => one.payload['subaccount-id'] === seen.request['account-id']),
  };
}

/** The log once the wallets of the account are reserved for it, which nothing that a partner sees waits for. */
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
    LOOK_MS,
  );

type Heard = { readonly verified: readonly ReceivedWebhook[] };

async function person(partner: Client, { cpf, session, wallets }: Asker): Promise<Json> {
  const { file } = await partner.post<{ file: { id: string } }>('/api/v1/accounts/files', {
    'content-base64': PNG,
    purpose: 'document-front',
  });
  return {
    identifier: { value: cpf, country: 'BRA' },
    'tax-residence': 'BRA',
    'reward-tier': 90,
    'first-name': PERSON.firstName,
    'last-name': PERSON.lastName,
    email: PERSON.email,
    phone: PERSON.phone,
    'date-of-birth': PERSON.birth,
    'mother-full-name': PERSON.mother,
    address: { 'postal-code': PERSON.postalCode, line1: PERSON.street, city: 'Manaus', state: 'AM', country: 'BRA' },
    document: { type: 'cnh', 'front-file-id': file.id },
    liveness: { id: session, provider: 'provider-1' },
    pep: { declared: false },
    'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 8500.5 },
    'external-wallets': wallets,
  };
}

type Seen = Pick<Provisioned, 'request' | 'answers' | 'accounts' | 'brcodes' | 'deposit'> & {
  readonly said: readonly (readonly [string, string])[];
};

/** The command once more, until the account is there and works. */
async function carriedOn(partner: Client, who: Asker, body: Json, receiver: Heard): Promise<Seen> {
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
    if (!receiver.verified.some(approved)) throw new Error('account-approved was not told');
  });
  const heard = await answersTo(partner, who, body);
  // The payer is named in clear text only in these webhooks, to the account's own endpoint.
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

/** What the edge says of a person: the request, and refusals that know what was wrong. */
async function answersTo(partner: Client, { cpf }: Asker, body: Json): Promise<[string, string][]> {
  const wrong: Json[] = [
    { ...body, identifier: { value: `${cpf}1`, country: 'BRA' } },
    { ...body, identifier: { value: '11144477735', country: 'BRA' }, 'date-of-birth': PERSON.firstName },
    {
      ...body,
      identifier: { value: '11144477735', country: 'BRA' },
      phone: PERSON.email,
      'external-id': PERSON.lastName,
    },
    { ...body, address: PERSON.street, document: { type: PERSON.mother }, pep: PERSON.email },
  ];
  const refused = await Promise.all(
    wrong.map(async (one, at): Promise<[string, string]> => [
      `refusal ${at}`,
      (await partner.send('POST', REQUESTS, one)).text,
    ]),
  );
  return [...refused, ['request', (await partner.send('POST', REQUESTS, body)).text]];
}

const codeOf = async (account: Customer): Promise<string> =>
  (await account.api.get<{ brcode: string }>(account.path('/deposits/pix'))).brcode;
