import type { AmountOf, Hold, LedgerAccountEvent, Posting } from '@ponte/contracts';
import { NO_CHARGES } from '@ponte/contracts';
import { scenario, StateBehindEvent } from '@ponte/event-sourcing';
import { Refusal, Unavailable } from '@ponte/kernel';
import fc from 'fast-check';
import type { LedgerAccountCommand } from './ledger-account.commands';
import { ledgerAccount } from './ledger-account.decider';
import type { LedgerAccount } from './ledger-account.state';
import { availableOf, balanceOf } from './ledger-account.state';
import { balanced, moneyOf, sumsOf } from './postings.domain';
import { RecentIds, REMEMBERED_MS } from './recent-ids.domain';
import { VersionedMap } from './versioned-map.domain';

const NOW = '2026-11-20T12:00:00.000Z';
const A = 'a1';
const brl = (amount: string): AmountOf => ({ asset: 'fiat/brl', amount });
const brlv = (amount: string): AmountOf => ({ asset: 'eth-base/brlv', amount });
const holdFor = (orderId: string, amount: string, holdId = `hold-${orderId}`): Hold => ({
  holdId,
  owner: { kind: 'order', id: orderId },
  ...brl(amount),
});

const deposit = (depositId: string, amount: string, hold: Hold | null = null): LedgerAccountCommand => ({
  kind: 'post-deposit',
  accountId: A,
  depositId,
  credit: brl(amount),
  hold,
  now: NOW,
});
const place = (hold: Hold): LedgerAccountCommand => ({ kind: 'place-hold', accountId: A, hold, now: NOW });
const release = (holdId: string): LedgerAccountCommand => ({
  kind: 'release-hold',
  accountId: A,
  holdId,
  reason: 'order-rolled-back',
});
const exchange = (
  orderId: string,
  amount: string,
  change: Partial<Extract<LedgerAccountCommand, { kind: 'post-exchange' }>> = {},
): LedgerAccountCommand => ({
  kind: 'post-exchange',
  accountId: A,
  orderId,
  holdId: `hold-${orderId}`,
  debit: brl(amount),
  credit: brlv(`${amount}${'0'.repeat(16)}`),
  custody: true,
  charges: NO_CHARGES,
  deliveryHold: null,
  now: NOW,
  ...change,
});
const reverse = (depositId: string, holdId: string): LedgerAccountCommand => ({
  kind: 'reverse-deposit',
  accountId: A,
  depositId,
  holdId,
  reason: 'order-rolled-back',
  now: NOW,
});

/** Carries out commands one after the other. */
function after(...commands: LedgerAccountCommand[]): { state: LedgerAccount; past: LedgerAccountEvent[] } {
  let state = ledgerAccount.initial;
  const past: LedgerAccountEvent[] = [];
  for (const command of commands) {
    for (const event of ledgerAccount.decide(command, state)) {
      state = ledgerAccount.evolve(state, event);
      past.push(event);
    }
  }
  return { state, past };
}

const given = (...commands: LedgerAccountCommand[]) => scenario(ledgerAccount).given(...after(...commands).past);
const codeOf = (refusal: unknown): [string, string] =>
  refusal instanceof Refusal ? [refusal.code, refusal.violations[0]?.path ?? ''] : ['none', String(refusal)];
const balances = (state: LedgerAccount, asset: AmountOf['asset'] = 'fiat/brl') => {
  const balance = balanceOf(state, asset);
  return { running: balance.running, held: balance.held, available: availableOf(balance) };
};

