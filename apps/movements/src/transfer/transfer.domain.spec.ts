import type { AccountRecord, CreateTransferPayload, ServedPurpose, WalletRecord } from '@ponte/contracts';
import { factViolations, requestViolations, termsOf, transferOf } from './transfer.domain';

const AT = '2026-03-01T12:00:00.000Z';
const SOURCE = `0x${'cd'.repeat(20)}`;
const TARGET = '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed';
const payload: CreateTransferPayload = {
  ...{ transferId: 'transfer-1', callerAccountId: 'partner', accountId: 'account-1' },
  ...{ sourceAddress: SOURCE, targetAddress: TARGET, asset: 'eth-base/brlv', amount: '1.5' },
  ...{ externalId: 'x', bodyHash: 'h' },
};
const source = { id: 'wallet-1', accountId: 'account-1', address: SOURCE } as WalletRecord;
const active = { accountId: 'account-1', status: 'active' } as AccountRecord;

describe('the request of a transfer', () => {
  const violations = (
    change: Partial<CreateTransferPayload>,
    loss: string | null = null,
    isWithin: (units: bigint) => boolean = () => true,
  ) =>
    requestViolations({ ...payload, ...change }, loss, { minimums: {}, isWithin }).map(
      ({ code, path }) => `${code} ${path}`,
    );

  it.each([
    [{}, []],
    [{ asset: 'eth-base/wbrly' }, []],
    [{ asset: 'eth-base/usdc' }, ['asset-not-supported asset']],
    [{ asset: 'tempo/brlv' }, ['asset-not-supported asset']],
    // Whether a fiat amount is one of tokens cannot be said.
    [{ asset: 'fiat/brl', amount: '0' }, ['asset-not-supported asset']],
    [{ amount: '0' }, ['amount-below-minimum amount']],
    [{ amount: '0.999999999999999999' }, ['amount-below-minimum amount']],
    [{ amount: '1' }, []],
    [{ amount: '0.0000000000000000001' }, ['amount-scale-exceeded amount']],
    [{ sourceAddress: '0x1' }, ['invalid-address source-address']],
    [{ targetAddress: TARGET.replace('A', 'a') }, ['bad-address-checksum target-address']],
    [{ sourceAddress: TARGET.toLowerCase() }, ['same-source-and-target target-address']],
  ] as [Partial<CreateTransferPayload>, string[]][])('has the violations of its members: %j', (change, found) => {
    expect(violations(change)).toEqual(found);
  });

  it('has all violations at once, in rule order', () => {
    expect(
      violations({ asset: 'eth-base/usdc', sourceAddress: '0x1', targetAddress: '0x1', amount: '1e3' }, 'is lost'),
    ).toEqual([
      'asset-not-supported asset',
      'invalid-address source-address',
      'invalid-address target-address',
      'same-source-and-target target-address',
      'invalid-address target-address',
      'invalid-format amount',
    ]);
  });

  it('is limited to what one transaction may move, in units of the contract', () => {
    const most = 15n * 10n ** 17n;
    const isWithin = (units: bigint) => units <= most;
    expect(violations({}, null, isWithin)).toEqual([]);
    expect(violations({ amount: '1.500000000000000001' }, null, isWithin)).toEqual(['amount-above-maximum amount']);
    const broken = () => {
      throw new TypeError('no signer policy');
    };
    expect(() => violations({}, null, broken)).toThrow(TypeError);
  });
});

it('a transfer needs an active account, a wallet of it and a new external id', () => {
  const violationsWith = (change: Partial<Parameters<typeof factViolations>[0]>) =>
    factViolations({ account: active, source, externalIdUsed: false, ...change }).map(({ code, path }) => [code, path]);
  expect(violationsWith({})).toEqual([]);
  // The address was not valid, which is a violation of its own.
  expect(violationsWith({ source: undefined })).toEqual([]);
  for (const account of [null, { ...active, status: 'frozen' as const }])
    expect(violationsWith({ account, source: null, externalIdUsed: true })).toEqual([
      ['account-not-active', ''],
      ['source-wallet-not-owned', 'source-address'],
      ['external-id-already-used', 'external-id'],
    ]);
});

it('the terms of a transfer are those of its request, in canonical form, and of the wallet that was found', () => {
  const receiver = { accountId: 'account-2', parentId: null, walletId: 'wallet-2' };
  expect(
    termsOf(payload, { source, receiver, parentId: 'partner', holdId: 'hold-1', apiKey: 'ak_test_1', at: AT }),
  ).toEqual({
    ...{ transferId: 'transfer-1', accountId: 'account-1', parentId: 'partner', asset: 'eth-base/brlv' },
    ...{ createdBy: 'partner', createdByApiKey: 'ak_test_1', bodyHash: 'h', externalId: 'x' },
    ...{ amount: '1.500000000000000000', sourceAddress: SOURCE, targetAddress: TARGET.toLowerCase() },
    ...{ sourceWalletId: 'wallet-1', receiver, holdId: 'hold-1', createdAt: AT },
  });
});

it('a transaction is for a transfer only if its movement belongs to one', () => {
  const movement = (kind: 'transfer' | 'withdrawal') =>
    ({ kind: 'token-movement', id: 'movement-1', owner: { kind, id: 'owner-1' } }) as ServedPurpose;
  expect(transferOf(movement('transfer'))).toEqual({ kind: 'transfer', transferId: 'owner-1' });
  expect(transferOf(movement('withdrawal'))).toBeNull();
  expect(transferOf({ kind: 'nft-movement', id: 'nft-1' } as ServedPurpose)).toEqual({
    ...{ kind: 'nft-transfer', transferId: 'nft-1' },
  });
  expect(transferOf({ kind: 'mint', id: 'mint-1', orderId: 'o', accountId: 'a' })).toBeNull();
});
