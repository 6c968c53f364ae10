import { NoncesAllocated } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import fc from 'fast-check';
import { Allocations, signerKey } from './signer-key.decider';

describe("a signer's key", () => {
  const key = { chain: 'eth-base', address: '0x1' } as const;
  const allocated = (first: number, ...transactionIds: string[]) =>
    new NoncesAllocated({ ...key, first, transactionIds });
  const allocate = (transactionIds: string[], minedCount = 0) =>
    ({ kind: 'allocate', ...key, transactionIds, minedCount }) as const;
  const withhold = (transactionId: string) =>
    ({ kind: 'withhold', ...key, transactionId, reason: 'compliance' }) as const;
  const withheld = (first: number, id: string) =>
    new NoncesAllocated({ ...key, first, transactionIds: [], withheld: [id], reason: 'compliance' });

  it('gives each transaction one nonce, in order and without gaps', () => {
    scenario(signerKey)
      .given()
      .when(allocate(['a', 'b', 'a']))
      .then(allocated(0, 'a', 'b'));
    scenario(signerKey)
      .given(allocated(0, 'a', 'b'))
      .when(allocate(['b', 'c', 'a', 'd']))
      .then(allocated(2, 'c', 'd'));
    scenario(signerKey)
      .given(allocated(0, 'a'))
      .when(allocate(['a']))
      .then();
  });

  it('withholds the nonce of a transaction permanently and once, unless the transaction already has one', () => {
    scenario(signerKey).given(allocated(0, 'a')).when(withhold('b')).then(withheld(1, 'b'));
    scenario(signerKey).given(allocated(0, 'a'), withheld(1, 'b')).when(withhold('b')).then();
    scenario(signerKey)
      .given(allocated(0, 'a'), withheld(1, 'b'))
      .when(allocate(['b', 'c']))
      .then(allocated(1, 'c'));
    scenario(signerKey).given(allocated(0, 'a')).when(withhold('a')).then();
  });

  it('remembers why each nonce is withheld, unless an old event does not say', () => {
    const old = new NoncesAllocated({ ...key, first: 0, transactionIds: [], withheld: ['a'] });
    const state = [old, withheld(0, 'b')].reduce(signerKey.evolve, signerKey.initial);
    expect([...state.withheld]).toEqual([
      ['a', null],
      ['b', 'compliance'],
    ]);
  });

  it('starts after what the key had sent before this log, and never goes back for a chain that lost blocks', () => {
    scenario(signerKey)
      .given()
      .when(allocate(['a'], 7))
      .then(allocated(7, 'a'));
    scenario(signerKey)
      .given(allocated(7, 'a'))
      .when(allocate(['b'], 0))
      .then(allocated(8, 'b'));
  });

  it('keeps nonces contiguous and unique, whatever is requested or repeated', () => {
    fc.assert(
      fc.property(
        fc.array(fc.array(fc.integer({ min: 0, max: 40 }).map(String), { maxLength: 8 }), { maxLength: 30 }),
        (batches) => {
          let state = signerKey.initial;
          const given = new Map<string, number>();
          for (const batch of batches) {
            const events = signerKey.decide(allocate(batch), state);
            const before = state;
            for (const event of events) {
              expect(event.data.first).toBe(given.size);
              event.data.transactionIds.forEach((id, at) => given.set(id, event.data.first + at));
              state = signerKey.evolve(state, event);
            }
            for (const event of events)
              for (const id of event.data.transactionIds) expect(before.allocations.of(id)).toBeUndefined();
            for (const id of batch) expect(state.allocations.of(id)).toBe(given.get(id));
          }
        },
      ),
      { numRuns: 300 },
    );
  });

  it('remembers the latest allocations, and two versions derived from one are independent', () => {
    let long = Allocations.none;
    for (let nonce = 0; nonce < 45_000; nonce += 1) long = long.with(`t${nonce}`, nonce);
    expect([long.of('t44999'), long.of('t36000'), long.of('t0')]).toEqual([44_999, 36_000, undefined]);
    const one = long.with('x', 45_000);
    const other = long.with('y', 45_000);
    expect([one.of('x'), one.of('y'), other.of('x'), other.of('y'), long.of('x')]).toEqual([
      45_000,
      undefined,
      undefined,
      45_000,
      undefined,
    ]);
    expect(other.with('z', 45_001).of('t44999')).toBe(44_999);
    expect(Allocations.none.of('t0')).toBeUndefined();
  });
});
