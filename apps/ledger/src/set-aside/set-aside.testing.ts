import type { DepositCommand } from '../deposit/deposit.state';
import { NOW, factsOf } from '../deposit/deposit.testing';

const CLOSED_ACCOUNT = 'closed';

/** The facts of tokens that arrived from outside, or from another Ponte account. */
export const tokenFacts = (amount = '5.000000', movementId: string | null = null) =>
  factsOf('tokens', amount, {
    accountId: CLOSED_ACCOUNT,
    type: 'token',
    asset: 'eth-base/usdc',
    endToEndId: null,
    coordinates: {
      ...{ sourceChain: 'eth-base', sourceAddress: '0x1', targetAddress: '0x2', txHash: '0xa', movementId },
    },
    ...(movementId === null && { arrival: { blockNumber: '7', blockHash: '0xb', logIndex: 0 } }),
  });

/** The commands that make a deposit of outside tokens wait for its closed account. */
export const waitingTokens = (amount?: string): DepositCommand[] => [
  { kind: 'create', facts: tokenFacts(amount) },
  { kind: 'confirm-arrival', now: NOW },
  { kind: 'finalize-arrival', hits: [], now: NOW },
];
/** The same for tokens that another Ponte account sent. */
export const waitingFromClearing = (amount?: string): DepositCommand[] => [
  { kind: 'create', facts: tokenFacts(amount, 'movement') },
  { kind: 'validate', validation: { accepted: true, accountId: CLOSED_ACCOUNT }, now: NOW },
];

export const requestSetAside = (staffId = 'first'): DepositCommand => ({
  kind: 'request-set-aside',
  staffId,
  now: NOW,
});
export const confirmSetAside = (staffId = 'second', request = 1): DepositCommand => ({
  kind: 'confirm-set-aside',
  request,
  staffId,
  now: NOW,
});
export const rejectSetAside = (staffId = 'second', request = 1): DepositCommand => ({
  kind: 'reject-set-aside',
  request,
  staffId,
  now: NOW,
});
