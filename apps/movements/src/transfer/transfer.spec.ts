import type { TransferEvent } from '@ponte/contracts';
import {
  MovementExternalIdReleased,
  MovementExternalIdTaken,
  TransferAbandoned,
  TransferCompleted,
  TransferCreated,
  TransferFailed,
  TransferPending,
  TransferSendingStarted,
  WalletCreated,
  WalletMetadataChanged,
  transferMachine,
} from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { derivedId } from '@ponte/kernel';
import type { ChangeMetadata } from '../wallet/wallet.decider';
import { MAX_METADATA_KEYS, wallet } from '../wallet/wallet.decider';
import { operatorKeyFor } from '../signer-key/operator-keys';
import { operatorKeyIds } from '../movements-settings.port';
import { externalIdStream, movementExternalId } from '../external-id/external-id.decider';
import type { TransferTerms } from './transfer.decider';
import { holdIdOf, transfer, transferRecord } from './transfer.decider';
import { FAILURES, HoldAbandoned, failureOfRevert } from './transfer.errors';
import { checkRequest } from './transfer.domain';

const AT = '2026-03-01T12:00:00.000Z';
const transferId = derivedId('transfer', 'one');
const published = {
  transferId,
  accountId: 'a',
  createdBy: 'p',
  createdByApiKey: 'ak',
  asset: 'eth-base/brlv',
  amount: '1.000000000000000000',
  sourceAddress: '0x1',
  targetAddress: '0x2',
} as const;
const terms: TransferTerms = {
  ...published,
  parentId: 'p',
  sourceWalletId: 'w',
  receiver: null,
  bodyHash: 'h',
  externalId: null,
  holdId: holdIdOf(transferId, 0),
  createdAt: AT,
};
const created = new TransferCreated(terms);
const started = new TransferSendingStarted({ transferId, accountId: 'a', startedAt: AT });
const pending = new TransferPending({ ...published, txHash: '0xa', pendingAt: AT });
const completed = new TransferCompleted({ ...published, txHash: '0xa', completedAt: AT });
const failed = (txHash: string | null, failure: (typeof FAILURES)[keyof typeof FAILURES] = FAILURES.reverted) =>
  new TransferFailed({ ...published, txHash, failure, failedAt: AT });
const abandoned = new TransferAbandoned({ transferId, accountId: 'a', holdId: terms.holdId, abandonedAt: AT });
const create = { kind: 'create', terms } as const;
const fail = (txHash: string | null, ended = txHash !== null) =>
  ({ kind: 'fail', ended, txHash, failure: FAILURES.reverted, at: AT }) as const;
const complete = { kind: 'complete', txHash: '0xa', at: AT } as const;
const given = (...past: TransferEvent[]) => scenario(transfer).given(...past);

describe('a transfer', () => {
  it('goes from created to pending to its end, each step once', () => {
    given().when(create).then(created);
    given(created).when({ kind: 'start-sending', at: AT }).then(started);
    given(created, started).when({ kind: 'note-pending', txHash: '0xa', replaces: null, at: AT }).then(pending);
    given(created, started, pending).when(complete).then(completed);
    given(created, started, pending).when(fail('0xa')).then(failed('0xa'));
    for (const again of [
      create,
      { kind: 'start-sending', at: AT },
      { kind: 'note-pending', txHash: '0xb', replaces: null, at: AT },
      complete,
    ] as const) {
      given(created, started, pending, completed).when(again).then();
    }
    expect(Object.keys(transferMachine)).toEqual(['created', 'pending', 'completed', 'failed']);
  });

  it('accepts its end before its hash', () => {
    given(created, started).when(complete).then(completed);
    given(created, started).when(fail('0xa')).then(failed('0xa'));
  });

  it('that may be on the chain is failed by the chain alone', () => {
    given(created).when(fail(null)).then(failed(null));
    given(created, started).when(fail(null)).then();
    // Its transaction was given up before it was signed.
    given(created, started).when(fail(null, true)).then(failed(null));
    given(created, started, pending).when(fail(null)).then();
    expect(() => given(created, started, pending, completed).when(fail('0xa')).events()).toThrow('no move');
    expect(() => given(created, started, pending, failed('0xa')).when(complete).events()).toThrow('no move');
    expect(() => given(created).when(complete).events()).toThrow('no move');
  });

  it('is created once for its key and body, and never with a hold that was given up', () => {
    given(created).when(create).then();
    for (const change of [{ bodyHash: 'other' }, { createdBy: 'stranger' }]) {
      expect(
        given(created)
          .when({ kind: 'create', terms: { ...terms, ...change } })
          .refusal(),
      ).toMatchObject({ code: 'idempotency-key-reused' });
    }
    const abandon = { kind: 'abandon', transferId, accountId: 'a', holdId: terms.holdId, at: AT } as const;
    given().when(abandon).then(abandoned);
    given(abandoned).when(abandon).then();
    given(created).when(abandon).then();
    expect(() => given(abandoned).when(create).events()).toThrow(HoldAbandoned);
    const second = { ...terms, holdId: holdIdOf(transferId, 1) };
    given(abandoned).when({ kind: 'create', terms: second }).then(new TransferCreated(second));
  });

  it('is shown with its hash and its failure', () => {
    expect(transferRecord(given().state())).toBeNull();
    expect(transferRecord(given(created, started, pending).state())).toMatchObject({
      id: transferId,
      state: 'pending',
      txHash: '0xa',
      failure: null,
    });
    expect(transferRecord(given(created, started, failed('0xa', FAILURES.balance)).state())).toMatchObject({
      state: 'failed',
      failure: { code: 'insufficient-balance' },
    });
    expect([failureOfRevert('WalletsHoldTooLittle'), failureOfRevert('reverted')]).toEqual([
      FAILURES.balance,
      FAILURES.reverted,
    ]);
  });

  it('goes to no contract of ours, which could not give the tokens back', () => {
    const address = `0x${'ab'.repeat(20)}`;
    const payload = {
      transferId,
      callerAccountId: 'p',
      accountId: 'a',
      sourceAddress: `0x${'cd'.repeat(20)}`,
      targetAddress: address,
      asset: 'eth-base/brlv',
      amount: '1',
      externalId: null,
      bodyHash: null,
    } as const;
    expect(() => checkRequest(payload, new Set())).not.toThrow();
    expect(() => checkRequest(payload, new Set([address]))).toThrow(
      expect.objectContaining({ code: 'invalid-address' }),
    );
  });
});

