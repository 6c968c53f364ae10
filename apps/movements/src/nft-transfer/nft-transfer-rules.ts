import type {
  AccountRecord,
  CreateNftTransferPayload,
  MovementReceiver,
  Timestamp,
  WalletRecord,
} from '@ponte/contracts';
import type { Violation } from '@ponte/kernel';
import { pick, refuseAll, violation } from '@ponte/kernel';
import type { OpenedTransfer } from '../certificates/certificate.decider';
import { IS_OF_THE_HOUSE } from '../token-movement/token-destinations';
import { addressViolations } from '../transfer/transfer.domain';

/** Refuses with every violation in the request itself, in rule order. `house`: the house addresses. */
export function checkNftRequest(
  { sourceAddress, targetAddress }: CreateNftTransferPayload,
  house: ReadonlySet<string>,
): void {
  const [source, target] = [sourceAddress.toLowerCase(), targetAddress.toLowerCase()];
  const violations = [
    ...addressViolations('source-address', sourceAddress),
    ...addressViolations('target-address', targetAddress),
  ];
  if (source === target)
    violations.push(violation('same-source-and-target', 'target-address', 'must differ from source-address'));
  if (house.has(target)) violations.push(violation('invalid-address', 'target-address', IS_OF_THE_HOUSE));
  refuseAll(violations);
}

export interface NftTransferFacts {
  readonly account: AccountRecord | null;
  /** The wallet of the source address, if it belongs to the account. */
  readonly source: WalletRecord | null;
  /** Whether, in its stream and on the chain, the source address has the certificate, and it is in no open transfer. */
  readonly isHeld: boolean;
  readonly externalIdUsed: boolean;
}

/** Refuses with every violation by the facts, in rule order. */
export function checkNftFacts({ account, source, isHeld, externalIdUsed }: NftTransferFacts): WalletRecord {
  const violations: Violation[] = [];
  if (account?.status !== 'active') violations.push(violation('account-not-active', '', 'the account is not active'));
  if (!source) {
    violations.push(
      violation(
        'source-wallet-not-owned',
        'source-address',
        'must be the address of a wallet of the account on eth-base',
      ),
    );
  } else if (!isHeld) {
    const message = 'must be a certificate that the source wallet holds and that is in no open transfer';
    violations.push(violation('certificate-not-owned', 'reward-certificate-id', message));
  }
  if (externalIdUsed) {
    violations.push(
      violation(
        'external-id-already-used',
        'external-id',
        'the account has used this external id for another NFT transfer',
      ),
    );
  }
  refuseAll(violations);
  if (!source) throw new Error('an NFT transfer that passed its checks must have a source wallet');
  return source;
}

interface Circumstances {
  readonly source: WalletRecord;
  readonly receiver: MovementReceiver | null;
  readonly parentId: string | null;
  readonly apiKey: string;
  readonly at: Timestamp;
}

/** The terms of a transfer that passed the checks. */
export function nftTermsOf(
  payload: CreateNftTransferPayload,
  { source, receiver, parentId, apiKey, at }: Circumstances,
): OpenedTransfer {
  return {
    ...pick(payload, 'transferId', 'accountId', 'certificateId', 'bodyHash', 'externalId'),
    createdBy: payload.callerAccountId,
    createdByApiKey: apiKey,
    sourceAddress: source.address,
    targetAddress: payload.targetAddress.toLowerCase(),
    sourceWalletId: source.id,
    parentId,
    receiver,
    createdAt: at,
  };
}