describe('ledger account', () => {
  it('a deposit is available, once per deposit', () => {
    const { state } = after(deposit('d1', '100.00'), deposit('d1', '100.00'));
    expect(balances(state)).toEqual({ running: 10000n, held: 0n, available: 10000n });
  });

  it('a hold takes from what is available and not from what is posted', () => {
    const { state } = after(deposit('d1', '100.00'), place(holdFor('o1', '60.00')));
    expect(balances(state)).toEqual({ running: 10000n, held: 6000n, available: 4000n });
  });

  it('Available never goes below zero: a hold beyond it is refused at the source amount', () => {
    const story = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')));
    expect(codeOf(story.when(place(holdFor('o2', '40.01'))).refusal())).toEqual(['insufficient-balance', 'quote-id']);
    expect(story.when(place(holdFor('o2', '40.00'))).events()).toHaveLength(1);
    expect(
      codeOf(story.when(place({ ...holdFor('w1', '40.01'), owner: { kind: 'withdrawal', id: 'w1' } })).refusal()),
    ).toEqual(['insufficient-balance', 'amount']);
    expect(codeOf(story.when(place({ ...holdFor('o2', '1.00'), asset: 'fiat/usd' })).refusal())).toEqual([
      'insufficient-balance',
      'quote-id',
    ]);
  });

  it('a hold of the same id is placed once; another under its id, or one that has ended, is refused', () => {
    const placed = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')));
    expect(placed.when(place(holdFor('o1', '60.00'))).events()).toEqual([]);
    expect(codeOf(placed.when(place(holdFor('o1', '30.00'))).refusal())[0]).toBe('hold-not-open');
    expect(codeOf(placed.when(place({ ...holdFor('o2', '60.00'), holdId: 'hold-o1' })).refusal())[0]).toBe(
      'hold-not-open',
    );
    const released = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')), release('hold-o1'));
    expect(codeOf(released.when(place(holdFor('o1', '60.00'))).refusal())[0]).toBe('hold-not-open');
  });

  it('releasing a hold that is not open is nothing', () => {
    const story = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')), release('hold-o1'));
    expect(story.when(release('hold-o1')).events()).toEqual([]);
    expect(balances(story.state())).toEqual({ running: 10000n, held: 0n, available: 10000n });
  });

  it('an amount is a positive decimal at its scale', () => {
    for (const amount of ['0.00', '-1.00', '1.001', '1e2', '']) {
      expect(() => ledgerAccount.decide(place(holdFor('o1', amount)), ledgerAccount.initial)).toThrow(Refusal);
      expect(() => ledgerAccount.decide(deposit('d1', amount), ledgerAccount.initial)).toThrow(Refusal);
    }
  });

  it('the held BRL goes to the reserve and the tokens to the account, once per order', () => {
    const story = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')));
    const [posted] = story.when(exchange('o1', '60.00')).events() as {
      data: { postings: Posting[]; credit: AmountOf | null };
    }[];
    expect(posted?.data.postings).toEqual([
      { account: 'customer:a1', asset: 'fiat/brl', amount: '-60.00' },
      { account: 'house:reserve', asset: 'fiat/brl', amount: '60.00' },
      { account: 'house:issuance', asset: 'eth-base/brlv', amount: '-60.000000000000000000' },
      { account: 'customer:a1', asset: 'eth-base/brlv', amount: '60.000000000000000000' },
    ]);
    const { state } = after(
      deposit('d1', '100.00'),
      place(holdFor('o1', '60.00')),
      exchange('o1', '60.00'),
      exchange('o1', '60.00'),
      release('hold-o1'),
    );
    expect(balances(state)).toEqual({ running: 4000n, held: 0n, available: 4000n });
    expect(balances(state, 'eth-base/brlv').available).toBe(60n * 10n ** 18n);
  });

  it('external wallets are never in a balance', () => {
    const { state, past } = after(
      deposit('d1', '60.00'),
      place(holdFor('o1', '60.00')),
      exchange('o1', '60.00', { custody: false }),
    );
    expect(balances(state, 'eth-base/brlv').running).toBe(0n);
    expect((past.at(-1)?.data as { credit: AmountOf | null }).credit).toBeNull();
    expect((past.at(-1)?.data as unknown as { postings: Posting[] }).postings.map(({ account }) => account)).toContain(
      'house:external',
    );
  });

  it('an exchange uses its own hold up, exactly, and one for one', () => {
    const story = given(deposit('d1', '100.00'), place(holdFor('o1', '60.00')), place(holdFor('o2', '10.00')));
    const refused = (command: LedgerAccountCommand) => codeOf(story.when(command).refusal())[0];
    expect(refused(exchange('o1', '59.99'))).toBe('hold-not-open');
    expect(refused(exchange('o1', '60.00', { holdId: 'hold-o2' }))).toBe('hold-not-open');
    // A hold that this account has never heard of was placed after it was read.
    expect(() => ledgerAccount.decide(exchange('o3', '60.00'), story.state())).toThrow(StateBehindEvent);
    expect(refused(exchange('o1', '60.00', { credit: brlv('60.000000000000000001') }))).toBe(
      'asset-pair-not-supported',
    );
    expect(refused(exchange('o1', '60.00', { credit: brlv('59.999999999999999999') }))).toBe(
      'asset-pair-not-supported',
    );
    expect(
      refused(exchange('o1', '60.00', { credit: { asset: 'eth-base/brly', amount: '60.000000000000000000' } })),
    ).toBe('asset-pair-not-supported');
  });

  it('a Pix that pays a charge is held in the same event and never available to anything else', () => {
    const paid = [deposit('d1', '50.00', holdFor('o1', '50.00'))] as const;
    expect(after(...paid).past).toHaveLength(1);
    expect(balances(after(...paid).state)).toEqual({ running: 5000n, held: 5000n, available: 0n });
    expect(
      given(...paid)
        .when(release('hold-o1'))
        .events(),
    ).toEqual([]);
    expect(
      codeOf(
        given(...paid)
          .when(place(holdFor('o2', '0.01')))
          .refusal(),
      )[0],
    ).toBe('insufficient-balance');
    expect(balances(after(...paid, exchange('o1', '50.00')).state)).toEqual({ running: 0n, held: 0n, available: 0n });
  });

  it('the payment of an order that rolls back leaves the books again, once, and not after its exchange', () => {
    const paid = [deposit('d1', '50.00', holdFor('o1', '50.00')), deposit('d2', '5.00')] as const;
    const { state } = after(...paid, reverse('d1', 'hold-o1'), reverse('d1', 'hold-o1'));
    expect(balances(state)).toEqual({ running: 500n, held: 0n, available: 500n });
    expect(
      codeOf(
        given(...paid, exchange('o1', '50.00'))
          .when(reverse('d1', 'hold-o1'))
          .refusal(),
      )[0],
    ).toBe('hold-not-open');
    expect(
      codeOf(
        given(...paid)
          .when(reverse('d2', 'hold-o1'))
          .refusal(),
      )[0],
    ).toBe('hold-not-open');
  });

  describe('a token movement', () => {
    const owner = { kind: 'transfer', id: 't1' } as const;
    const tokens = brlv('5.000000000000000000');
    const funded = {
      kind: 'post-deposit',
      accountId: A,
      depositId: 'd1',
      credit: brlv('8.000000000000000000'),
      hold: null,
      from: 'external',
      now: NOW,
    } as const;
    const hold: LedgerAccountCommand = place({ holdId: 'hold-t1', owner, ...tokens });
    const move = (receiverAccountId: string | null, change: object = {}) =>
      ({
        kind: 'post-token-movement',
        accountId: A,
        movementId: 'm1',
        owner,
        holdId: 'hold-t1',
        debit: tokens,
        receiverAccountId,
        now: NOW,
        ...change,
      }) as const;
    const accounts = (commands: LedgerAccountCommand[]) =>
      (after(...commands).past.at(-1)?.data as unknown as { postings: Posting[] }).postings.map(
        ({ account }) => account,
      );

    it('uses its hold up, once, and goes where the tokens went', () => {
      expect(accounts([funded])).toEqual(['house:external', 'customer:a1']);
      for (const [receiver, account] of [
        [null, 'house:external'],
        ['a2', 'house:clearing'],
      ] as const) {
        expect(accounts([funded, hold, move(receiver)])).toEqual(['customer:a1', account]);
        expect(balances(after(funded, hold, move(receiver), move(receiver)).state, 'eth-base/brlv')).toEqual({
          running: 3n * 10n ** 18n,
          held: 0n,
          available: 3n * 10n ** 18n,
        });
      }
    });

    it('to a wallet of the same account changes no balance', () => {
      expect(accounts([funded, hold, move(A)])).toEqual(['customer:a1', 'customer:a1']);
      expect(balances(after(funded, hold, move(A)).state, 'eth-base/brlv')).toEqual({
        running: 8n * 10n ** 18n,
        held: 0n,
        available: 8n * 10n ** 18n,
      });
    });

    it('takes no hold but its own, whole', () => {
      const story = given(funded, hold);
      for (const change of [
        { owner: { kind: 'withdrawal', id: 't1' } },
        { owner: { kind: 'transfer', id: 't2' } },
        { debit: brlv('4.000000000000000000') },
        { debit: brl('5.00') },
      ]) {
        expect(codeOf(story.when(move(null, change) as LedgerAccountCommand).refusal())[0]).toBe('hold-not-open');
      }
      expect(() => story.when(move(null, { holdId: 'never placed' })).events()).toThrow(Unavailable);
    });

    it('of what comes from another account with us leaves the clearing account', () => {
      expect(accounts([{ ...funded, from: 'clearing' }])).toEqual(['house:clearing', 'customer:a1']);
    });
  });

  it('an entry that does not balance cannot be made', () => {
    expect(() => balanced([{ account: 'customer:a1', asset: 'fiat/brl', amount: '1.00' }])).toThrow(/does not balance/);
    expect(() =>
      balanced([
        { account: 'customer:a1', asset: 'fiat/brl', amount: '1.00' },
        { account: 'house:issuance', asset: 'eth-base/brlv', amount: '-1.000000000000000000' },
      ]),
    ).toThrow(/does not balance/);
  });

  it('holds its invariants under any commands: sum zero at every prefix, available ≥ 0, held = open holds', () => {
    const id = fc.integer({ min: 1, max: 6 }).map(String);
    const amount = fc
      .integer({ min: 0, max: 8000 })
      .map((minor) => `${Math.floor(minor / 100)}.${String(minor % 100).padStart(2, '0')}`);
    const command: fc.Arbitrary<LedgerAccountCommand> = fc.oneof(
      fc.tuple(id, amount).map(([d, a]) => deposit(`d${d}`, a)),
      fc.tuple(id, id, amount).map(([d, o, a]) => deposit(`c${d}`, a, holdFor(`o${o}`, a, `paid-${d}`))),
      fc.tuple(id, amount).map(([o, a]) => place(holdFor(`o${o}`, a))),
      id.map((o) => release(`hold-o${o}`)),
      fc.tuple(id, amount, fc.boolean()).map(([o, a, custody]) => exchange(`o${o}`, a, { custody })),
      fc.tuple(id, id, amount).map(([o, d, a]) => exchange(`o${o}`, a, { holdId: `paid-${d}` })),
      id.map((d) => reverse(`c${d}`, `paid-${d}`)),
      fc
        .tuple(id, amount)
        .map(([t, a]) => place({ holdId: `move-${t}`, owner: { kind: 'transfer', id: t }, ...brl(a) })),
      id.map((t) => release(`move-${t}`)),
      fc.tuple(id, amount, fc.constantFrom(null, A, 'a2')).map(([t, a, receiverAccountId]): LedgerAccountCommand => ({
        kind: 'post-token-movement',
        accountId: A,
        movementId: t,
        owner: { kind: 'transfer', id: t },
        holdId: `move-${t}`,
        debit: brl(a),
        receiverAccountId,
        now: NOW,
      })),
    );
    fc.assert(fc.property(fc.array(command, { maxLength: 60 }), holdsInvariants), { numRuns: 1_500 });
  });
});

