import type { FinalityEvidence, FinalReceipt } from '../chain/chain.port';
import { finalOutcomeOf } from './finality';

const block = { number: 10, hash: '0xb' } as const;
const receipt = (succeeded: boolean): FinalReceipt => ({ hash: '0xa', succeeded, blockNumber: 9, blockHash: '0xc' });
const evidence = (minedCount: number, receipts: FinalReceipt[] = [], referenceTaken = false): FinalityEvidence => ({
  block,
  minedCount,
  receipts,
  referenceTaken,
});

describe('the outcome in a final block', () => {
  it.each([
    ['the nonce is not used', evidence(3), 'open'],
    ['ours succeeded and the reference is taken', evidence(4, [receipt(true)], true), 'effective'],
    ['ours succeeded, but the reference is free', evidence(4, [receipt(true)]), 'open'],
    ['ours was reverted', evidence(4, [receipt(false)]), 'reverted'],
    ['ours was reverted, but the reference is taken', evidence(4, [receipt(false)], true), 'effective-elsewhere'],
    ['another used the nonce', evidence(4), 'superseded'],
    ['another used the nonce, but the reference is taken', evidence(4, [], true), 'effective-elsewhere'],
    ['there is a receipt without its nonce', evidence(3, [receipt(false)]), 'open'],
    ['two transactions have one nonce', evidence(4, [receipt(false), receipt(true)], true), 'open'],
  ])('is right when %s', (_, found, kind) => {
    expect(finalOutcomeOf(found, { nonce: 3, reference: '0x1' }).kind).toBe(kind);
  });

  it('depends only on the receipt when a transaction has no reference', () => {
    expect(finalOutcomeOf(evidence(4, [receipt(true)]), { nonce: 3, reference: null }).kind).toBe('effective');
    expect(finalOutcomeOf(evidence(4, [receipt(false)]), { nonce: 3, reference: null }).kind).toBe('reverted');
  });
});
