import type { ChainTransactionEvent } from '@ponte/contracts';
import { scenario } from '@ponte/event-sourcing';
import { derivedId, unitsOf } from '@ponte/kernel';
import { chainTransaction } from '../transactions/chain-transaction.decider';
import { referenceOf } from '../token-movement/chain-values.domain';
import { transferStateOf } from '../transactions/chain-transaction.state';
import {
  mintId,
  terms,
  intended,
  signed,
  confirmed,
  reverted,
  superseded,
  intend,
} from '../transactions/chain-transaction.testing';

describe('a mint', () => {
  const request = intend({ amount: '12.5', to: terms.to.toUpperCase().replace('0X', '0x') });

  it('is intended once, with amount and address in canonical form', () => {
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
    [{ amount: '0.0000000000000000001' }, 'amount-scale-exceeded', 'amount'],
    [{ asset: 'tempo/brlv', amount: '1.0000001' }, 'amount-scale-exceeded', 'amount'],
    [{ amount: '1e3' }, 'invalid-format', 'amount'],
    [{ asset: 'eth-base/wbrly' }, 'asset-not-supported', 'asset'],
    [{ asset: 'eth-mainnet/usdt' }, 'asset-not-supported', 'asset'],
    [{ asset: 'fiat/usd' }, 'asset-not-supported', 'asset'],
    [{ to: 'unknown' }, 'invalid-address', 'to'],
    [{ to: '0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAeD'.replace('A', 'a') }, 'bad-address-checksum', 'to'],
    [{ id: 'not-a-uuid' }, 'invalid-format', 'mint-id'],
  ] as const)('is refused for %j (%s)', (change, code, path) => {
    const refusal = scenario(chainTransaction).given().when(intend(change)).refusal();
    expect(refusal).toMatchObject({ code, violations: [{ path }] });
  });

  it('has the states of a transfer', () => {
    const shown = (...past: ChainTransactionEvent[]) => {
      const state = scenario(chainTransaction)
        .given(...past)
        .state();
      return state.status === 'absent' ? null : transferStateOf(state);
    };
    expect(shown(intended)).toBe('created');
    expect(shown(intended, signed)).toBe('pending');
    expect(shown(intended, signed, confirmed)).toBe('completed');
    for (const end of [reverted, superseded]) expect(shown(intended, signed, end)).toBe('failed');
  });

  it('has a unique reference of 32 bytes and units of the contract', () => {
    expect(referenceOf(mintId)).toMatch(/^0x[0-9a-f]{64}$/);
    expect(referenceOf(mintId)).not.toBe(referenceOf(derivedId('mint', 'two')));
    expect(unitsOf('tempo/brlv', '1.500000000000000000')).toBe(1_500_000n);
    expect(unitsOf('eth-base/brlv', '1.500000000000000000')).toBe(15n * 10n ** 17n);
  });
});
