import type { ChainTransactionEvent } from '@ponte/contracts';
import {
  NoncesAllocated,
  NoncesFinalized,
  ReorgedAfterCompletion,
  TransactionConfirmed,
  TransactionFeeRaised,
  TransactionIntended,
  TransactionLost,
  TransactionRestored,
  TransactionReverted,
  TransactionSigned,
  TransactionSuperseded,
  WalletCreated,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import fc from 'fast-check';
import { readMovementsConfig } from './movements.config';
import type { Intent } from './transactions/chain-transaction.state';
import { chainTransaction } from './transactions/chain-transaction.decider';
import { chainTransactionMachine, transactionIdOf } from './transactions/chain-transaction.state';
import { keyFinality } from './signer-key/key-finality.decider';
import { mintRecord, referenceOf, unitsOf } from './mint/mint.domain';
import { Allocations } from './signer-key/allocations.domain';
import { signerKey } from './signer-key/signer-key.decider';
import { wallet, walletIdOf } from './wallet/wallet.decider';

const AT = '2026-03-01T12:00:00.000Z';
const mintId = derivedId('mint', 'one');
const terms = {
  kind: 'mint',
  id: mintId,
  orderId: derivedId('order', 'one'),
  accountId: 'account',
  asset: 'eth-base/brlv',
  amount: '12.500000000000000000',
  to: `0x${'ab'.repeat(20)}`,
} as const;
const { orderId, accountId } = terms;

describe('a wallet', () => {
  const walletId = walletIdOf('account', 'tempo');
  const create = {
    kind: 'create',
    walletId,
    accountId,
    parentId: null,
    name: 'Main wallet tempo',
    chain: 'tempo',
    address: '0x1',
    uiEnabled: true,
    metadata: {},
    at: AT,
  } as const;
  const created = new WalletCreated({
    walletId,
    accountId,
    parentId: null,
    name: 'Main wallet tempo',
    chain: 'tempo',
    address: '0x1',
    assets: ['tempo/brlv'],
    uiEnabled: true,
    metadata: {},
    createdAt: AT,
  });

  it('is made once, and keeps the address that it was made with', () => {
    scenario(wallet).given().when(create).then(created);
    scenario(wallet)
      .given(created)
      .when({ ...create, address: '0x2' })
      .then();
    expect(scenario(wallet).given(created).state()).toMatchObject({ id: walletId, address: '0x1', createdAt: AT });
  });

  it('has an id that follows from account and chain, so that an account has one on each', () => {
    expect(walletIdOf('account', 'tempo')).not.toBe(walletIdOf('account', 'eth-base'));
  });
});

const chain = 'eth-base';
const transactionId = transactionIdOf({ kind: 'mint', id: mintId });
const intent: Intent = { transactionId, chain, from: '0xf', purpose: terms, intendedAt: AT };
const intended = new TransactionIntended(intent);
const bytes = { nonce: 3, raw: '0x02aa', txHash: '0xa', maxFeePerGas: '30', maxPriorityFeePerGas: '2' };
const signed = new TransactionSigned({ transactionId, chain, from: '0xf', ...bytes });
const mined = { txHash: '0xa', blockNumber: '9', blockHash: '0xb', minedAt: AT };
const ended = { transactionId, chain, purpose: { kind: 'mint', id: mintId, orderId, accountId } } as const;
const confirmed = new TransactionConfirmed({
  ...ended,
  ...mined,
  confirmedAt: AT,
  from: '0xf',
  nonce: 3,
  final: false,
});
const reverted = new TransactionReverted({ ...ended, txHash: '0xa', reason: 'why' });
const superseded = new TransactionSuperseded({ ...ended, txHash: '0xa', nonce: 3 });
const confirm = { kind: 'confirm', mined, final: false, at: AT } as const;
const intend = (change: object = {}) =>
  ({ kind: 'intend', purpose: { ...terms, ...change }, intent: { chain, from: '0xf', intendedAt: AT } }) as const;

describe('a mint', () => {
  const request = intend({ amount: '12.5', to: terms.to.toUpperCase().replace('0X', '0x') });

  it('is asked for once, in one form of amount and address', () => {
    scenario(chainTransaction).given().when(request).then(intended);
    scenario(chainTransaction).given(intended).when(request).then();
    scenario(chainTransaction).given(intended, signed, confirmed).when(request).then();
    expect(
      scenario(chainTransaction)
        .given(intended)
        .when(intend({ accountId: 'another' }))
        .refusal(),
    ).toMatchObject({ code: 'mint-already-requested' });
  });

  it.each([
    [{ amount: '0' }, 'amount-below-minimum', 'amount'],
    [{ amount: '0.0000000000000000001' }, 'invalid-format', ''],
    [{ asset: 'tempo/brlv', amount: '1.0000001' }, 'amount-scale-exceeded', ''],
    [{ amount: '1e3' }, 'invalid-format', ''],
    [{ asset: 'eth-base/wbrly' }, 'asset-not-supported', 'asset'],
    [{ asset: 'eth-mainnet/usdt' }, 'asset-not-supported', 'asset'],
    [{ asset: 'fiat/usd' }, 'asset-not-supported', 'asset'],
    [{ to: 'unknown' }, 'invalid-address', 'to'],
    [{ to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('A', 'a') }, 'bad-address-checksum', 'to'],
    [{ id: 'not-a-uuid' }, 'invalid-format', 'mint-id'],
  ] as const)('is refused for %j (%s)', (change, code, path) => {
    const refusal = scenario(chainTransaction).given().when(intend(change)).refusal();
    expect(refusal).toMatchObject({ code });
    if (path !== '') expect(refusal).toMatchObject({ violations: [{ path }] });
  });

  it('is shown by the states of a transfer, with its hash and its failure', () => {
    const shown = (...past: ChainTransactionEvent[]) =>
      mintRecord(
        scenario(chainTransaction)
          .given(...past)
          .state(),
      );
    expect(mintRecord({ status: 'absent' })).toBeNull();
    expect(shown(intended)).toEqual({ mintId, orderId, state: 'created', txHash: null, failure: null });
    expect(shown(intended, signed)).toEqual({ mintId, orderId, state: 'pending', txHash: '0xa', failure: null });
    expect(shown(intended, signed, confirmed)).toEqual({
      mintId,
      orderId,
      state: 'completed',
      txHash: '0xa',
      failure: null,
    });
    for (const end of [reverted, superseded]) {
      expect(shown(intended, signed, end)).toEqual({
        mintId,
        orderId,
        state: 'failed',
        txHash: '0xa',
        failure: { code: 'mint-failed', message: expect.any(String), retryable: true },
      });
    }
  });

  it('has a reference of 32 bytes that no other mint has, and units of the contract', () => {
    expect(referenceOf(mintId)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(referenceOf(mintId)).not.toBe(referenceOf(derivedId('mint', 'two')));
    expect(unitsOf('tempo/brlv', '1.500000000000000000')).toBe(1_500_000n);
    expect(unitsOf('eth-base/brlv', '1.500000000000000000')).toBe(15n * 10n ** 17n);
  });
});

describe("a signer's key", () => {
  const key = { chain: 'eth-base', address: '0x1' } as const;
  const allocated = (first: number, ...transactionIds: string[]) =>
    new NoncesAllocated({ ...key, first, transactionIds });
  const allocate = (transactionIds: string[], minedCount = 0) =>
    ({ kind: 'allocate', ...key, transactionIds, minedCount }) as const;
  const withhold = (transactionId: string) => ({ kind: 'withhold', ...key, transactionId }) as const;
  const withheld = (first: number, id: string) =>
    new NoncesAllocated({ ...key, first, transactionIds: [], withheld: [id] });

  it('gives each transaction one nonce, in order and without gaps (reliability D6)', () => {
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

  it('withholds the nonce of a transaction that has none, once and for good', () => {
    scenario(signerKey).given(allocated(0, 'a')).when(withhold('b')).then(withheld(1, 'b'));
    scenario(signerKey).given(allocated(0, 'a'), withheld(1, 'b')).when(withhold('b')).then();
    scenario(signerKey)
      .given(allocated(0, 'a'), withheld(1, 'b'))
      .when(allocate(['b', 'c']))
      .then(allocated(1, 'c'));
    scenario(signerKey).given(allocated(0, 'a')).when(withhold('a')).then();
  });

  it('begins behind what the key had sent before this log began, and never goes back for a chain that forgot', () => {
    scenario(signerKey)
      .given()
      .when(allocate(['a'], 7))
      .then(allocated(7, 'a'));
    scenario(signerKey)
      .given(allocated(7, 'a'))
      .when(allocate(['b'], 0))
      .then(allocated(8, 'b'));
  });

  it('keeps nonces contiguous and unique whatever is asked for, repeated or forgotten (reliability I7)', () => {
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

  it('remembers the latest, and two versions that grew from one do not see each other', () => {
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

describe('a chain transaction', () => {
  it('goes intent, bytes, end; whatever is repeated changes nothing', () => {
    const past = [intended, signed, confirmed];
    const steps = [intend(), { kind: 'sign', signed: bytes }, confirm] as const;
    for (const [at, step] of steps.entries()) {
      scenario(chainTransaction)
        .given(...past.slice(0, at))
        .when(step)
        .then(...past.slice(at, at + 1));
      for (let later = at + 1; later <= past.length; later += 1)
        scenario(chainTransaction)
          .given(...past.slice(0, later))
          .when(step)
          .then();
    }
  });

  it('keeps the first bytes when another process signs again: never another nonce for the same intent (reliability D2)', () => {
    scenario(chainTransaction)
      .given(intended, signed)
      .when({ kind: 'sign', signed: { ...bytes, nonce: 4, raw: '0x02bb', txHash: '0xc' } })
      .then();
    expect(scenario(chainTransaction).given(intended, signed).state()).toMatchObject({
      status: 'signed',
      signed: bytes,
    });
  });

  describe('whose fees were raised', () => {
    const more = { nonce: 3, raw: '0x02cc', txHash: '0xc', maxFeePerGas: '34', maxPriorityFeePerGas: '3' };
    const raised = new TransactionFeeRaised({ transactionId, chain, from: '0xf', ...more, replaces: '0xa' });
    const raise = { kind: 'raise-fee', signed: more, replaces: '0xa' } as const;

    it('keeps every hash, and its nonce; of two that raise at once, one does', () => {
      scenario(chainTransaction).given(intended, signed).when(raise).then(raised);
      expect(scenario(chainTransaction).given(intended, signed, raised).state()).toMatchObject({
        status: 'signed',
        signed: more,
        attempts: [bytes, more],
      });
      scenario(chainTransaction)
        .given(intended, signed, raised)
        .when({ ...raise, signed: { ...more, txHash: '0xd' } })
        .then();
      scenario(chainTransaction).given(intended, signed, confirmed).when(raise).then();
      expect(() =>
        scenario(chainTransaction)
          .given(intended, signed)
          .when({ ...raise, signed: { ...more, nonce: 4 } })
          .events(),
      ).toThrow('for the nonce');
    });

    it.each(['0xa', '0xc'])('is completed by whichever was mined (%s)', (txHash) => {
      const found = { ...mined, txHash };
      scenario(chainTransaction)
        .given(intended, signed, raised)
        .when({ ...confirm, mined: found })
        .then(new TransactionConfirmed({ ...confirmed.data, txHash }));
    });
  });

  describe('that a reorg took back after its completion', () => {
    const { txHash, blockNumber, blockHash, minedAt } = mined;
    const reorged = new ReorgedAfterCompletion({
      transactionId,
      chain,
      purpose: terms,
      from: '0xf',
      nonce: 3,
      txHash,
      blockNumber,
      blockHash,
      detectedAt: AT,
    });
    const past = [intended, signed, confirmed, reorged];
    const about = { transactionId, chain, purpose: terms } as const;
    const restored = new TransactionRestored({
      ...about,
      txHash,
      blockNumber,
      blockHash,
      minedAt,
      restoredAt: AT,
      from: '0xf',
      nonce: 3,
      final: false,
    });

    it('says what was lost, once, and only of the block where it was', () => {
      const reorg = { kind: 'reorg', blockHash, at: AT } as const;
      scenario(chainTransaction).given(intended, signed, confirmed).when(reorg).then(reorged);
      scenario(chainTransaction)
        .given(intended, signed, confirmed)
        .when({ ...reorg, blockHash: '0xother' })
        .then();
      scenario(chainTransaction)
        .given(...past)
        .when(reorg)
        .then();
      scenario(chainTransaction).given(intended, signed).when(reorg).then();
      expect(
        scenario(chainTransaction)
          .given(...past)
          .state(),
      ).toMatchObject({ status: 'reorged', signed: bytes, reorgs: 1 });
    });

    it('is restored by being mined again, and can be taken back again', () => {
      scenario(chainTransaction)
        .given(...past)
        .when(confirm)
        .then(restored);
      expect(
        scenario(chainTransaction)
          .given(...past, restored, reorged)
          .state(),
      ).toMatchObject({ status: 'reorged', reorgs: 2 });
    });

    it('is lost by a revert or another transaction, and is never rolled back', () => {
      scenario(chainTransaction)
        .given(...past)
        .when({ kind: 'revert', reason: 'why' })
        .then(new TransactionLost({ ...about, txHash, reason: 'why' }));
      scenario(chainTransaction)
        .given(...past)
        .when({ kind: 'supersede' })
        .then(new TransactionLost({ ...about, txHash, reason: 'superseded' }));
      expect(
        mintRecord(
          scenario(chainTransaction)
            .given(...past)
            .state(),
        ),
      ).toMatchObject({ state: 'completed', failure: null });
    });
  });

  it('ends by what the chain says, from every state in which it may, and only once', () => {
    scenario(chainTransaction).given(intended, signed).when({ kind: 'revert', reason: 'why' }).then(reverted);
    scenario(chainTransaction).given(intended, signed).when({ kind: 'supersede' }).then(superseded);
    scenario(chainTransaction)
      .given(intended)
      .when(confirm)
      .then(new TransactionConfirmed({ ...confirmed.data, nonce: null }));
    expect(() => scenario(chainTransaction).given().when(confirm).events()).toThrow('no one intended');
    expect(() => scenario(chainTransaction).given(intended).when({ kind: 'revert', reason: 'why' }).events()).toThrow(
      'no move',
    );
    expect(() =>
      scenario(chainTransaction).given(intended, signed, confirmed).when({ kind: 'revert', reason: 'why' }).events(),
    ).toThrow('no move');
    expect(() => scenario(chainTransaction).given(intended, signed, reverted).when(confirm).events()).toThrow(
      'no move',
    );
    scenario(chainTransaction).given(intended, signed, superseded).when({ kind: 'supersede' }).then();
    expect(chainTransactionMachine.superseded).toEqual([]);
  });
});

describe('the finality of a key', () => {
  it('only goes on', () => {
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

describe('the settings', () => {
  const deployment = JSON.stringify({ minter: '0x1', tokens: {} });
  const rpc = Object.fromEntries(
    ['ETH_MAINNET', 'ETH_BASE', 'TEMPO'].flatMap((chain) => [
      [`CHAIN_RPC_${chain}`, 'https://a.example, https://b.example'],
      [`CHAIN_DEPLOYMENT_${chain}`, deployment],
    ]),
  );

  it('of a sandbox need nothing', () => {
    expect(readMovementsConfig({}, 'sandbox')).toMatchObject({
      chains: { kind: 'local', blockMs: 1_000, finalAfter: 1 },
      pollMs: 5_000,
    });
  });

  it('of production have no default for chains and keys', () => {
    expect(() => readMovementsConfig({}, 'production')).toThrow('KEYSTORE_PASSPHRASE');
    expect(() => readMovementsConfig({ KEYSTORE_PASSPHRASE: 'x' }, 'production')).toThrow('MOVEMENTS_CHAINS');
    const { chains } = readMovementsConfig(
      { ...rpc, KEYSTORE_PASSPHRASE: 'x', MOVEMENTS_CHAINS: 'rpc', CHAIN_CONFIRMATIONS_TEMPO: '2' },
      'production',
    );
    expect(chains).toMatchObject({
      kind: 'rpc',
      chains: [
        { chain: 'eth-mainnet', urls: ['https://a.example', 'https://b.example'], confirmations: 12 },
        { chain: 'eth-base', confirmations: 12 },
        { chain: 'tempo', confirmations: 2 },
      ],
    });
  });

  it('let tokens come from outside where the nodes of a sandbox are anvils, and never in production', () => {
    const anvil = { ...rpc, MOVEMENTS_CHAINS: 'rpc', CHAIN_OUTSIDER: 'anvil', KEYSTORE_PASSPHRASE: 'x' };
    expect(readMovementsConfig(anvil, 'sandbox').chains).toMatchObject({ kind: 'rpc', outsider: true });
    expect(readMovementsConfig({ ...anvil, CHAIN_OUTSIDER: '' }, 'production').chains).toMatchObject({
      outsider: false,
    });
    expect(() => readMovementsConfig(anvil, 'production')).toThrow('CHAIN_OUTSIDER');
  });

  it.each([
    ['CHAIN_OUTSIDER', 'yes'],
    ['MOVEMENTS_CHAINS', 'other'],
    ['CHAIN_RPC_TEMPO', ''],
    ['CHAIN_RPC_TEMPO', 'file:///etc'],
    ['CHAIN_DEPLOYMENT_TEMPO', '{'],
    ['CHAIN_CONFIRMATIONS_TEMPO', '0'],
    ['MOVEMENTS_POLL_MS', 'soon'],
  ])('stop the start when one is wrong, by its name: %s', (name, value) => {
    expect(() => readMovementsConfig({ ...rpc, MOVEMENTS_CHAINS: 'rpc', [name]: value }, 'sandbox')).toThrow(name);
  });
});