describe('an external id of a transfer', () => {
  const taken = new MovementExternalIdTaken({ accountId: 'a', resourceId: 't1', takenAt: AT });
  const take = (resourceId: string, at = AT, unused: string | null = null) =>
    ({ kind: 'take', accountId: 'a', resourceId, unused, at }) as const;

  it('belongs to one transfer of the account, and again to others once that was not created', () => {
    scenario(movementExternalId).given().when(take('t1')).then(taken);
    scenario(movementExternalId).given(taken).when(take('t1')).then();
    const later = '2026-03-01T12:03:00.000Z';
    for (const command of [take('t2'), take('t2', later), take('t2', AT, 't1')]) {
      expect(scenario(movementExternalId).given(taken).when(command).refusal()).toMatchObject({
        code: 'external-id-already-used',
      });
    }
    scenario(movementExternalId)
      .given(taken)
      .when(take('t2', later, 't1'))
      .then(new MovementExternalIdTaken({ accountId: 'a', resourceId: 't2', takenAt: later }));
    scenario(movementExternalId)
      .given(taken)
      .when({ kind: 'release', accountId: 'a', resourceId: 't1' })
      .then(new MovementExternalIdReleased({ accountId: 'a', resourceId: 't1' }));
    scenario(movementExternalId).given(taken).when({ kind: 'release', accountId: 'a', resourceId: 't2' }).then();
    expect(externalIdStream('a', 'x')).not.toBe(externalIdStream('b', 'x'));
  });
});

describe('the metadata of a wallet', () => {
  const made = new WalletCreated({
    walletId: 'w',
    accountId: 'a',
    parentId: null,
    name: 'n',
    chain: 'tempo',
    address: '0x1',
    assets: ['tempo/brlv'],
    uiEnabled: false,
    metadata: { label: 'x', old: 'y' },
    createdAt: AT,
  });
  const change = (more: Partial<ChangeMetadata>): ChangeMetadata => ({
    kind: 'change-metadata',
    accountId: 'a',
    metadata: null,
    uiEnabled: null,
    at: AT,
    ...more,
  });
  const changed = (uiEnabled: boolean, metadata: Record<string, string>) =>
    new WalletMetadataChanged({ walletId: 'w', accountId: 'a', uiEnabled, metadata, changedAt: AT });

  it('is merged, loses the keys that are null, and keeps what is absent', () => {
    scenario(wallet)
      .given(made)
      .when(change({ metadata: { label: 'z', old: null, added: '' } }))
      .then(changed(false, { label: 'z', added: '' }));
    scenario(wallet)
      .given(made)
      .when(change({ uiEnabled: true }))
      .then(changed(true, { label: 'x', old: 'y' }));
    scenario(wallet)
      .given(made)
      .when(change({ metadata: { label: 'x', absent: null }, uiEnabled: false }))
      .then();
    scenario(wallet).given(made).when(change({})).then();
  });

  it(`has at most ${MAX_METADATA_KEYS} keys after merging, whatever they are called`, () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
    expect(
      scenario(wallet)
        .given(made)
        .when(change({ metadata: keys(48) }))
        .events(),
    ).toHaveLength(1);
    expect(
      scenario(wallet)
        .given(made)
        .when(change({ metadata: keys(49) }))
        .refusal(),
    ).toMatchObject({ code: 'limit-exceeded', violations: [{ path: 'metadata' }] });
    expect(
      scenario(wallet)
        .given(made)
        .when(change({ metadata: { ...keys(49), old: null } }))
        .events(),
    ).toHaveLength(1);
    scenario(wallet)
      .given(made)
      .when(change({ metadata: { constructor: 'c' } }))
      .then(changed(false, { label: 'x', old: 'y', constructor: 'c' } as Record<string, string>));
  });

  it('of a foreign wallet is that of none', () => {
    expect(
      scenario(wallet)
        .given(made)
        .when(change({ accountId: 'b' }))
        .refusal(),
    ).toMatchObject({ code: 'wallet-not-found' });
    expect(scenario(wallet).given().when(change({})).refusal()).toMatchObject({ code: 'wallet-not-found' });
  });
});

describe('the operator keys', () => {
  it('share the transactions about evenly, and a transaction keeps its key', () => {
    const keys = operatorKeyIds(4);
    expect(keys).toEqual(['operator', 'operator-2', 'operator-3', 'operator-4']);
    const ids = Array.from({ length: 2_000 }, (_, at) => derivedId('t', String(at)));
    for (const key of keys) expect(ids.filter((id) => operatorKeyFor(id, keys) === key).length).toBeGreaterThan(400);
    expect(ids.map((id) => operatorKeyFor(id, keys))).toEqual(ids.map((id) => operatorKeyFor(id, keys)));
    expect(() => operatorKeyFor(ids[0] ?? '', [])).toThrow('no operator key');
  });
});
