import { NoncesFinalized } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { keyFinality } from './key-finality.decider';
import { chain } from '../transactions/chain-transaction.testing';

const to = (below: number) => ({ chain, address: '0xf', below, blockNumber: '9', blockHash: '0xb' }) as const;

describe('the finality of a key', () => {
  it('increases from what was recorded before', () => {
    scenario(keyFinality)
      .given(new NoncesFinalized(to(3)))
      .when(to(4))
      .then(new NoncesFinalized(to(4)));
    const state = [new NoncesFinalized(to(3)), new NoncesFinalized(to(4))].reduce(keyFinality.evolve, { below: 0 });
    expect(state).toEqual({ below: 4 });
  });

  it('never decreases', () => {
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
