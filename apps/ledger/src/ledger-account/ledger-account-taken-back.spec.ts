import {
  DepositPostingBarred,
  DepositReversed,
  HoldReleased,
  HouseLossPosted,
  HouseLossReversed,
} from '@ponte/contracts';
import {
  NOW,
  A,
  after,
  balances,
  brl,
  deposit,
  exchange,
  given,
  holdFor,
  place,
  reverse,
  takeBack,
} from './ledger-account.testing';
import { coverOf } from './ledger-account.state';

const reversed = (change: object = {}) =>
  new DepositReversed({
    accountId: A,
    postingId: 'taken-back:d1',
    depositId: 'd1',
    holdId: null,
    debit: brl('100.00'),
    postings: [
      { account: 'customer:a1', asset: 'fiat/brl', amount: '-100.00' },
      { account: 'house:settlement', asset: 'fiat/brl', amount: '100.00' },
    ],
    reason: 'taken-back',
    postedAt: NOW,
    ...change,
  });

describe('A payment that the bank takes back', () => {
  it('is debited once, even from money that is held or spent', () => {
    const before = [deposit('d1', '100.00'), place(holdFor('o1', '60.00'))];
    given(...before)
      .when(takeBack('d1'))
      .then(reversed());
    given(...before, takeBack('d1'))
      .when(takeBack('d1'))
      .then();
    expect(balances(after(...before, takeBack('d1')).state)).toEqual({ running: 0n, held: 6000n, available: -6000n });
  });

  it('is debited if the stream shows its posting, although the deposit was not credited yet', () => {
    given(deposit('d1', '100.00'))
      .when(takeBack('d1', { credited: false }))
      .then(reversed());
  });

  it('is barred if it is not posted, and never posted after that', () => {
    const barring = takeBack('d1', { credited: false });
    given()
      .when(barring)
      .then(new DepositPostingBarred({ accountId: A, postingId: 'taken-back:d1', depositId: 'd1', barredAt: NOW }));
    given(barring).when(deposit('d1', '100.00')).then();
    given(barring).when(barring).then();
    expect(balances(after(barring, deposit('d1', '100.00')).state)).toEqual({ running: 0n, held: 0n, available: 0n });
  });

  it('is not debited after it was sent back to its payer', () => {
    given(deposit('d1', '50.00', holdFor('o1', '50.00')), reverse('d1', 'hold-o1'))
      .when(takeBack('d1', { credit: brl('50.00') }))
      .then();
  });

  it('is not sent back as well: only its hold ends, once', () => {
    const before = [deposit('d1', '100.00', holdFor('o1', '100.00')), takeBack('d1')];
    given(...before)
      .when(reverse('d1', 'hold-o1'))
      .then(new HoldReleased({ accountId: A, holdId: 'hold-o1', reason: 'taken-back' }));
    given(...before, reverse('d1', 'hold-o1'))
      .when(reverse('d1', 'hold-o1'))
      .then();
    expect(balances(after(...before, reverse('d1', 'hold-o1')).state).running).toBe(0n);
  });

  it('leaves open whether other holds are covered while they would be without its own hold', () => {
    const cover = (...commands: Parameters<typeof after>) => coverOf(after(...commands).state, 'fiat/brl', 'w1');
    const before = [
      deposit('d0', '30.00'),
      place(holdFor('o0', '30.00')),
      deposit('d1', '50.00', holdFor('o1', '50.00')),
    ];
    const own = takeBack('d1', { credit: brl('50.00') });
    expect(cover(...before)).toBe('covered');
    expect(cover(...before, own)).toBe('undecided');
    expect(cover(...before, own, reverse('d1', 'hold-o1'))).toBe('covered');
    expect(cover(...before, own, exchange('o1', '50.00'))).toBe('uncovered');
    expect(cover(...before, takeBack('d0', { credit: brl('30.00') }))).toBe('uncovered');
    expect(cover(...before, own, takeBack('d0', { credit: brl('30.00') }))).toBe('uncovered');
  });

  it('ends the newest withdrawal first, and leaves older ones open that are covered without it', () => {
    const hold = (id: string, amount: string) =>
      ({ holdId: `hold-${id}`, owner: { kind: 'withdrawal', id }, ...brl(amount) }) as const;
    const { state } = after(
      ...[deposit('d0', '400.00'), deposit('d1', '600.00')],
      ...[place(hold('w1', '300.00')), place(hold('w2', '100.00')), place(hold('w3', '600.00'))],
      takeBack('d1', { credit: brl('600.00') }),
    );
    const covers = (of: typeof state) => ['w1', 'w2', 'w3'].map((id) => coverOf(of, 'fiat/brl', id));
    expect(covers(state)).toEqual(['undecided', 'undecided', 'uncovered']);
    const deeper = after(
      ...[deposit('d0', '400.00'), deposit('d1', '600.00')],
      ...[place(hold('w1', '300.00')), place(hold('w2', '200.00'))],
      ...[takeBack('d1', { credit: brl('600.00') }), takeBack('d0', { credit: brl('400.00') })],
    );
    expect(covers(deeper.state).slice(0, 2)).toEqual(['uncovered', 'uncovered']);
  });
});

describe('A loss of the house', () => {
  const path = { from: 'owed', to: 'issuance' } as const;
  const facts = { accountId: A, transactionId: 't1', loss: brl('7.00'), path, now: NOW };
  const post = { kind: 'post-loss', causeId: 'c1', ...facts } as const;
  const restore = { kind: 'reverse-loss', causeId: 'c1', ...facts } as const;
  const about = (postingId: string) => ({ accountId: A, postingId, transactionId: 't1', loss: brl('7.00') });
  const line = (name: string, amount: string) => ({ account: `house:${name}`, asset: 'fiat/brl' as const, amount });

  it('is posted and reversed once for each cause, and changes no balance', () => {
    const lost = [line('owed', '-7.00'), line('issuance', '7.00')];
    given()
      .when(post)
      .then(new HouseLossPosted({ ...about('post-loss:c1'), postings: lost, postedAt: NOW }));
    const back = [line('issuance', '-7.00'), line('owed', '7.00')];
    given(post)
      .when(restore)
      .then(new HouseLossReversed({ ...about('reverse-loss:c1'), postings: back, postedAt: NOW }));
    for (const again of [post, restore]) given(post, restore).when(again).then();
    expect(
      given(post)
        .when({ ...post, causeId: 'c2' })
        .events(),
    ).toHaveLength(1);
    expect(balances(after(post, restore).state)).toEqual({ running: 0n, held: 0n, available: 0n });
  });
});