function holdsInvariants(commands: LedgerAccountCommand[]): void {
  let state = ledgerAccount.initial;
  const done = new Set<string>();
  let posted = 0n;
  for (const command of commands) {
    for (const event of attempt(command, state)) {
      if ('postings' in event.data) {
        for (const sum of sumsOf(event.data.postings).values()) expect(sum).toBe(0n);
        expect(done.has(event.data.postingId)).toBe(false);
        done.add(event.data.postingId);
        const own = event.data.postings.filter(
          ({ account, asset }) => account === 'customer:a1' && asset === 'fiat/brl',
        );
        posted += own.reduce((sum, posting) => sum + moneyOf(posting).minor, 0n);
      }
      state = ledgerAccount.evolve(state, event);
      const { running, held, available } = balances(state);
      const open = state.holds.all().reduce((sum, [, hold]) => sum + moneyOf(hold).minor, 0n);
      expect(running).toBe(posted);
      expect(held).toBe(open);
      expect(available >= 0n && held >= 0n && available + held === running).toBe(true);
    }
  }
}

function attempt(command: LedgerAccountCommand, state: LedgerAccount): readonly LedgerAccountEvent[] {
  try {
    return ledgerAccount.decide(command, state);
  } catch (refused) {
    if (refused instanceof Refusal || refused instanceof StateBehindEvent) return [];
    throw refused;
  }
}

