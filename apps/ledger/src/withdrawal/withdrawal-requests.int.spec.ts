import { LEDGER_TRANSIT_SUBJECT, ListAllWithdrawals, ListWithdrawals, SettleTokenWithdrawal } from '@ponte/contracts';
import { systemContext } from '@ponte/event-sourcing';
import { isoTime, Refusal, Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import { CLEAN_ADDRESS } from '../testing/fund-tokens';
import { ACCOUNT, HOLDER_CPF } from '../testing/ledger-under-test';
import { ledgerForEachTest } from '../testing/ledger-for-each-test';
import { KEY, TED, endedIn } from './testing/withdrawals';
import { clientReference, clientReferenceId } from './client-reference.decider';

const ledger = ledgerForEachTest();
beforeEach(() => ledger.fund('1000.00'));

const PAGE = { limit: 50, cursor: null, createdFrom: null, createdTo: null };
const NO_FILTERS = { asset: null, state: null, method: null, externalId: null };

const refusal = async (response: Promise<unknown>): Promise<string[]> => {
  try {
    await response;
  } catch (error) {
    if (error instanceof Refusal) return error.violations.map(({ code, path }) => `${code} ${path}`);
    throw error;
  }
  throw new Error('the request was not refused');
};
const ended = endedIn(ledger);

describe('A withdrawal request', () => {
  it('is refused by every rule of the account, and leaves nothing behind', async () => {
    expect(await refusal(ledger.withdraw('1000.01', KEY))).toEqual(['insufficient-balance amount']);
    expect(await refusal(ledger.withdraw('10.00', { pixKey: 'unknown@pix.example' }))).toEqual([
      'pix-key-not-found pix-key',
    ]);
    await expect(ledger.withdraw('10.00', { pixKey: 'silent@pix.example' })).rejects.toEqual(
      new Unavailable('rail-unavailable'),
    );
    expect(await refusal(ledger.withdraw('10.001', { pixKey: '1' }))).toEqual([
      'amount-scale-exceeded amount',
      'invalid-pix-key pix-key',
    ]);
    expect(await refusal(ledger.withdraw('1000.01', { pixKey: '1' }))).toEqual([
      'invalid-pix-key pix-key',
      'insufficient-balance amount',
    ]);
    for (const [code, path] of [
      ['invalid-address', 'destination-wallet-address'],
      ['same-source-and-target', 'destination-wallet-address'],
      ['asset-not-supported', 'asset'],
    ] as const) {
      ledger.refusedDestinations.set(CLEAN_ADDRESS, code);
      const asset = { asset: 'eth-base/brlv', method: 'token' } as const;
      expect(await refusal(ledger.withdraw('1', { destinationWalletAddress: CLEAN_ADDRESS }, asset))).toEqual([
        `${code} ${path}`,
        'insufficient-balance amount',
      ]);
    }
    ledger.refusedDestinations.clear();
    const tokens = () =>
      ledger.withdraw(
        '1',
        { destinationWalletAddress: '0x7e5f4552091a69125d5dfcb7b8c2659029395bdf' },
        { asset: 'eth-base/usdc', method: null },
      );
    expect(await refusal(tokens())).toEqual(['insufficient-balance amount']);
    jest.replaceProperty(ledger.settings, 'tokenWithdrawals', false);
    expect(await refusal(tokens())).toEqual(['asset-not-supported asset', 'insufficient-balance amount']);
    ledger.status.set(ACCOUNT, 'frozen');
    expect(await refusal(ledger.withdraw('10.00', KEY))).toEqual(['account-not-active ']);
    expect(await ledger.types('withdrawal-')).toEqual([]);
    expect(await ledger.balance()).toMatchObject({ available: '1000.00', held: '0.00' });
  });

  // The idempotency keys of operations that move money never expire.
  it('makes a single withdrawal under one idempotency key, permanently', async () => {
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b' };
    const first = await ledger.withdraw('10.00', KEY, scope);
    expect(await ledger.withdraw('10.00', KEY, scope)).toEqual(first);
    expect(await refusal(ledger.withdraw('11.00', KEY, { ...scope, bodyHash: 'c' }))).toEqual([
      'idempotency-key-reused ',
    ]);
    await ended(first.id);
    ledger.now += 40 * 24 * 60 * 60 * 1000;
    expect(await ledger.withdraw('10.00', KEY, scope)).toMatchObject({ id: first.id, state: 'completed' });
    expect((await ledger.balance()).running).toBe('990.00');
  });

  it('returns the withdrawal under its idempotency key although the account was frozen since', async () => {
    const scope = { withdrawalId: ledger.freshId(), keyHash: 'k', bodyHash: 'b' };
    const first = await ledger.withdraw('10.00', KEY, scope);
    ledger.status.set(ACCOUNT, 'frozen');
    expect(await ledger.withdraw('10.00', KEY, scope)).toEqual(first);
  });

  it('can use an external id once per account, even if two requests come at once', async () => {
    const both = await Promise.allSettled(
      ['1.00', '2.00'].map((amount) => ledger.withdraw(amount, KEY, { externalId: 'invoice-1' })),
    );
    expect(both.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const [refused] = both.flatMap((one) => (one.status === 'rejected' ? [one.reason as Refusal] : []));
    expect(refused?.code).toBe('external-id-already-used');
    await eventually(async () => {
      expect((await ledger.balance()).held).toBe('0.00');
    });
    expect(await refusal(ledger.withdraw('3.00', KEY, { externalId: 'invoice-1' }))).toEqual([
      'external-id-already-used external-id',
    ]);
  });

  it('does not keep the external id of an attempt without an answer, if it was created with another one', async () => {
    const withdrawalId = ledger.freshId();
    const claim = { accountId: ACCOUNT, withdrawalId, holdId: ledger.freshId(), now: isoTime(ledger.now), void: null };
    await ledger.engines.aggregates.handle(
      clientReference,
      clientReferenceId(ACCOUNT, 'invoice-3'),
      { kind: 'reserve', ...claim },
      { ...systemContext(ledger.engines.ids, 'test'), now: () => claim.now },
    );
    await ledger.withdraw('5.00', KEY, { withdrawalId, externalId: 'invoice-4' });
    ledger.now += 121_000;
    expect(await ledger.withdraw('6.00', KEY, { externalId: 'invoice-3' })).toMatchObject({ externalId: 'invoice-3' });
    expect(await refusal(ledger.withdraw('7.00', KEY, { externalId: 'invoice-4' }))).toEqual([
      'external-id-already-used external-id',
    ]);
  });

  it('creates no encryption key for the payee if it breaks a rule or exceeds the balance', async () => {
    await ledger.withdraw('1.00', KEY, { externalId: 'invoice-7' });
    const seal = jest.spyOn(ledger.engines.personalData, 'seal');
    expect(await refusal(ledger.withdraw('2.00', KEY, { externalId: 'invoice-7' }))).toEqual([
      'external-id-already-used external-id',
    ]);
    expect(await refusal(ledger.withdraw('5000.00', KEY))).toEqual(['insufficient-balance amount']);
    expect(seal.mock.calls.filter(([subject]) => subject !== LEDGER_TRANSIT_SUBJECT)).toEqual([]);
    seal.mockRestore();
  });

  it('releases its external id if it is refused', async () => {
    expect(await refusal(ledger.withdraw('5000.00', KEY, { externalId: 'invoice-2' }))).toEqual([
      'insufficient-balance amount',
    ]);
    expect(await ledger.withdraw('5.00', KEY, { externalId: 'invoice-2' })).toMatchObject({ externalId: 'invoice-2' });
  });
});

describe('Lists of withdrawals', () => {
  it('can be filtered and paged, newest first, for the account and for staff', async () => {
    const first = await ledger.withdraw('1.00', KEY, { externalId: 'x-1' });
    ledger.now += 1;
    const second = await ledger.withdraw('2.00', TED, { method: 'ted' });
    await ended(first.id);
    const list = async (filters: object, page = PAGE) =>
      (
        await ledger.ask(ListWithdrawals, { accountId: ACCOUNT, filters: { ...NO_FILTERS, ...filters }, page })
      ).items.map(({ id }) => id);
    expect(await list({})).toEqual([second.id, first.id]);
    expect(await list({ state: 'completed' })).toEqual([first.id]);
    expect(await list({ method: 'ted' })).toEqual([second.id]);
    expect(await list({ externalId: 'x-1' })).toEqual([first.id]);
    expect(await list({ asset: 'eth-base/usdc' })).toEqual([]);
    const { next } = await ledger.ask(ListWithdrawals, {
      accountId: ACCOUNT,
      filters: NO_FILTERS,
      page: { ...PAGE, limit: 1 },
    });
    expect(await list({}, { ...PAGE, cursor: next as never })).toEqual([first.id]);
    expect(
      (await ledger.ask(ListAllWithdrawals, { accountId: null, filters: NO_FILTERS, page: PAGE })).items,
    ).toHaveLength(2);
  });
});

describe('Settling a token withdrawal', () => {
  it('is refused for a withdrawal that is not of tokens', async () => {
    const { id } = await ledger.withdraw('1.00', { pixKey: HOLDER_CPF });
    expect(
      await refusal(
        ledger.ask(SettleTokenWithdrawal, { withdrawalId: id, outcome: { state: 'completed', txHash: '0x' } }),
      ),
    ).toEqual(['withdrawal-not-found ']);
  });
});
