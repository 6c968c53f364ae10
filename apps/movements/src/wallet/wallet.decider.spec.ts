import { WalletCreated, WalletMetadataChanged } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { MAX_METADATA_KEYS, saltOf, wallet, walletIdOf, walletRecord } from './wallet.decider';
import { AT, accountId } from '../transactions/chain-transaction.testing';

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

  it('is created once, and keeps its first address', () => {
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

  it('keeps its id in all later versions, because tokens are sent to the address that follows from it', () => {
    expect(walletIdOf('123e4567-e89b-12d3-a456-426655440000', 'tempo')).toBe('6dece249-4b30-8288-ada0-c52679f01896');
  });

  it('is created with at most as many keys of metadata as it may have later', () => {
    const keys = (count: number) => Object.fromEntries(Array.from({ length: count }, (_, at) => [`k${at}`, 'v']));
    const metadata = keys(MAX_METADATA_KEYS);
    scenario(wallet)
      .given()
      .when({ ...create, metadata })
      .then(new WalletCreated({ ...created.data, metadata }));
    expect(
      scenario(wallet)
        .given()
        .when({ ...create, metadata: keys(MAX_METADATA_KEYS + 1) })
        .refusal(),
    ).toMatchObject({ code: 'limit-exceeded', violations: [{ path: 'metadata' }] });
  });

  it('is shown to other services as it was created and changed, and not before it exists', () => {
    expect(walletRecord(scenario(wallet).given().state())).toBeNull();
    const { walletId: id, parentId: _parentId, ...shown } = created.data;
    expect(walletRecord(scenario(wallet).given(created).state())).toEqual({ id, ...shown });
    const change = { uiEnabled: false, metadata: { label: 'x' } };
    const changed = new WalletMetadataChanged({ walletId, accountId, ...change, changedAt: AT });
    expect(walletRecord(scenario(wallet).given(created, changed).state())).toEqual({ id, ...shown, ...change });
    expect(() => scenario(wallet).given(changed).state()).toThrow('never created');
  });

  it('has a salt that is its id, so that its address follows from it', () => {
    expect(saltOf('123e4567-e89b-12d3-a456-426655440000')).toBe(`0x${'0'.repeat(32)}123e4567e89b12d3a456426655440000`);
  });
});
