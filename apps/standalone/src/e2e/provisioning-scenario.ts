import { cpSync } from 'node:fs';
import type { Recorded } from '@ponte/event-sourcing';
import type { ReceivedWebhook } from '../demo/webhook-receiver';
import { startWebhookReceiver } from '../demo/webhook-receiver';
import { ofType, readLog } from './books';
import { filesIn, givenAway } from './canaries';
import type { Json } from './client';
import { Client } from './client';
import type { Deposit } from './customer';
import { Customer } from './customer';
import type { Env, Program } from './program';
import { SIMULATED } from './program';
import { until } from './waiting';

/** Values that stand nowhere else. The CPF is one that the sandbox approves by itself (contract §13). */
const PERSON = {
  cpf: '90012345695', firstName: 'Quixotilda', lastName: 'Zarabatanova', email: 'quixotilda@zwitscher.example', phone: '+55 31 98887-1717', mother: 'Ermengundis Wolfensbrandt',
  birth: '1971-03-29', street: 'Travessa Xilindrau 4711', postalCode: '69945-123', session: 'session-of-quixotilda',
};
const CANARIES = Object.values(PERSON);
export const EXTERNAL_WALLETS = ['0x00000000000000000000000000000000000000a1', '0x00000000000000000000000000000000000000a2'];
export const DEPOSIT = '10.00';
const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
const REQUESTS = '/api/v1/accounts/kyc/individual';
const DEATH_MS = 60_000;
/** What the ready sandbox has: four accounts with a wallet on each of three chains. */
const READY_WALLETS = 12;
const MAX_STARTS = 5;

export interface AccountRequest extends Json { readonly id: string; readonly 'account-id': string; readonly status: string }

/** What there was to see once the cluster had recovered, and stopped again. */
export interface Provisioned {
  readonly killedBy: NodeJS.Signals | null;
  readonly request: AccountRequest;
  /** Ids of what the partner was answered for its one wish, before the kill and after it. */
  readonly answers: readonly string[];
  readonly accounts: readonly { readonly id: string; readonly status: string }[];
  readonly brcodes: readonly string[];
  readonly deposit: Deposit;
  readonly webhooks: readonly ReceivedWebhook[];
  /** Where something personal stood in clear: files, lines of the log, webhooks, metrics, errors. */
  readonly leaks: readonly (readonly [place: string, canaries: readonly string[]])[];
  /** Everything but what the ready sandbox had written before. */
  readonly log: readonly Recorded[];
}

/** The folder of a sandbox that has made itself ready and has nothing left to do, so that a failpoint counts what follows alone. */
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
  const folder = program.dataFolder();
  cpSync(ready, folder, { recursive: true });
  const before = (await readLog(folder)).length;
  const receiver = await startWebhookReceiver();
  try {
    const doomed = await program.start(folder, { ...TALKATIVE, PONTE_FAILPOINT: failpoint });
    const partner = Client.bearer(doomed.sandbox['base-url'], doomed.sandbox['api-key']);
    const partnerAccount = new Customer(partner, doomed.sandbox['account-id']);
    receiver.useSecret(await partnerAccount.listen(receiver.url));
    const body = await person(partner);
    const early = await partner.send<{ 'account-request': AccountRequest }>('POST', REQUESTS, body).catch(() => undefined);
    const { signal } = await doomed.ended(DEATH_MS);
    await partner.close();
    const seen = await recovered(program, folder, body, receiver);
    const answers = [...(early?.status === 201 ? [early.body['account-request'].id] : []), ...seen.answers];
    const leaks = leaksIn([...filesIn(folder).map(({ name, text }) => [name, text] as const), ['log before', doomed.log + doomed.printed], ...seen.said]);
    return { ...seen, answers, leaks, killedBy: signal, webhooks: receiver.verified, log: (await readLog(folder)).slice(before) };
  } finally {
    await receiver.close();
  }
}

/** Everything that a process could say. */
const TALKATIVE: Env = { ...SIMULATED, PONTE_LOG_LEVEL: 'trace' };

