import type { WebhookReceiver } from '../demo/webhook-receiver';
import { ofType, readLog } from './testing/trial-balance';
import type { Answer, Json } from './testing/client';
import { complaintsIn } from './testing/complaints';
import { codeOf, succeeded } from './testing/client';
import type { Customer } from './testing/customer';
import { certificateOwnerOnChain } from './testing/on-chain';
import type { Running } from './testing/program';
import { ANVIL, SUITE_MS } from './testing/program';
import { until } from './testing/waiting';
import { SandboxSuite } from './testing/sandbox-suite';

jest.setTimeout(SUITE_MS);

interface Certificate extends Json {
  readonly id: string;
  readonly status: string;
  readonly 'wallet-address': string;
  readonly amount: string;
  readonly 'reward-tier': number;
}
interface Transfer extends Json {
  readonly id: string;
  readonly state: string;
  readonly 'tx-hash': string | null;
}
type Created = Answer<{ readonly transfer: Transfer }>;

const OUTSIDE = `0x${'cd'.repeat(20)}`;

let running: Running;
let suite: SandboxSuite;
let customer: Customer;
let partner: Customer;
let receiver: WebhookReceiver;
let source: string;
let target: string;

beforeAll(async () => {
  suite = await SandboxSuite.start(ANVIL);
  ({ running, customer, partner, wallet: source } = suite);
  receiver = await suite.receiverOf(partner);
  const { wallets } = await partner.api.get<{ wallets: { address: string }[] }>(
    partner.path('/wallets?assets=eth-base/brlv'),
  );
  target = wallets[0]?.address ?? '';
});
afterAll(() => suite.close());

const certificatesOf = async (owner: Customer, query = ''): Promise<Certificate[]> =>
  (await owner.api.get<{ 'reward-certificates': Certificate[] }>(owner.path(`/reward-certificates${query}`)))[
    'reward-certificates'
  ];
const send = (
  id: string,
  to: string,
  more: Json = {},
  key?: string,
  path = customer.path('/nft-transfers'),
): Promise<Created> =>
  customer.api.send(
    'POST',
    path,
    { 'source-address': source, 'target-address': to, 'reward-certificate-id': id, ...more },
    key === undefined ? {} : { 'idempotency-key': key },
  );

async function issued(): Promise<Certificate> {
  const wanted = { 'account-id': customer.accountId, 'wallet-address': source, amount: '250' };
  const answer = await customer.api.post<{ 'reward-certificate': Certificate }>(
    '/api/v1/sandbox/reward-certificates',
    wanted,
  );
  const { id } = answer['reward-certificate'];
  return until(async () => {
    const found = (await certificatesOf(customer)).find((one) => one.id === id);
    if (found?.status !== 'active') throw new Error(`the certificate is ${found?.status}`);
    return found;
  });
}

async function ended(id: string, owner = customer): Promise<Transfer> {
  return until(async () => {
    const { transfer } = await owner.api.get<{ transfer: Transfer }>(owner.path(`/nft-transfers/${id}`));
    if (transfer.state !== 'completed' && transfer.state !== 'failed')
      throw new Error(`the transfer has not ended: ${JSON.stringify(transfer)}`);
    return transfer;
  });
}