describe('what the state of an account is made of', () => {
  it('every version of a versioned map keeps its own answers, whichever is changed', () => {
    const key = fc.constantFrom('a', 'b', 'c', 'd');
    const step = fc.record({ of: fc.nat(), key, value: fc.option(fc.integer(), { nil: undefined }) });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const versions: { map: VersionedMap<number>; model: Map<string, number> }[] = [
          { map: VersionedMap.empty(), model: new Map() },
        ];
        for (const { of, key: at, value } of steps) {
          const from = versions[of % 3 === 0 ? of % versions.length : versions.length - 1];
          if (!from) throw new Error('no version');
          const model = new Map(from.model);
          if (value === undefined) model.delete(at);
          else model.set(at, value);
          versions.push({ map: value === undefined ? from.map.without(at) : from.map.with(at, value), model });
        }
        for (const { map, model } of versions) {
          for (const name of 'abcd') expect(map.get(name)).toBe(model.get(name));
          expect(new Map(map.all())).toEqual(model);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('a hot account folds its events in constant time each', () => {
    const holds = Array.from({ length: 20_000 }, (_, at) => place(holdFor(`o${at}`, '0.01')));
    const { state } = after(deposit('d1', '1000.00'), ...holds);
    expect(balances(state).held).toBe(20_000n);
    expect(state.holds.get('hold-o77')?.owner.id).toBe('o77');
  });

  it('ids are remembered for 30 days at least, and not for ever', () => {
    const start = Date.parse(NOW);
    const day = 86_400_000;
    let ids = RecentIds.none.with('first', start);
    for (let at = 1; at <= 30; at += 1) ids = ids.with(`day-${at}`, start + at * day);
    expect(ids.has('first')).toBe(true);
    for (let at = 31; at <= 80; at += 1) {
      ids = ids.with(`day-${at}`, start + at * day);
      expect(ids.has(`day-${at - Math.floor(REMEMBERED_MS / day)}`)).toBe(true);
    }
    expect(ids.has('first')).toBe(false);
    expect(ids.has('day-20')).toBe(false);
  });
});
