import type { AccountRecord, CreateTransferPayload, MovementReceiver, Timestamp, WalletRecord } from '@ponte/contracts';
import type { AssetId, Fault } from '@ponte/kernel';
import { Money, Refusal, isToken, parseEvmAddress, refuseAll } from '@ponte/kernel';
import { ADDRESS_MESSAGES, movableAmount } from '../token-movement/token-movement';
import type { TransferTerms } from './transfer.decider';

/** Assets that a transfer moves: the specification names these two. */
export const TRANSFERABLE: readonly AssetId[] = ['eth-base/brlv', 'eth-base/wbrly'];

export const fault = (code: string, path: string, message: string): Fault => ({ code, path, message });

/** Refuses with every fault that the request alone shows, in rule order. */
export function checkRequest({ asset, amount, sourceAddress, targetAddress }: CreateTransferPayload, contracts: ReadonlySet<string>): void {
  const faults: Fault[] = [];
  if (!TRANSFERABLE.includes(asset)) faults.push(fault('asset-not-supported', 'asset', `must be one of: ${TRANSFERABLE.join(', ')}`));
  faults.push(...addressFaults('source-address', sourceAddress), ...addressFaults('target-address', targetAddress));
  if (sourceAddress.toLowerCase() === targetAddress.toLowerCase()) faults.push(fault('same-source-and-target', 'target-address', 'must differ from source-address'));
  if (contracts.has(targetAddress.toLowerCase())) faults.push(fault('invalid-address', 'target-address', 'is a token or a contract of the service, which could not give the tokens back'));
  if (isToken(asset)) faults.push(...amountFaults(asset, amount));
  refuseAll(faults);
}

/** The fault of a text that is no address, at the path. */
export function addressFaults(path: string, text: string): Fault[] {
  const parsed = parseEvmAddress(text);
  return parsed.ok ? [] : [fault(parsed.code, path, ADDRESS_MESSAGES[parsed.code])];
}

function amountFaults(asset: AssetId, amount: string): Fault[] {
  try {
    movableAmount(asset, amount);
    return [];
  } catch (error) {
    if (error instanceof Refusal) return error.faults.map((one) => ({ ...one, path: 'amount' }));
    throw error;
  }
}

export interface TransferFacts {
  readonly account: AccountRecord | null;
  /** The wallet of the source address, if it is the account's. */
  readonly source: WalletRecord | null;
  readonly externalIdUsed: boolean;
}

/** Refuses with every fault that the facts show, in rule order. */
export function checkFacts({ account, source, externalIdUsed }: TransferFacts): WalletRecord {
  const faults: Fault[] = [];
  if (account?.status !== 'active') faults.push(fault('account-not-active', '', 'the account is not active'));
  if (!source) faults.push(fault('source-wallet-not-owned', 'source-address', 'must be the address of a wallet of the account on the chain of the asset'));
  if (externalIdUsed) faults.push(fault('external-id-already-used', 'external-id', 'the account has used this external id for another transfer'));
  refuseAll(faults);
  if (!source) throw new Error('a transfer without faults has a source wallet');
  return source;
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
export function termsOf(payload: CreateTransferPayload, { source, receiver, parentId, holdId, apiKey, at }: Circumstances): TransferTerms {
  const { transferId, accountId, callerAccountId, asset, amount, targetAddress, bodyHash, externalId } = payload;
  return {
    transferId, accountId, createdBy: callerAccountId, createdByApiKey: apiKey, asset, amount: Money.parse(asset, amount).toString(),
    sourceAddress: source.address, targetAddress: targetAddress.toLowerCase(), parentId, sourceWalletId: source.id, receiver, bodyHash, externalId, holdId,
    createdAt: at,
  };
}
