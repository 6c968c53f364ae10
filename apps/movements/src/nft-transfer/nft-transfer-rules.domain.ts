import type {
  AccountRecord,
  CreateNftTransferPayload,
  MovementReceiver,
  Timestamp,
  WalletRecord,
} from '@ponte/contracts';
import type { Violation } from '@ponte/kernel';
import { evmAddressViolations, pick, violation } from '@ponte/kernel';
import type { OpenedTransfer } from '../certificates/certificate.decider';

/** Every violation in the request itself, in rule order. `loss`: why the NFT would be lost at the target, if so. */
export function requestViolations(
  { sourceAddress, targetAddress }: CreateNftTransferPayload,
  loss: string | null,
): Violation[] {
  const [source, target] = [sourceAddress.toLowerCase(), targetAddress.toLowerCase()];
  const violations = [
    ...evmAddressViolations(sourceAddress, 'source-address'),
    ...evmAddressViolations(targetAddress, 'target-address'),
  ];
  if (source === target)
    violations.push(violation('same-source-and-target', 'target-address', 'must differ from source-address'));
  if (loss !== null) violations.push(violation('invalid-address', 'target-address', loss));
  return violations;
}

interface NftTransferFacts {
  readonly account: AccountRecord | null;
  /** The wallet of the source address. Null if the account has none there; undefined if the address was not valid. */
  readonly source: WalletRecord | null | undefined;
  /** The violations that prevent the wallet from sending the certificate. */
  readonly ofCertificate: readonly Violation[];
  readonly externalIdUsed: boolean;
}

/** Every violation by the facts, in rule order. */
export function factViolations({ account, source, ofCertificate, externalIdUsed }: NftTransferFacts): Violation[] {
  const violations: Violation[] = [];
  if (account?.status !== 'active') violations.push(violation('account-not-active', '', 'the account is not active'));
  if (source === null) {
    violations.push(
      violation(
        'source-wallet-not-owned',
        'source-address',
        'must be the address of a wallet of the account on eth-base',
      ),
    );
  }
  violations.push(...ofCertificate);
  if (externalIdUsed) {
    violations.push(
      violation(
        'external-id-already-used',
        'external-id',
        'the account has used this external id for another NFT transfer',
      ),
    );
  }
  return violations;
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
