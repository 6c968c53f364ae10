import type {
  ChainTransactionEvent,
  ServedPurpose,
  TransactionPurpose,
  TransactionSigned,
  DecimalText,
  MintPurpose,
  TokenMovementPurpose,
  RedemptionPurpose,
} from '@ponte/contracts';
import { TransactionGivenUp, TransactionIntended } from '@ponte/contracts';
import type { AssetId } from '@ponte/kernel';
import { canonicalJson, refuse, Money, assetOf, isUuid, parseEvmAddress, pick, toOnChain } from '@ponte/kernel';
import { acceptableCertificatePurpose } from '../certificates/certificate-purpose';
import type { Intent, ChainTransaction, ChainTransactionCommand } from './chain-transaction.state';
import { transactionIdOf, restoringIdOf } from './chain-transaction.state';
import { addressAt, chainOfToken, movableAmount } from '../token-movement/chain-values.domain';

/** Records the intent once, with amount and address in canonical form. A repetition with different terms is refused. */
export function intend(
  { purpose: requested, intent, restores }: Extract<ChainTransactionCommand, { kind: 'intend' }>,
  state: ChainTransaction,
): ChainTransactionEvent[] {
  const purpose = acceptable(requested);
  if (state.status === 'absent') {
    const { chain, from, ...times } = intent;
    const { intendedAt } = times;
    const about = { chain, from, purpose, ...times };
    const transactionId = transactionIdOf(purpose);
    const { refused: reason } = state;
    if (reason !== undefined)
      return [
        new TransactionIntended({ transactionId, ...about }),
        new TransactionGivenUp({ transactionId, chain, purpose: served(purpose), reason, givenUpAt: intendedAt }),
      ];
    return restores === undefined
      ? [new TransactionIntended({ transactionId, ...about })]
      : [new TransactionIntended({ transactionId: restoringIdOf(restores), ...about, restores })];
  }
  if (canonicalJson(purpose) === canonicalJson(state.intent.purpose)) return [];
  switch (purpose.kind) {
    case 'mint':
      return refuse('mint-already-requested', 'this mint was requested with different terms');
    case 'redemption':
      return refuse('movement-already-requested', 'this redemption was requested with different terms');
    case 'token-movement':
      return refuse('movement-already-requested', 'this movement was requested with different terms');
    case 'certificate-mint':
    case 'nft-movement':
      return refuse('movement-already-requested', 'this movement of a certificate was requested with different terms');
  }
}

/** Returns the terms in canonical form. Refuses terms that cannot be executed. */
function acceptable(requested: TransactionPurpose): TransactionPurpose {
  switch (requested.kind) {
    case 'mint':
      return acceptableMint(requested);
    case 'redemption':
      return acceptableRedemption(requested);
    case 'token-movement':
      return acceptableMovement(requested);
    case 'certificate-mint':
    case 'nft-movement':
      return acceptableCertificatePurpose(requested);
  }
}

/** The part of a purpose that is recorded with the transaction. */
export function served(purpose: TransactionPurpose): ServedPurpose {
  switch (purpose.kind) {
    case 'mint':
    case 'redemption': {
      const { kind, id, orderId, accountId } = purpose;
      return { kind, id, orderId, accountId };
    }
    case 'token-movement':
    case 'certificate-mint':
    case 'nft-movement':
      return purpose;
  }
}

/** The purpose, if its owner waits for the hash: owners of movements do, except for one that restores another. */
export const waitedFor = ({ purpose, restores }: Intent): Pick<TransactionSigned['data'], 'purpose'> =>
  restores === undefined && (purpose.kind === 'token-movement' || purpose.kind === 'nft-movement') ? { purpose } : {};

/** Returns the terms of a mint in canonical form. Refuses what cannot be minted. */
function acceptableMint(terms: MintPurpose): MintPurpose {
  const { id, asset, amount, to, maxBrl } = terms;
  if (!isUuid(id)) refuse('invalid-format', 'a mint id is a UUID', 'mint-id');
  assertMintable(asset, maxBrl);
  const money = Money.parse(asset, amount);
  if (!money.isPositive()) refuse('amount-below-minimum', 'the amount to mint must be greater than zero', 'amount');
  toOnChain(money);
  const parsed = parseEvmAddress(to);
  if (!parsed.ok) return refuse(parsed.code, 'the receiver must be an EVM address other than the zero address', 'to');
  return {
    ...pick(terms, 'kind', 'id', 'orderId', 'accountId', 'asset'),
    amount: money.toString(),
    to: parsed.address,
    ...(maxBrl === undefined ? {} : { maxBrl }),
  };
}

/** Refuses tokens that are not minted for orders. Other companies issue USDC and USDT. */
function assertMintable(asset: AssetId, maxBrl: DecimalText | undefined): void {
  const { symbol } = assetOf(asset);
  switch (symbol) {
    case 'BRLV':
    case 'BRLY':
      return;
    case 'wBRLY':
      // The price of a share varies, so without a limit a mint could cost more than the order paid.
      if (maxBrl === undefined)
        refuse('asset-not-supported', `a mint of ${asset} must state its maximum cost`, 'asset');
      return;
    case 'USDC':
    case 'USDT':
    case 'BRL':
    case 'USD':
      refuse('asset-not-supported', `${asset} is not minted for orders`, 'asset');
  }
}

/** Returns the terms of a movement in canonical form. Refuses what cannot be moved. */
function acceptableMovement(terms: TokenMovementPurpose): TokenMovementPurpose {
  const { id, owner, asset, amount, walletIds, to } = terms;
  if (!isUuid(id)) refuse('invalid-format', 'must be a UUID', 'movement-id');
  chainOfToken(asset);
  if (walletIds.length === 0)
    refuse('wallet-not-found', 'a movement must name at least one source wallet', 'source-wallet-id');
  return {
    ...pick(terms, 'kind', 'id', 'accountId', 'asset', 'from', 'receiver', 'walletIds'),
    owner: { kind: owner.kind, id: owner.id },
    amount: movableAmount(asset, amount).toString(),
    to: addressAt('destination', to),
  };
}

/** Returns the terms of a redemption in canonical form. Refuses what cannot be redeemed. */
function acceptableRedemption(terms: RedemptionPurpose): RedemptionPurpose {
  const { kind, id, orderId, accountId, asset, amount, walletIds, minBrl } = terms;
  if (!isUuid(id)) refuse('invalid-format', 'must be a UUID', 'settlement-id');
  const { symbol } = assetOf(asset);
  if (symbol !== 'BRLV' && symbol !== 'wBRLY') refuse('asset-not-supported', `${asset} is not redeemed`, 'asset');
  // The price of a share varies, so without a limit a redemption could yield less than the order pays out.
  if (symbol === 'wBRLY' && minBrl === null)
    refuse('asset-not-supported', `a redemption of ${asset} must state its minimum yield`, 'asset');
  if (walletIds.length === 0) refuse('wallet-not-found', 'a redemption must name at least one source wallet', 'wallet');
  return { kind, id, orderId, accountId, asset, amount: movableAmount(asset, amount).toString(), walletIds, minBrl };
}
