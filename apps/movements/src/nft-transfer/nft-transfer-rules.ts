import type {
  AccountRecord,
  CreateNftTransferPayload,
  MovementReceiver,
  Timestamp,
  WalletRecord,
} from '@ponte/contracts';
import type { Fault } from '@ponte/kernel';
import { refuseAll } from '@ponte/kernel';
import type { OpenedTransfer } from '../certificates/certificate.decider';
import { addressFaults, fault } from '../transfer/transfer.rules';

/**
 * Refuses with every fault that the request alone shows, in rule order. `contracts` are those of the service and the
 * known tokens.
 */
export function checkNftRequest(
  { sourceAddress, targetAddress }: CreateNftTransferPayload,
  contracts: ReadonlySet<string>,
): void {
  const [source, target] = [sourceAddress.toLowerCase(), targetAddress.toLowerCase()];
  const faults = [...addressFaults('source-address', sourceAddress), ...addressFaults('target-address', targetAddress)];
  if (source === target)
    faults.push(fault('same-source-and-target', 'target-address', 'must differ from source-address'));
  if (contracts.has(target)) {
    faults.push(
      fault(
        'invalid-address',
        'target-address',
        'is a token or a contract of the service, which could not give the certificate back',
      ),
    );
  }
  refuseAll(faults);
}

export interface NftTransferFacts {
  readonly account: AccountRecord | null;
  /** The wallet of the source address, if it is the account's. */
  readonly source: WalletRecord | null;
  /** By its stream and by the chain, the source address has the certificate, and no transfer of it is open. */
  readonly isHeld: boolean;
  readonly externalIdUsed: boolean;
}

/** Refuses with every fault that the facts show, in rule order. */
export function checkNftFacts({ account, source, isHeld, externalIdUsed }: NftTransferFacts): WalletRecord {
  const faults: Fault[] = [];
  if (account?.status !== 'active') faults.push(fault('account-not-active', '', 'the account is not active'));
  if (!source) {
    faults.push(
      fault('source-wallet-not-owned', 'source-address', 'must be the address of a wallet of the account on eth-base'),
    );
  } else if (!isHeld) {
    const message = 'must be a certificate that the source wallet holds and that is in no open transfer';
    faults.push(fault('certificate-not-owned', 'reward-certificate-id', message));
  }
  if (externalIdUsed) {
    faults.push(
      fault(
        'external-id-already-used',
        'external-id',
        'the account has used this external id for another NFT transfer',
      ),
    );
  }
  refuseAll(faults);
  if (!source) throw new Error('an NFT transfer without faults has a source wallet');
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
export function nftTermsOf(payload: CreateNftTransferPayload, circumstances: Circumstances): OpenedTransfer {
  const { transferId, accountId, callerAccountId, certificateId, targetAddress, bodyHash, externalId } = payload;
  const { source, receiver, parentId, apiKey, at } = circumstances;
  return {
    transferId,
    accountId,
    createdBy: callerAccountId,
    createdByApiKey: apiKey,
    certificateId,
    sourceAddress: source.address,
    targetAddress: targetAddress.toLowerCase(),
    parentId,
    sourceWalletId: source.id,
    receiver,
    bodyHash,
    externalId,
    createdAt: at,
  };
}
