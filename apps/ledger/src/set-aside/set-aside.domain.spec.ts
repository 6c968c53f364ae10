import { NOW } from '../deposit/deposit.testing';
import { isRefusedAsClosed, isUnfinished } from '../deposit/deposit.state';
import { failedReturnOf } from '../suspense/failed-return.mapper';
import { inSuspense } from '../suspense/suspense.domain';
import { after, codeOf, decided, propose, refusedReturn } from '../suspense/suspense.testing';
import {
  confirmSetAside,
  rejectSetAside,
  requestSetAside,
  waitingFromClearing,
  waitingTokens,
} from './set-aside.testing';

const SET_ASIDE = [...waitingTokens(), requestSetAside(), confirmSetAside()];

describe('Tokens that wait for a closed account', () => {
  it('are set aside by two staff members, who void the deposit and post it to suspense in one append', () => {
    const events = decided([...waitingTokens(), requestSetAside()], confirmSetAside());
    expect(events.map(({ type }) => type)).toEqual(['DepositVoided', 'SuspensePosted']);
    expect(events[0]?.data).toMatchObject({ accountId: 'closed', reason: 'account-not-active', returnId: null });
    expect(events[1]?.data).toMatchObject({
      cause: 'set-aside',
      postings: [
        { account: 'house:external', asset: 'eth-base/usdc', amount: '-5.000000' },
        { account: 'house:suspense', asset: 'eth-base/usdc', amount: '5.000000' },
      ],
      setAside: { request: 1, requestedBy: 'first', confirmedBy: 'second' },
    });
  });

  it('come out of clearing if another Ponte account sent them', () => {
    const [, posted] = decided([...waitingFromClearing(), requestSetAside()], confirmSetAside());
    expect(posted?.data).toMatchObject({
      postings: [{ account: 'house:clearing', amount: '-5.000000' }, { account: 'house:suspense' }],
    });
  });

  it('are listed for staff as open, and their deposit has no work left but to keep it out of the balance', () => {
    const { state } = after(...SET_ASIDE);
    expect(failedReturnOf(inSuspense(state))).toMatchObject({
      ...{ cause: 'set-aside', status: 'open', reason: 'account-closed', attempts: 0, settlement: null },
    });
    expect([isUnfinished(state), isRefusedAsClosed(state)]).toEqual([false, true]);
  });

  it('are set aside once: repeated, late and competing decisions change nothing', () => {
    const requested = [...waitingTokens(), requestSetAside()];
    expect(decided(requested, requestSetAside())).toEqual([]);
    expect(codeOf(...requested, requestSetAside('second'))).toBe('set-aside-pending');
    expect(codeOf(...requested, confirmSetAside('first'))).toBe('second-member-required');
    expect(codeOf(...requested, confirmSetAside('second', 2))).toBe('set-aside-not-pending');
    expect(codeOf(...waitingTokens(), confirmSetAside())).toBe('set-aside-not-pending');
    for (const again of [confirmSetAside(), confirmSetAside('third')]) expect(decided(SET_ASIDE, again)).toEqual([]);
    expect(codeOf(...SET_ASIDE, confirmSetAside('second', 2))).toBe('deposit-not-waiting');
    expect(codeOf(...SET_ASIDE, requestSetAside())).toBe('deposit-not-waiting');
    expect(codeOf(...SET_ASIDE, rejectSetAside())).toBe('set-aside-not-pending');
  });

  it('stay confirmed when the request is rejected, also by the staff member who made it, and can be requested again', () => {
    const rejected = [...waitingTokens(), requestSetAside(), rejectSetAside('first')];
    expect(after(...rejected).state).toMatchObject({ status: 'confirmed', setAsideRequests: 1 });
    expect(after(...rejected).state).not.toHaveProperty('setAside');
    expect(decided(rejected, rejectSetAside())).toEqual([]);
    expect(codeOf(...rejected, confirmSetAside())).toBe('set-aside-not-pending');
    const again = [...rejected, requestSetAside('second')];
    // A late decision about the first request decides nothing about the second one.
    expect(codeOf(...again, confirmSetAside('third', 1))).toBe('set-aside-not-pending');
    expect(decided(again, rejectSetAside('third', 1))).toEqual([]);
    expect(decided(again, confirmSetAside('third', 2))).toHaveLength(2);
  });

  it('are not set aside before their block is final, after they were credited, or if they are no tokens', () => {
    expect(codeOf(requestSetAside())).toBe('deposit-not-found');
    expect(codeOf(...waitingTokens().slice(0, 1), requestSetAside())).toBe('deposit-not-waiting');
    expect(codeOf(...waitingTokens().slice(0, 2), requestSetAside())).toBe('deposit-not-waiting');
    expect(codeOf(...waitingTokens(), { kind: 'credit', now: NOW }, requestSetAside())).toBe('deposit-not-waiting');
    expect(codeOf(...refusedReturn('E1').slice(0, 1), requestSetAside())).toBe('deposit-not-waiting');
    expect(codeOf(rejectSetAside())).toBe('deposit-not-found');
  });

  it('are never voided by a reorg or credited afterwards, whatever is delivered again', () => {
    for (const kind of ['void-reorged', 'credit', 'refuse-sender', 'refuse-closed'] as const)
      expect(decided(SET_ASIDE, { kind, now: NOW })).toEqual([]);
    expect(decided(SET_ASIDE, { kind: 'finalize-arrival', hits: [], now: NOW })).toEqual([]);
  });

  it('are not settled by a payment of the bank, which does not hold them', () => {
    expect(codeOf(...SET_ASIDE, propose())).toBe('method-asset-mismatch');
  });
});
