import { ofType, readLog } from '../testing/trial-balance';
import { succeeded } from '../testing/client';
import { Customer } from '../testing/customer';
import { certificateOwnerOnChain } from '../testing/on-chain';
import { ANVIL, Program, SUITE_MS } from '../testing/program';
import { until } from '../testing/waiting';

jest.setTimeout(SUITE_MS);

interface Certificates {
  readonly 'reward-certificates': readonly { readonly id: string; readonly status: string }[];
}
interface Transfer {
  readonly id: string;
  readonly state: string;
}
interface Wallets {
  readonly wallets: readonly { readonly address: string }[];
}

const DEATH_MS = 60_000;
/** Longer than the 30 s for which an interrupted request keeps its key locked. */
const RETRY_MS = 90_000;
/** The appends at which the process kills itself, in the order of the steps of an NFT transfer to another account. */
const POINTS = [
  'before:CertificateTransferOpened',
  'after:CertificateTransferOpened',
  'before:NftTransferCreated',
  'after:NftTransferCreated',
  'after:NftTransferSendingStarted',
  'after:TransactionIntended',
  'after:NoncesAllocated',
  'before:TransactionSigned',
  'after:TransactionSigned',
  'after:NftTransferPending',
  'before:TransactionConfirmed',
  'after:TransactionConfirmed',
  'before:CertificateDelivered',
  'after:CertificateDelivered',
  'before:NftTransferCompleted',
  'after:NftTransferCompleted',
] as const;

let program: Program;
beforeAll(async () => {
  program = await Program.build();
});
afterAll(() => program.close());

const listed = (owner: Customer) => owner.api.get<Certificates>(owner.path('/reward-certificates'));

/** Prepares a folder whose sub-account has a certificate and in which nothing is in progress. */
async function prepared() {
  const folder = program.dataFolder();
  const running = await program.start(folder, ANVIL);
  const customer = Customer.of(running.sandbox);
  const partner = new Customer(customer.api, running.sandbox['account-id']);
  const source = running.sandbox['wallet-address'];
  await customer.api.post('/api/v1/sandbox/reward-certificates', {
    'account-id': customer.accountId,
    'wallet-address': source,
    amount: '10',
  });
  const certificate = await until(async () => {
    const [found] = (await listed(customer))['reward-certificates'];
    if (found?.status !== 'active') throw new Error(`the certificate is ${found?.status}`);
    return found;
  });
  const { wallets } = await partner.api.get<Wallets>(partner.path('/wallets?assets=eth-base/brlv'));
  await customer.api.close();
  await running.stop();
  return { folder, source, target: wallets[0]?.address ?? '', certificateId: certificate.id };
}

it.each(POINTS)(
  'an NFT transfer to another account is executed once when the process is killed %s',
  async (failpoint) => {
    const { folder, source, target, certificateId } = await prepared();
    const body = { 'source-address': source, 'target-address': target, 'reward-certificate-id': certificateId };
    const key = { 'idempotency-key': 'the-one-transfer' };
    const doomed = await program.start(folder, { ...ANVIL, PONTE_FAILPOINT: failpoint });
    const before = Customer.of(doomed.sandbox);
    await before.api.send('POST', before.path('/nft-transfers'), body, key).catch(() => undefined);
    expect((await doomed.ended(DEATH_MS)).signal).toBe('SIGKILL');
    await before.api.close();

    const running = await program.start(folder, ANVIL);
    const customer = Customer.of(running.sandbox);
    const partner = new Customer(customer.api, running.sandbox['account-id']);
    const ask = () => customer.api.send<{ transfer: Transfer }>('POST', customer.path('/nft-transfers'), body, key);
    const { transfer } = await until(async () => succeeded(await ask()), RETRY_MS);
    await until(async () => {
      const { transfers } = await customer.api.get<{ transfers: Transfer[] }>(customer.path('/nft-transfers'));
      expect(transfers.map(({ id, state }) => [id, state])).toEqual([[transfer.id, 'completed']]);
    });
    // Rows that the killed process did not write appear with some delay.
    await until(async () => {
      expect((await listed(partner))['reward-certificates']).toMatchObject([{ id: certificateId, status: 'active' }]);
      expect((await listed(customer))['reward-certificates']).toMatchObject([
        { id: certificateId, status: 'transferred' },
      ]);
    });
    expect(await certificateOwnerOnChain(folder, certificateId)).toBe(target);
    await customer.api.close();
    await running.stop();
    const log = await readLog(folder);
    for (const type of [
      'CertificateTransferOpened',
      'NftTransferCreated',
      'CertificateDelivered',
      'NftTransferCompleted',
    ]) {
      expect([type, ofType(log, type).length]).toEqual([type, 1]);
    }
  },
);
