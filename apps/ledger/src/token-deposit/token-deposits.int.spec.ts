import 'reflect-metadata';
import { GetAnyDeposit, GetUncreditedTokens, ListAllDeposits } from '@ponte/contracts';
import { derivedId } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { ACCOUNT } from '../testing/ledger-under-test';
import {
  FIRST_PAGE,
  ReportedTransfers,
  USDC_DEPOSITS,
  confirmed,
  depositIdOf,
  final,
  reorged,
  seen,
} from '../testing/reported-transfers';

const ledger = ledgerForEachTest({ booksBalance: true });
let tokens: ReportedTransfers;
beforeEach(() => {
  tokens = new ReportedTransfers(ledger);
});

const uncredited = async () => (await ledger.ask(GetUncreditedTokens, {})).amounts;
const finalOnes = async () => (await ledger.ask(GetUncreditedTokens, {})).final;

describe('Tokens from outside', () => {
  it('are a deposit as soon as they are seen, and in the balance only once their block is final', async () => {
    await tokens.report(seen('a'));
    await eventually(async () =>
      expect(await tokens.deposits()).toMatchObject([
        {
          id: depositIdOf('a'),
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
    await tokens.report(confirmed('a'));
    await eventually(async () => expect(await tokens.statuses()).toEqual({ [depositIdOf('a')]: 'confirmed' }));
    await ledger.tick();
    expect([await tokens.running(), await uncredited()]).toEqual([
      '0.000000',
      [{ asset: 'eth-base/usdc', amount: '5.000000' }],
    ]);
    await tokens.report(final('a'));
    await eventually(async () => expect(await tokens.statuses()).toEqual({ [depositIdOf('a')]: 'credited' }));
    expect([await tokens.running(), await uncredited()]).toEqual(['5.000000', []]);
    expect(await ledger.types('deposit-')).toEqual([
      'DepositCreated',
      'DepositConfirmed',
      'DepositFinalized',
      'DepositCredited',
    ]);
  });

  it('are voided without ever being in a balance if their block is replaced, and stay once final', async () => {
    await tokens.report(seen('a', 'b'));
    await tokens.report(confirmed('a'));
    await tokens.report(reorged('a'));
    await tokens.report(final('a', 'b'));
    await tokens.report(reorged('b'));
    await eventually(async () =>
      expect(await tokens.statuses()).toEqual({ [depositIdOf('a')]: 'voided', [depositIdOf('b')]: 'credited' }),
    );
    expect((await tokens.deposits()).find(({ id }) => id === depositIdOf('a'))).toMatchObject({
      voidReason: 'reorged',
    });
    expect(await tokens.running()).toBe('5.000000');
  });

  it('stay confirmed while the account is frozen, and are credited when it is released', async () => {
    ledger.status.set(ACCOUNT, 'frozen');
    await tokens.report(seen('a'));
    await eventually(async () => expect(await uncredited()).toHaveLength(1));
    expect(await finalOnes()).toEqual([]);
    await tokens.report(final('a'));
    await eventually(async () => expect(await tokens.statuses()).toEqual({ [depositIdOf('a')]: 'confirmed' }));
    await ledger.tick();
    expect([await tokens.running(), await uncredited()]).toEqual([
      '0.000000',
      [{ asset: 'eth-base/usdc', amount: '5.000000' }],
    ]);
    // Their block cannot be replaced any more, so they are in the wallet.
    await eventually(async () => expect(await finalOnes()).toEqual([{ asset: 'eth-base/usdc', amount: '5.000000' }]));
    ledger.status.set(ACCOUNT, 'active');
    await ledger.tick();
    await eventually(async () => expect(await tokens.statuses()).toEqual({ [depositIdOf('a')]: 'credited' }));
    expect(await tokens.running()).toBe('5.000000');
  });

  it('are shown to staff, in the list of all accounts and one by one', async () => {
    await tokens.report(seen('a'));
    await eventually(async () =>
      expect(
        (await ledger.ask(ListAllDeposits, { accountId: null, filters: USDC_DEPOSITS, page: FIRST_PAGE })).items,
      ).toMatchObject([{ id: depositIdOf('a'), accountId: ACCOUNT }]),
    );
    await expect(ledger.ask(GetAnyDeposit, { depositId: depositIdOf('a') })).resolves.toMatchObject({
      status: 'created',
    });
    await expect(ledger.ask(GetAnyDeposit, { depositId: depositIdOf('none') })).resolves.toBeNull();
    expect(
      (await ledger.ask(ListAllDeposits, { accountId: derivedId('other'), filters: USDC_DEPOSITS, page: FIRST_PAGE }))
        .items,
    ).toEqual([]);
  });
});
