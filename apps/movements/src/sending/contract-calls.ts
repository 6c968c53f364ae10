import type { TransactionPurpose } from '@ponte/contracts';
import { unitsOf } from '@ponte/kernel';
import { certificateCallOf } from '../certificates/certificate-purpose';
import type { Intent } from '../transactions/chain-transaction.state';
import { backingOf, minBackingOf, referenceOf } from '../token-movement/chain-values.domain';
import type { ContractCall, EvmChain, Hex, ReferenceTaker } from '../chain/chain.port';

/** The call is computed from the purpose, so the intent does not store it. */
export function callOf(evm: EvmChain, purpose: TransactionPurpose): ContractCall {
  switch (purpose.kind) {
    case 'mint': {
      const { id, asset, amount, to, mostBrl } = purpose;
      return evm.mintCall({
        reference: referenceOf(id),
        asset,
        to: to as Hex,
        units: unitsOf(asset, amount),
        ...(mostBrl === undefined ? {} : { maxBacking: backingOf(mostBrl) }),
      });
    }
    case 'redemption': {
      const { id, asset, amount, walletIds, leastBrl } = purpose;
      return evm.redeemCall({
        reference: referenceOf(id),
        asset,
        units: unitsOf(asset, amount),
        wallets: walletIds.map(referenceOf),
        ...(leastBrl === null ? {} : { minBacking: minBackingOf(leastBrl) }),
      });
    }
    case 'certificate-mint':
    case 'nft-movement':
      return certificateCallOf(evm, purpose);
    case 'token-movement': {
      const { id, asset, amount, to, walletIds } = purpose;
      return evm.sendTokenCall({
        reference: referenceOf(id),
        asset,
        to: to as Hex,
        units: unitsOf(asset, amount),
        wallets: walletIds.map(referenceOf),
      });
    }
  }
}

/** The reference that a contract accepts once for this intent. */
export function referenceIn({ purpose }: Intent): { readonly by: ReferenceTaker; readonly reference: Hex } {
  switch (purpose.kind) {
    case 'mint':
      return { by: 'minter', reference: referenceOf(purpose.id) };
    case 'redemption':
    case 'token-movement':
    case 'nft-movement':
      return { by: 'custody', reference: referenceOf(purpose.id) };
    case 'certificate-mint':
      return { by: 'certificates', reference: referenceOf(purpose.id) };
  }
}
