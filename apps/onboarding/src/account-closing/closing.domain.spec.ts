import type { AmountOf, StaffActor } from '@ponte/contracts';
import {
  AccountClosed,
  AccountClosingRequested,
  AccountFreezeRequestClosed,
  ClosedAccountLossRecorded,
} from '@ponte/contracts';
import type { AccountCommand } from '../account/account.decider';
import {
  accountId,
  analyst,
  approver,
  AT,
  automatic,
  byItself,
  freeze,
  frozen,
  given,
  freezeRequested as freezeRequested,
  others,
  release,
  sealed,
} from '../account-freeze/freezing.testing';

const LATER = '2026-11-21T12:01:00.000Z';
const ALMOST = '2026-11-21T12:00:59.999Z';
const closingRequested = new AccountClosingRequested({
  accountId,
  reason: 'holder-request',
  evidence: sealed,
  requestedBy: 'one',
  requestedAt: AT,
});
const closed = new AccountClosed({
  accountId,
  reason: 'holder-request',
  evidence: sealed,
  requestedBy: 'one',
  confirmedBy: 'two',
  closedAt: LATER,
});
const FROZEN = [freezeRequested, frozen];

const close = (staff: StaffActor, openWork: string[] = [], reason = 'holder-request'): AccountCommand => ({
  ...{ kind: 'request-closing', staff, reason: reason as 'holder-request' },
  ...{ evidence: sealed, openWork, at: AT },
});
const confirm = (staff: StaffActor, { openWork = [] as string[], at = LATER, request = 2 } = {}): AccountCommand => ({
  ...{ kind: 'confirm-closing', staff, request, openWork, at },
});

describe('Closing an account', () => {
  it('needs two different staff members, of whom the second is an approver', () => {
    expect(given(...FROZEN).events(close(analyst('one')))).toEqual([closingRequested]);
    expect(given(...FROZEN, closingRequested).events(confirm(approver('two')))).toEqual([closed]);
    expect(given(...FROZEN, closingRequested).code(confirm(approver('one')))).toBe('second-member-required');
    expect(given(...FROZEN, closingRequested).code(confirm(analyst('two')))).toBe('role-not-allowed');
    expect(given(...FROZEN).code(close(others))).toBe('role-not-allowed');
    expect(given(...FROZEN).code(confirm(approver('two')))).toBe('freeze-step-not-pending');
    expect(given(...FROZEN).code(close(analyst('one'), [], 'mood'))).toBe('invalid-enum-value');
  });

  it('is for frozen accounts only, so that nothing begins meanwhile', () => {
    expect(given().code(close(analyst('one')))).toBe('account-not-frozen');
    expect(given(...FROZEN, closingRequested).code(confirm(approver('two'), { at: ALMOST }))).toBe('account-in-use');
    expect(given(...FROZEN, closingRequested).message(confirm(approver('two'), { at: ALMOST }))).toContain(LATER);
  });

  it('is refused at both steps while anything is open, with all of it', () => {
    const openWork = ['the balance of fiat/brl is 1.00, of which 0.00 is held', 'order 1 is created'];
    for (const refused of [
      given(...FROZEN).violations(close(analyst('one'), openWork)),
      given(...FROZEN, closingRequested).violations(confirm(approver('two'), { openWork })),
    ])
      expect(refused).toEqual(openWork.map((message) => ({ code: 'account-in-use', path: 'account-id', message })));
  });

  it('can be withdrawn or refused, and names the request that was read', () => {
    const refusedBy = (closedBy: string) =>
      new AccountFreezeRequestClosed({ accountId, step: 'close', outcome: 'refused', closedBy, closedAt: AT });
    const end: AccountCommand = { kind: 'close-freeze-request', staff: approver('two'), request: 2, at: AT };
    expect(given(...FROZEN, closingRequested).events(end)).toEqual([refusedBy('two')]);
    const again = given(...FROZEN, closingRequested, refusedBy('two'), closingRequested);
    expect(again.code(confirm(approver('two')))).toBe('freeze-step-not-pending');
    expect(again.message(confirm(approver('two')))).toContain('request 3 to close the account is pending now');
    expect(again.events(confirm(approver('two'), { request: 3 }))).toEqual([closed]);
    expect(given(...FROZEN, closingRequested).code(release(approver('two')))).toBe('freeze-step-pending');
  });

  it('is void when the system freezes the account for another reason', () => {
    expect(given(...FROZEN, closingRequested, automatic).code(confirm(approver('two')))).toBe(
      'freeze-step-not-pending',
    );
  });

  it('can be repeated by the staff member who confirmed it, without effect', () => {
    expect(given(...FROZEN, closingRequested).events(close(analyst('one')))).toEqual([]);
    expect(given(...FROZEN, closingRequested, closed).events(confirm(approver('two')))).toEqual([]);
    expect(given(...FROZEN, closingRequested, closed).code(confirm(approver('three')))).toBe('account-not-active');
  });
});

