import type { DepositRecord, WithdrawalRecord } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import { SAMPLE } from '../../api/samples';

export const SENDER = { taxId: '11144477735', account: '998877-6', branch: '4321' };

export async function depositRecord(
  personalData: PersonalData,
  more: Partial<DepositRecord> = {},
): Promise<DepositRecord> {
  const [sourceTaxId, sourceAccountNumber, sourceBranchCode, sourceLegalName] = await Promise.all(
    [SENDER.taxId, SENDER.account, SENDER.branch, 'Maria'].map((text) => personalData.seal('a-sender', text)),
  );
  if (!sourceTaxId || !sourceAccountNumber || !sourceBranchCode || !sourceLegalName) throw new Error('sealing failed');
  return {
    id: SAMPLE.depositId,
    accountId: SAMPLE.accountId,
    type: 'pix',
    asset: 'fiat/brl',
    amount: '100.00',
    status: 'credited',
    voidReason: null,
    endToEndId: SAMPLE.endToEndId,
    orderId: null,
    withdrawalId: null,
    returnedOrderId: null,
    recorded: null,
    createdAt: SAMPLE.time,
    statusUpdatedAt: SAMPLE.time,
    processedAt: SAMPLE.time,
    coordinates: {
      sourceTaxId,
      sourceTaxIdFingerprint: 'f'.repeat(64),
      sourceLegalName,
      sourceBankCode: '12345678',
      sourceType: 'checking',
      sourceAccountNumber,
      sourceBranchCode,
      target: 'TXID',
    },
    ...more,
  };
}

/** A token deposit from outside that waits because its block is not final. */
export async function tokenDepositRecord(
  personalData: PersonalData,
  more: Partial<DepositRecord> = {},
): Promise<DepositRecord> {
  return {
    ...(await depositRecord(personalData)),
    type: 'token',
    asset: 'eth-base/usdc',
    amount: '25.000000',
    status: 'confirmed',
    processedAt: null,
    endToEndId: null,
    coordinates: {
      sourceChain: 'eth-base',
      sourceAddress: SAMPLE.otherWallet,
      targetAddress: SAMPLE.wallet,
      txHash: SAMPLE.txHash,
      movementId: null,
    },
    ...more,
  };
}

/** The deposit in the routes of the staff API that show one USD deposit. */
export const USD_DEPOSIT_ID = 'b4e6f8a0-2c3d-8e4f-a071-93a2b4c5d6e7';

export async function usdDepositRecord(
  personalData: PersonalData,
  more: Partial<DepositRecord> = {},
): Promise<DepositRecord> {
  return {
    ...(await depositRecord(personalData)),
    type: 'manual-fx',
    asset: 'fiat/usd',
    amount: '2500.00',
    status: 'created',
    processedAt: null,
    endToEndId: 'SWIFT-1',
    coordinates: { source: await personalData.seal('a-holder', 'Example Bank'), target: null },
    recorded: { staffId: SAMPLE.parentId, evidence: { bankReference: 'SWIFT-1', documentSha256: '4f'.repeat(32) } },
    ...more,
  };
}

export async function withdrawalRecord(
  personalData: PersonalData,
  more: Partial<WithdrawalRecord> = {},
): Promise<WithdrawalRecord> {
  const seal = (text: string) => personalData.seal('a-payee', text);
  const payee = {
    legalName: await seal('Ana Duarte'),
    taxId: await seal(SENDER.taxId),
    taxIdFingerprint: 'f'.repeat(64),
    bankCode: '756',
    branchCode: await seal(SENDER.branch),
    accountNumber: await seal(SENDER.account),
  };
  const target =
    more.method === 'ted'
      ? { method: 'ted' as const, payee }
      : { method: 'pix' as const, pixKey: await seal(SAMPLE.pixKey), payee };
  return {
    id: SAMPLE.withdrawalId,
    accountId: SAMPLE.accountId,
    asset: 'fiat/brl',
    amount: '100.00',
    method: 'pix',
    state: 'created',
    stateUpdatedAt: SAMPLE.time,
    createdAt: SAMPLE.time,
    createdBy: SAMPLE.parentId,
    createdByApiKey: SAMPLE.keyId,
    externalId: null,
    orderId: null,
    scheduledFor: null,
    target,
    endToEndId: null,
    txHash: null,
    failure: null,
    ...more,
  };
}
