import { INFORMATION_ITEMS, PARTNER_REASONS } from '../onboarding/review/review-words';
import type { PayloadFields } from './payload-fields';
import {
  accountId,
  amount,
  asset,
  createdBy,
  notInExample,
  endToEndId,
  externalId,
  id,
  optional,
  oneOf,
  OTHER,
  OTHER_WALLET,
  someOf,
  text,
  time,
  txHash,
  wallet,
} from './payload-fields';

export const conversion: PayloadFields = {
  'source-asset': text('Asset that is paid', 'fiat/brl'),
  'target-asset': text('Asset that is bought', 'eth-base/brlv'),
  'source-amount': amount('Amount that is paid'),
  'target-amount': amount('Amount that is bought', '100.000000000000000000'),
  'effective-rate': amount('Exchange rate of the two amounts', '1.0000000000'),
  'source-wallet-address': notInExample(wallet('Wallet that pays; absent for fiat money')),
  'target-wallet-address': optional(wallet('Wallet that receives; absent for fiat money')),
};
export const ofOrder: PayloadFields = { 'order-id': id('The order'), 'account-id': accountId, ...externalId };
const depositType = text('Deposit method', 'pix');
/** The fields that describe the sender of a deposit. `masked` chooses their descriptions and examples. */
export const source = (masked: boolean): PayloadFields => {
  const note = masked ? ', masked' : '; masked in a withdrawal that the bank returned, unless its payee is the holder';
  return {
    'source-legal-name': optional(text(`Name of the sender${note}`, masked ? '***' : 'Maria Souza')),
    'source-tax-id': optional(text(`CPF or CNPJ of the sender${note}`, masked ? '***.982.247-**' : '52998224725')),
    'source-bank-code': optional(text('Bank of the sender', '12345678')),
    'source-branch-code': optional(text(`Branch of the sender${note}`, masked ? '***' : '0001')),
    'source-account-number': optional(text(`Account of the sender${note}`, masked ? '***' : '123456-7')),
  };
};
export const ofDeposit: PayloadFields = {
  'deposit-id': id('The deposit'),
  'account-id': accountId,
  asset,
  amount: amount('Amount that was received'),
  'deposit-type': depositType,
};
const ofVoided: PayloadFields = {
  ...ofDeposit,
  status: oneOf(['voided'], 'State of the deposit'),
  'voided-at': time('When it was voided'),
};
/** The asset of a deposit of BRL or USD, and what it was for. */
export const ofPayment: PayloadFields = {
  asset: text('The asset', 'fiat/brl'),
  ...endToEndId,
  'order-id': optional(id('The order that the deposit pays; absent from any other deposit', OTHER.order)),
  'withdrawal-id': notInExample(
    id('The withdrawal that the bank returned; absent from any other deposit', OTHER.withdrawal),
  ),
  'returned-order-id': notInExample(
    id('The order whose payout was that withdrawal; absent from any other deposit', OTHER.order),
  ),
};
/** A deposit that was not accepted or that the bank took back. */
export const voidedPayment: PayloadFields = {
  ...ofVoided,
  reason: text('Why', 'payer-tax-id-mismatch'),
  ...ofPayment,
  ...source(true),
  'source-legal-name': text('Name of the sender, masked', '***'),
};
/** A token deposit whose block was replaced, or whose sender was refused. */
export const voidedTokens: PayloadFields = {
  ...ofVoided,
  reason: oneOf(['reorged', 'compliance'], 'Why'),
  'source-address': wallet('Wallet that paid'),
  'target-address': wallet('Wallet that was to receive', OTHER_WALLET),
  'tx-hash': txHash,
};
/** What the partner still has to send for an account request; absent when nothing is missing. */
export const requestedInformation: PayloadFields = {
  missing: optional(someOf(INFORMATION_ITEMS, 'The information that must be sent', ['document'])),
  issues: optional(someOf(PARTNER_REASONS, 'What was wrong with the previous information', ['document-quality'])),
  'information-due-at': optional(time('Deadline for the information', '2026-02-14T12:00:00.000Z')),
};
export const ofWithdrawal: PayloadFields = {
  'withdraw-id': id('The withdrawal'),
  'account-id': accountId,
  ...externalId,
  asset: text('The asset', 'fiat/brl'),
  amount: amount('Amount that is paid out'),
  'order-id': notInExample(id('The order that it pays out; absent from other withdrawals', OTHER.order)),
};
export const method = oneOf(['pix', 'ted', 'token'], 'Withdrawal method');
export const ofTransfer: PayloadFields = {
  'transfer-id': id('The transfer'),
  'account-id': accountId,
  ...externalId,
  ...createdBy,
  asset,
  amount: amount('Amount that is transferred', '25.000000000000000000'),
  'source-wallet-address': wallet('Wallet that pays'),
  'target-wallet-address': wallet('Wallet that receives', OTHER_WALLET),
  'tx-hash': optional(txHash),
};
/** Common fields of the NFT transfer events. */
export const ofNftTransfer: PayloadFields = {
  'transfer-id': id('The transfer'),
  'account-id': accountId,
  ...externalId,
  ...createdBy,
  'reward-certificate-id': id('The certificate', OTHER.certificate),
  'source-wallet-address': wallet('Wallet that held it'),
  'target-wallet-address': wallet('Wallet that receives it', OTHER_WALLET),
  'tx-hash': optional(txHash),
};
