import { WalletCreated, WalletMetadataChanged } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import type { ChangeMetadata } from './wallet.decider';
import { MAX_METADATA_KEYS, wallet } from './wallet.decider';

const AT = '2026-03-01T12:00:00.000Z';

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

  it('is merged: null keys are deleted, absent keys are kept', () => {
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

  it(`has at most ${MAX_METADATA_KEYS} keys after merging, whatever their names`, () => {
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

  it('of a wallet of another account is refused as if the wallet did not exist', () => {
    expect(
      scenario(wallet)
        .given(made)
        .when(change({ accountId: 'b' }))
        .refusal(),
    ).toMatchObject({ code: 'wallet-not-found' });
    expect(scenario(wallet).given().when(change({})).refusal()).toMatchObject({ code: 'wallet-not-found' });
  });
});
