import { NoncesFinalized } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { keyFinality } from './key-finality.decider';
import { chain } from '../transactions/chain-transaction.testing';

describe('the finality of a key', () => {
  it('never decreases', () => {
    const to = (below: number) => ({ chain, address: '0xf', below, blockNumber: '9', blockHash: '0xb' }) as const;
    scenario(keyFinality)
      .given()
      .when(to(3))
      .then(new NoncesFinalized(to(3)));
    for (const below of [2, 3])
      scenario(keyFinality)
        .given(new NoncesFinalized(to(3)))
        .when(to(below))
        .then();
  });
});