describe('a reward certificate', () => {
  it('is minted to the wallet, listed with filters and transferred to another account, which can transfer it', async () => {
    const certificate = await issued();
    expect(certificate).toMatchObject({ 'wallet-address': source, amount: `250.${'0'.repeat(18)}`, 'reward-tier': 90 });
    expect(await certificateOwnerOnChain(running.dataDirectory, certificate.id)).toBe(source);
    const { transfer } = succeeded(await send(certificate.id, target, { 'external-id': 'gift-1' }, 'gift'));
    expect(transfer).toMatchObject({
      state: 'created',
      'reward-certificate-id': certificate.id,
      'source-address': source,
      'target-address': target,
      'tx-hash': null,
    });
    expect(codeOf(await send(certificate.id, OUTSIDE))).toBe('422 certificate-not-owned');
    const endedTransfer = await ended(transfer.id);
    expect(endedTransfer).toMatchObject({ state: 'completed', 'external-id': 'gift-1' });
    expect(await certificateOwnerOnChain(running.dataDirectory, certificate.id)).toBe(target);
    expect((await certificatesOf(customer, '?status=transferred')).map(({ id }) => id)).toContain(certificate.id);
    expect(await certificatesOf(partner, `?wallet-address=${target}&status=active`)).toMatchObject([
      { id: certificate.id, 'wallet-address': target },
    ]);
    await until(() => {
      const reported = receiver.verified.filter((one) => one['resource-id'] === transfer.id);
      expect(reported.map((one) => [one['event-type'], one.sequence])).toEqual([['nft-transfer-completed', 1]]);
    });
    const queries = [
      '?external-id=gift-1',
      `?tx-hash=${endedTransfer['tx-hash']}`,
      `?reward-certificate-id=${certificate.id}&state=completed`,
      `?target-address=${target}`,
    ];
    const lists = await Promise.all(
      queries.map(async (query) =>
        (await customer.api.get<{ transfers: Transfer[] }>(customer.path(`/nft-transfers${query}`))).transfers.map(
          ({ id }) => id,
        ),
      ),
    );
    expect(lists).toEqual(queries.map(() => [transfer.id]));
    expect(codeOf(await customer.api.send('GET', partner.path(`/nft-transfers/${transfer.id}`)))).toBe(
      '404 transfer-not-found',
    );
    // Transfers the certificate back with v0, where the partner acts on its own account.
    const on = succeeded(
      await send(certificate.id, source, { 'source-address': target }, undefined, '/api/v0/nft-transfers'),
    );
    expect(await ended(on.transfer.id, partner)).toMatchObject({ state: 'completed' });
    await until(async () =>
      expect((await certificatesOf(customer)).filter(({ id }) => id === certificate.id)).toMatchObject([
        { status: 'active' },
      ]),
    );
    const { transfers } = await customer.api.get<{ transfers: Transfer[] }>('/api/v0/nft-transfers');
    expect(transfers.map(({ id }) => id)).toEqual([on.transfer.id]);
  });

  it('has transfers refused with the documented codes', async () => {
    const { id } = await issued();
    const mixed = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('A', 'a');
    const unknown = '0190f8a0-0000-7000-8000-00000000dead';
    const cases: [Json, string][] = [
      [{ 'target-address': '0x12' }, '422 invalid-address'],
      [{ 'target-address': mixed }, '422 bad-address-checksum'],
      [{ 'target-address': source }, '422 same-source-and-target'],
      [{ 'source-address': target }, '422 source-wallet-not-owned'],
      [{ 'reward-certificate-id': unknown }, '422 certificate-not-owned'],
      [{ 'reward-certificate-id': 'x' }, '400 invalid-format'],
      [{ amount: '1' }, '400 unknown-field'],
      [{ 'external-id': 'gift-1' }, '422 external-id-already-used'],
    ];
    for (const [change, code] of cases)
      expect([change, codeOf(await send(id, OUTSIDE, change))]).toEqual([change, code]);
    const foreign = { 'account-id': customer.accountId, 'wallet-address': OUTSIDE, amount: '1' };
    expect(codeOf(await customer.api.send('POST', '/api/v1/sandbox/reward-certificates', foreign))).toBe(
      '422 wallet-not-allowed',
    );
    expect(await certificatesOf(customer, '?status=transferring')).toEqual([]);
  });

  it('is transferred once under one key and by one of 32 parallel requests', async () => {
    const [one, two] = [await issued(), await issued()];
    const twins = await Promise.all(
      Array.from({ length: 10 }, () =>
        customer.api.persist<{ transfer: Transfer }>(
          customer.path('/nft-transfers'),
          { 'source-address': source, 'target-address': OUTSIDE, 'reward-certificate-id': one.id },
          'twins',
        ),
      ),
    );
    expect(new Set(twins.map(({ text }) => text)).size).toBe(1);
    expect(codeOf(await send(two.id, OUTSIDE, {}, 'twins'))).toBe('422 idempotency-key-reused');
    const answers = await Promise.all(Array.from({ length: 32 }, (_, at) => send(two.id, OUTSIDE, {}, `rival-${at}`)));
    const codes = answers.map((answer) => (answer.status === 200 ? '200' : codeOf(answer)));
    expect([codes.filter((code) => code === '200').length, new Set(codes)]).toEqual([
      1,
      new Set(['200', '422 certificate-not-owned']),
    ]);
    const won = answers.find(({ status }) => status === 200);
    expect(await ended(won?.body.transfer.id ?? '')).toMatchObject({ state: 'completed' });
    expect(await certificateOwnerOnChain(running.dataDirectory, two.id)).toBe(OUTSIDE);
    await ended(twins[0]?.body.transfer.id ?? '');
    await running.stop();
    const log = await readLog(running.dataDirectory);
    const completed = ofType<{ transferId: string }>(log, 'NftTransferCompleted').map(({ data }) => data.transferId);
    expect([new Set(completed).size, ofType(log, 'NftTransferFailed')]).toEqual([completed.length, []]);
    expect(ofType(log, 'CertificateDelivered')).toHaveLength(completed.length);
    expect(complaintsIn(running.log)).toEqual([]);
  });
});
