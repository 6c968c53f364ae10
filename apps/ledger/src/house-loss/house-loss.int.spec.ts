import 'reflect-metadata';
import type { TransactionPurpose } from '@ponte/contracts';
import { GetTrialBalance, ReorgedAfterCompletion, TransactionRestored } from '@ponte/contracts';
import type { DomainEvent } from '@ponte/event-sourcing';
import { eventId } from '@ponte/event-sourcing';
import { MemoryEventStore, MemoryLog, eventually, temporaryFolder } from '@ponte/testing';
import { LedgerModule } from '../ledger.module';
import { ACCOUNT, LedgerUnderTest } from '../testing/ledger-under-test';

let folder: ReturnType<typeof temporaryFolder>;
let ledger: LedgerUnderTest<MemoryEventStore>;
beforeEach(async () => {
  folder = temporaryFolder();
  const log = new MemoryLog();
  ledger = new LedgerUnderTest({
    module: LedgerModule,
    folder: folder.path,
    open: () => new MemoryEventStore({ log }),
  });
  await ledger.boot();
});
afterEach(async () => {
  await ledger.stop();
  folder.remove();
});

const AT = '2026-03-01T12:00:00.000Z';
const purpose: TransactionPurpose = {
  kind: 'mint',
  id: 'm',
  orderId: 'o',
  accountId: ACCOUNT,
  asset: 'eth-base/brlv',
  amount: '2.500000000000000000',
  to: '0x1',
};
const place = {
  transactionId: 't',
  chain: 'eth-base',
  purpose,
  from: '0xf',
  nonce: 0,
  txHash: '0xa',
  blockNumber: '9',
  blockHash: '0xb',
} as const;
let revision = -1;
async function happened({ type, data }: DomainEvent): Promise<void> {
  const id = `${type}${(revision += 1)}`;
  await ledger.store.append('chainTransaction-t', revision - 1, [
    {
      id: eventId(id, 0),
      type,
      version: 1,
      data,
      meta: { commandId: id, index: 0, count: 1, occurredAt: AT, correlationId: id },
    },
  ]);
}
const line = async (account: string) =>
  (await ledger.ask(GetTrialBalance, { customers: true })).lines.find((one) => one.account === account)?.amount;

it('what a reorg took from an account is posted to the house, and taken back when the chain has it again; the books stay at zero', async () => {
  await happened(new ReorgedAfterCompletion({ ...place, detectedAt: AT }));
  await eventually(async () => expect(await line('house:loss')).toBe('-2.500000000000000000'));
  expect(await line('house:issuance')).toBe('2.500000000000000000');
  expect(
    (await ledger.ask(GetTrialBalance, { customers: false })).sums.every(({ amount }) => Number(amount) === 0),
  ).toBe(true);
  await happened(new TransactionRestored({ ...place, minedAt: AT, restoredAt: AT, final: true }));
  await eventually(async () => expect(Number((await line('house:loss')) ?? 0)).toBe(0));
});