describe('A write-off', () => {
  const LEFT: AmountOf[] = [
    { asset: 'fiat/brl', amount: '0.01' },
    { asset: 'eth-base/usdc', amount: '0.000001' },
  ];
  const writing = (...writeOff: AmountOf[]): AccountCommand =>
    ({ ...close(analyst('one')), writeOff }) as AccountCommand;
  const requestedWithWriteOff = new AccountClosingRequested({ ...closingRequested.data, writeOff: LEFT });

  it('is requested and confirmed with the closing, and shown while it is pending', () => {
    expect(given(...FROZEN).events(writing(...LEFT))).toEqual([requestedWithWriteOff]);
    expect(given(...FROZEN, requestedWithWriteOff).state().standing.pending).toMatchObject({ writeOff: LEFT });
    expect(given(...FROZEN, requestedWithWriteOff).events(confirm(approver('two')))).toEqual([
      new AccountClosed({ ...closed.data, writeOff: LEFT }),
    ]);
  });

  it('is part of the request: the same one changes nothing, another one waits for its end', () => {
    expect(given(...FROZEN, requestedWithWriteOff).events(writing(...LEFT))).toEqual([]);
    expect(given(...FROZEN, requestedWithWriteOff).code(close(analyst('one')))).toBe('freeze-step-pending');
    expect(given(...FROZEN, closingRequested).code(writing(...LEFT))).toBe('freeze-step-pending');
    expect(given(...FROZEN, closingRequested).events(writing())).toEqual([]);
    expect(given(...FROZEN).events(writing())).toEqual([closingRequested]);
  });

  it('is stored at the scale of the asset', () => {
    const typed = writing({ asset: 'eth-base/usdc', amount: '0.5' });
    expect(given(...FROZEN).events(typed)).toMatchObject([
      { data: { writeOff: [{ asset: 'eth-base/usdc', amount: '0.500000' }] } },
    ]);
  });

  it('is of amounts below one unit, each of another asset', () => {
    const code = (...writeOff: AmountOf[]) => given(...FROZEN).code(writing(...writeOff));
    expect(given(...FROZEN).events(writing({ asset: 'fiat/brl', amount: '0.99' }))).toHaveLength(1);
    expect(code({ asset: 'fiat/brl', amount: '1.00' })).toBe('amount-above-maximum');
    expect(code({ asset: 'fiat/brl', amount: '0.00' })).toBe('amount-below-minimum');
    expect(code({ asset: 'fiat/brl', amount: '0.001' })).toBe('amount-scale-exceeded');
    expect(code({ asset: 'fiat/brl', amount: '-0.01' })).toBe('invalid-format');
    expect(code(...LEFT, { asset: 'fiat/brl', amount: '0.02' })).toBe('invalid-format');
    const both = given(...FROZEN).violations(
      writing({ asset: 'fiat/brl', amount: '1.00' }, { asset: 'fiat/usd', amount: '0.00' }),
    );
    expect(both.map(({ path }) => path)).toEqual(['write-off[0].amount', 'write-off[1].amount']);
  });
});

describe('A closed account', () => {
  const over = given(...FROZEN, closingRequested, closed);

  it('keeps why it was frozen and closed, and when', () => {
    const { status, closedAt, standing } = over.state();
    expect([status, closedAt, standing.pending]).toEqual(['closed', LATER, null]);
    expect(standing.freezes).toHaveLength(1);
    expect(standing.history.map(({ type, staff }) => [type, ...staff])).toEqual([
      ['freeze-requested', 'one'],
      ['frozen', 'one', 'two'],
      ['close-requested', 'one'],
      ['closed', 'one', 'two'],
    ]);
  });

  it('does not change any more', () => {
    const commands: AccountCommand[] = [
      close(analyst('one')),
      freeze(analyst('one')),
      release(approver('two')),
      { kind: 'change-capabilities', grant: [], revoke: [] },
      { kind: 'whitelist', address: `0x${'ab'.repeat(20)}`, fx: false, source: 'operator' },
      { kind: 'register-bank-account', bankAccount: { bankCode: '12345678', branch: sealed, number: sealed } },
    ];
    for (const command of commands) expect(over.code(command)).toBe('account-not-active');
    expect(over.events({ ...byItself, nothingLost: true } as AccountCommand)).toEqual([]);
  });

  it('only records what it lost since', () => {
    const loss = new ClosedAccountLossRecorded({ accountId, reason: 'pix-taken-back', recordedAt: AT });
    expect(over.events(byItself)).toEqual([loss]);
    expect(given(...FROZEN, closingRequested, closed, loss).state()).toEqual(over.state());
  });
});
