import 'reflect-metadata';
import type { IncomingTransfer, IncomingTransfersEvent } from '@ponte/contracts';
import {
  GetAnyDeposit,
  GetBalance,
  GetUncreditedTokens,
  IncomingTransfersConfirmed,
  IncomingTransfersFinalized,
  IncomingTransfersReorged,
  IncomingTransfersSeen,
  ListAllDeposits,
  ListDeposits,
} from '@ponte/contracts';
import { eventId } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ACCOUNT } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';

const ledger = ledgerForEachTest({ booksBalance: true });
let revisions: Map<string, number>;
beforeEach(() => {
  revisions = new Map();
});

const NOW = '2026-11-20T12:00:00.000Z';
const BLOCK = { chain: 'eth-base' as const, blockNumber: '7', blockHash: '0xb' };
const idOf = (name: string) => derivedId('deposit', name);
const transfer = (name: string, amount = '5.000000'): IncomingTransfer => ({
  depositId: idOf(name),
  accountId: ACCOUNT,
  parentId: null,
  walletId: 'w',
  asset: 'eth-base/usdc',
  amount,
  from: '0x1',
  to: '0x2',
  txHash: `0x${name}`,
  logIndex: 0,
});
const seen = (...names: string[]) =>
  new IncomingTransfersSeen({ ...BLOCK, minedAt: NOW, sighting: 1, transfers: names.map((name) => transfer(name)) });
const confirmed = (...names: string[]) => new IncomingTransfersConfirmed({ ...BLOCK, depositIds: names.map(idOf) });
const final = (...names: string[]) => new IncomingTransfersFinalized({ ...BLOCK, depositIds: names.map(idOf) });
const reorged = (...names: string[]) => new IncomingTransfersReorged({ ...BLOCK, depositIds: names.map(idOf) });

/** Appends an event about a block, as the movements service does. */
async function reported(event: IncomingTransfersEvent, block = 'one'): Promise<void> {
  const stream = `incomingTransfers-eth-base_${block}`;
  const revision = revisions.get(block) ?? -1;
  revisions.set(block, revision + 1);
  const commandId = derivedId(stream, String(revision));
  const meta = { commandId, index: 0, count: 1, occurredAt: NOW, correlationId: commandId };
  await ledger.store.append(stream, revision, [
    { id: eventId(commandId, 0), type: event.type, version: 1, data: event.data, meta },
  ]);
}

const PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
const ANY = { assets: ['eth-base/usdc' as const], status: null, type: null, endToEndId: null, txHash: null };
const deposits = async () => (await ledger.ask(ListDeposits, { accountId: ACCOUNT, filters: ANY, page: PAGE })).items;
const statuses = async () => Object.fromEntries((await deposits()).map(({ id, status }) => [id, status]));
const running = async () => (await ledger.ask(GetBalance, { accountId: ACCOUNT, assets: ['eth-base/usdc'] })).running;
const uncredited = async () => (await ledger.ask(GetUncreditedTokens, {})).amounts;

describe('Tokens from outside', () => {
  it('are a deposit as soon as they are seen, and in the balance only once their block is final', async () => {
    await reported(seen('a'));
    await eventually(async () =>
      expect(await deposits()).toMatchObject([
        {
          id: idOf('a'),
          type: 'token',
          status: 'created',
          amount: '5.000000',
          processedAt: null,
          coordinates: {
            sourceChain: 'eth-base',
            sourceAddress: '0x1',
            targetAddress: '0x2',
            txHash: '0xa',
            movementId: null,
          },
        },
      ]),
    );
    await reported(confirmed('a'));
    await eventually(async () => expect(await statuses()).toEqual({ [idOf('a')]: 'confirmed' }));
    await ledger.tick();
    expect([await running(), await uncredited()]).toEqual([
      '0.000000',
      [{ asset: 'eth-base/usdc', amount: '5.000000' }],
    ]);
    await reported(final('a'));
    await eventually(async () => expect(await statuses()).toEqual({ [idOf('a')]: 'credited' }));
    expect([await running(), await uncredited()]).toEqual(['5.000000', []]);
    expect(await ledger.types('deposit-')).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositFinalized',
      'DepositCredited',
    ]);
  });

  it('are voided without ever being in a balance if their block is replaced, and stay once final', async () => {
    await reported(seen('a', 'b'));
    await reported(confirmed('a'));
    await reported(reorged('a'));
    await reported(final('a', 'b'));
    await reported(reorged('b'));
    await eventually(async () => expect(await statuses()).toEqual({ [idOf('a')]: 'voided', [idOf('b')]: 'credited' }));
    expect((await deposits()).find(({ id }) => id === idOf('a'))).toMatchObject({ voidReason: 'reorged' });
    expect(await running()).toBe('5.000000');
  });

  it('stay confirmed while the account is frozen, and are credited when it is released', async () => {
    ledger.status.set(ACCOUNT, 'frozen');
    await reported(seen('a'));
    await reported(final('a'));
    await eventually(async () => expect(await statuses()).toEqual({ [idOf('a')]: 'confirmed' }));
    await ledger.tick();
    expect([await running(), await uncredited()]).toEqual([
      '0.000000',
      [{ asset: 'eth-base/usdc', amount: '5.000000' }],
    ]);
    ledger.status.set(ACCOUNT, 'active');
    await ledger.tick();
    await eventually(async () => expect(await statuses()).toEqual({ [idOf('a')]: 'credited' }));
    expect(await running()).toBe('5.000000');
  });

  it('are shown to staff, in the list of all accounts and one by one', async () => {
    await reported(seen('a'));
    await eventually(async () =>
      expect((await ledger.ask(ListAllDeposits, { accountId: null, filters: ANY, page: PAGE })).items).toMatchObject([
        { id: idOf('a'), accountId: ACCOUNT },
      ]),
    );
    await expect(ledger.ask(GetAnyDeposit, { depositId: idOf('a') })).resolves.toMatchObject({ status: 'created' });
    await expect(ledger.ask(GetAnyDeposit, { depositId: idOf('none') })).resolves.toBeNull();
    expect(
      (await ledger.ask(ListAllDeposits, { accountId: derivedId('other'), filters: ANY, page: PAGE })).items,
    ).toEqual([]);
  });
});
