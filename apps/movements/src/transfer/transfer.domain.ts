import type {
  AccountRecord,
  CreateTransferPayload,
  MovementReceiver,
  ServedPurpose,
  Timestamp,
  WalletRecord,
} from '@ponte/contracts';
import type { AssetId, Violation } from '@ponte/kernel';
import { evmAddressViolations, isToken, Money, pick, Refusal, toOnChain, violation } from '@ponte/kernel';
import { ABOVE_MAXIMUM } from '../token-movement/chain-values.domain';
import type { MinimumAmounts } from '../token-movement/minimum-amounts.domain';
import { minimumViolations } from '../token-movement/minimum-amounts.domain';
import type { TransferTerms } from './transfer.decider';

/** The assets that can be transferred, as in the specification. */
export const TRANSFERABLE: readonly AssetId[] = ['eth-base/brlv', 'eth-base/wbrly'];

/** What one transfer may move. */
export interface AmountLimits {
  readonly minimums: MinimumAmounts;
  /** Whether one transaction may move this many units. */
  readonly isWithin: (units: bigint) => boolean;
}

/** Every violation in the request itself, in rule order. `loss`: why tokens would be lost at the target, if so. */
export function requestViolations(
  { asset, amount, sourceAddress, targetAddress }: CreateTransferPayload,
  loss: string | null,
  limits: AmountLimits,
): Violation[] {
  const violations: Violation[] = [];
  if (!TRANSFERABLE.includes(asset))
    violations.push(violation('asset-not-supported', 'asset', `must be one of: ${TRANSFERABLE.join(', ')}`));
  violations.push(
    ...evmAddressViolations(sourceAddress, 'source-address'),
    ...evmAddressViolations(targetAddress, 'target-address'),
  );
  if (sourceAddress.toLowerCase() === targetAddress.toLowerCase())
    violations.push(violation('same-source-and-target', 'target-address', 'must differ from source-address'));
  if (loss !== null) violations.push(violation('invalid-address', 'target-address', loss));
  if (isToken(asset)) violations.push(...amountViolations(asset, amount, limits));
  return violations;
}

function amountViolations(asset: AssetId, amount: string, { minimums, isWithin }: AmountLimits): Violation[] {
  try {
    const money = Money.parse(asset, amount);
    const units = toOnChain(money);
    return isWithin(units) ? minimumViolations(money, minimums) : [ABOVE_MAXIMUM];
  } catch (error) {
    if (error instanceof Refusal) return [...error.violations];
    throw error;
  }
}

export interface TransferFacts {
  readonly account: AccountRecord | null;
  /** The wallet of the source address. Null if the account has none there; undefined if the address was not valid. */
  readonly source: WalletRecord | null | undefined;
  readonly externalIdUsed: boolean;
}

/** Every violation by the facts, in rule order. */
export function factViolations({ account, source, externalIdUsed }: TransferFacts): Violation[] {
  const violations: Violation[] = [];
  if (account?.status !== 'active') violations.push(violation('account-not-active', '', 'the account is not active'));
  if (source === null)
    violations.push(
      violation(
        'source-wallet-not-owned',
        'source-address',
        'must be the address of a wallet of the account on the chain of the asset',
      ),
    );
  if (externalIdUsed)
    violations.push(
      violation(
        'external-id-already-used',
        'external-id',
        'the account has used this external id for another transfer',
      ),
    );
  return violations;
}

interface Circumstances {
  readonly source: WalletRecord;
  readonly receiver: MovementReceiver | null;
  readonly parentId: string | null;
  readonly holdId: string;
  readonly apiKey: string;
  readonly at: Timestamp;
}

/** The terms of a transfer that passed the checks. */
export function termsOf(
  payload: CreateTransferPayload,
  { source, receiver, parentId, holdId, apiKey, at }: Circumstances,
): TransferTerms {
  const { callerAccountId, asset, amount, targetAddress } = payload;
  return {
    ...pick(payload, 'transferId', 'accountId', 'asset', 'bodyHash', 'externalId'),
    createdBy: callerAccountId,
    createdByApiKey: apiKey,
    amount: Money.parse(asset, amount).toString(),
    sourceAddress: source.address,
    targetAddress: targetAddress.toLowerCase(),
    sourceWalletId: source.id,
    parentId,
    receiver,
    holdId,
    createdAt: at,
  };
}

/** A transfer of tokens or of a reward certificate. */
export interface MovedResource {
  readonly kind: 'transfer' | 'nft-transfer';
  readonly transferId: string;
}

/** The transfer that a transaction is for; null when it is for something else. */
export function transferOf(purpose: ServedPurpose): MovedResource | null {
  if (purpose.kind === 'nft-movement') return { kind: 'nft-transfer', transferId: purpose.id };
  if (purpose.kind !== 'token-movement' || purpose.owner.kind !== 'transfer') return null;
  return { kind: 'transfer', transferId: purpose.owner.id };
}