const leaksIn = (places: readonly (readonly [string, string])[]) =>
  places.map(([place, text]) => [place, givenAway(text, CANARIES)] as const).filter(([, found]) => found.length > 0);

async function person(partner: Client): Promise<Json> {
  const { file } = await partner.post<{ file: { id: string } }>('/api/v1/accounts/files', { 'content-base64': PNG, purpose: 'document-front' });
  return {
    identifier: { value: PERSON.cpf, country: 'BRA' }, 'tax-residence': 'BRA', 'reward-tier': 90, 'first-name': PERSON.firstName, 'last-name': PERSON.lastName, email: PERSON.email,
    phone: PERSON.phone, 'date-of-birth': PERSON.birth, 'mother-full-name': PERSON.mother,
    address: { 'postal-code': PERSON.postalCode, line1: PERSON.street, city: 'Manaus', state: 'AM', country: 'BRA' },
    document: { type: 'cnh', 'front-file-id': file.id }, liveness: { id: PERSON.session, provider: 'provider-1' }, pep: { declared: false },
    'financial-profile': { sector: 'other', currency: 'BRL', 'monthly-income': 8500.5 }, 'external-wallets': EXTERNAL_WALLETS,
  };
}

async function recovered(
  program: Program, folder: string, body: Json, receiver: { readonly verified: readonly ReceivedWebhook[] },
): Promise<Pick<Provisioned, 'request' | 'answers' | 'accounts' | 'brcodes' | 'deposit'> & { readonly said: readonly (readonly [string, string])[] }> {
  const running = await program.start(folder, TALKATIVE);
  const partner = Client.bearer(running.sandbox['base-url'], running.sandbox['api-key']);
  const { 'account-request': again } = await until(() => partner.post<{ 'account-request': AccountRequest }>(REQUESTS, body));
  const request = await until(async () => {
    const { 'account-request': now } = await partner.get<{ 'account-request': AccountRequest }>(`${REQUESTS}/${again.id}`);
    if (now.status !== 'active') throw new Error(`the request is ${now.status}: ${JSON.stringify(now)}`);
    return now;
  });
  const account = new Customer(partner, request['account-id']);
  const brcodes = [await codeOf(account), await codeOf(account)];
  const deposit = await account.fund(DEPOSIT);
  const { accounts } = await partner.get<{ accounts: { id: string; status: string }[] }>('/api/v1/accounts');
  await until(() => { if (!receiver.verified.some((one) => one['event-type'] === 'account-approved')) throw new Error('account-approved was not told'); });
  const heard = await answersTo(partner, body);
  await partner.close();
  await running.stop();
  // Contract §12: who paid is told in the clear to the account's own endpoint, in these webhooks and no other.
  const told = receiver.verified.filter((one) => one['event-type'] !== 'deposit-processed');
  return { request, answers: [again.id], accounts, brcodes, deposit, said: [...heard, ['webhooks', JSON.stringify(told)], ['log after', running.log + running.printed]] };
}

/** What the edge says of a person: the request, refusals that know what was wrong, and its metrics. */
async function answersTo(partner: Client, body: Json): Promise<[string, string][]> {
  const wrong: Json[] = [
    { ...body, identifier: { value: `${PERSON.cpf}1`, country: 'BRA' } }, { ...body, identifier: { value: '11144477735', country: 'BRA' }, 'date-of-birth': PERSON.firstName },
    { ...body, identifier: { value: '11144477735', country: 'BRA' }, phone: PERSON.email, 'external-id': PERSON.lastName }, { ...body, address: PERSON.street, document: { type: PERSON.mother }, pep: PERSON.email },
  ];
  const refused = await Promise.all(wrong.map(async (one, at): Promise<[string, string]> => [`refusal ${at}`, (await partner.send('POST', REQUESTS, one)).text]));
  return [...refused, ['request', (await partner.send('POST', REQUESTS, body)).text], ['metrics', (await partner.send('GET', '/metrics')).text]];
}

const codeOf = async (account: Customer): Promise<string> => (await account.api.get<{ brcode: string }>(account.path('/assets/brl/deposits/pix'))).brcode;
