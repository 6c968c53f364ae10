import type { MintPurpose, RedemptionPurpose, TokenMovementPurpose, TransactionPurpose } from '@ponte/contracts';
import { unitsOf } from '@ponte/kernel';
import { certificateCallOf } from '../certificates/certificate-purpose';
import type { Intent } from '../transactions/chain-transaction.state';
import { backingOf, minBackingOf, referenceOf } from '../token-movement/chain-values.domain';
import type { ContractCall, EvmChain, Hex, ReferenceTaker, TokenRequest } from '../chain/chain.port';

type TokenPurpose = MintPurpose | RedemptionPurpose | TokenMovementPurpose;

/** The call is computed from the purpose, so the intent does not store it. */
export function callOf(evm: EvmChain, purpose: TransactionPurpose): ContractCall {
  if (purpose.kind === 'certificate-mint' || purpose.kind === 'nft-movement') return certificateCallOf(evm, purpose);
  const request = tokenRequestOf(purpose);
  switch (request.kind) {
    case 'mint':
      return evm.mintCall(request);
    case 'redemption':
      return evm.redeemCall(request);
    case 'token-movement':
      return evm.sendTokenCall(request);
  }
}

/** The movement of tokens that a purpose asks for. */
export function tokenRequestOf(purpose: TokenPurpose): TokenRequest {
  const { id, asset, amount } = purpose;
  const terms = { reference: referenceOf(id), asset, units: unitsOf(asset, amount) };
  switch (purpose.kind) {
    case 'mint': {
      const { kind, to, maxBrl } = purpose;
      return { kind, ...terms, to: to as Hex, ...(maxBrl === undefined ? {} : { maxBacking: backingOf(maxBrl) }) };
    }
    case 'redemption': {
      const { kind, walletIds, minBrl } = purpose;
      const min = minBrl === null ? {} : { minBacking: minBackingOf(minBrl) };
      return { kind, ...terms, wallets: walletIds.map(referenceOf), ...min };
    }
    case 'token-movement': {
      const { kind, to, walletIds } = purpose;
      return { kind, ...terms, to: to as Hex, wallets: walletIds.map(referenceOf) };
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
