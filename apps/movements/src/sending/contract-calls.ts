import type { TransactionPurpose } from '@ponte/contracts';
import { certificateCallOf } from '../certificates/certificate-purpose';
import type { Signed } from '../transactions/chain-transaction.state';
import { backingOf, leastBackingOf, referenceOf, unitsOf } from '../mint/mint.domain';
import type { ContractCall, EvmChain, FeeQuote, Hex } from '../chain/chain.port';
import type { SenderParts } from './sender-parts';

/** The call follows from the purpose, so the intent keeps no copy of it. */
export function callOf(evm: EvmChain, purpose: TransactionPurpose): ContractCall {
  switch (purpose.kind) {
    case 'mint': {
      const { id, asset, amount, to, mostBrl } = purpose;
      return evm.mintCall({
        reference: referenceOf(id),
        asset,
        to: to as Hex,
        units: unitsOf(asset, amount),
        ...(mostBrl === undefined ? {} : { mostBacking: backingOf(mostBrl) }),
      });
    }
    case 'redemption': {
      const { id, asset, amount, walletIds, leastBrl } = purpose;
      return evm.redeemCall({
        reference: referenceOf(id),
        asset,
        units: unitsOf(asset, amount),
        wallets: walletIds.map(referenceOf),
        ...(leastBrl === null ? {} : { leastBacking: leastBackingOf(leastBrl) }),
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

/** Signs what a purpose calls, under a nonce and with these fees. */
export async function signedBytes(
  { served: { evm }, signer, keyId }: Pick<SenderParts, 'served' | 'signer' | 'keyId'>,
  purpose: TransactionPurpose,
  nonce: number,
  fee: FeeQuote,
): Promise<Signed> {
  const { raw, hash: txHash } = await signer.signTransaction(keyId, {
    chainId: evm.chainId,
    nonce,
    ...callOf(evm, purpose),
    ...fee,
  });
  return {
    nonce,
    raw,
    txHash,
    maxFeePerGas: String(fee.maxFeePerGas),
    maxPriorityFeePerGas: String(fee.maxPriorityFeePerGas),
  };
}
