import type { DepositStatus, DepositType } from '@ponte/contracts';
import { depositMachine } from '@ponte/contracts';
import { CHAINS } from '@ponte/kernel';
import { PageQuery } from '../../pagination/page-query';
import { address, asset, decimal, instant, oneOf, opaqueId, text, uuid } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import {
  exampleOf,
  Optional,
  OptionalNullable,
  OptionalObject,
  Required,
  RequiredObject,
} from '../../validation/fields';
import { FailureDto } from '../orders/order.dto';
import { SAMPLE } from '../samples';

const TYPES = ['pix', 'token', 'manual-fx', 'brlv', 'ted'];
const STATUSES = Object.keys(depositMachine);

/**
 * Where a deposit came from; which fields are present depends on its type. pix and ted: the fields `source-…` and
 * `target`. The sender is masked while it may be someone other than the holder: until the deposit is confirmed, when it
 * is voided, and when it returns a withdrawal to another payee. manual-fx: `source` and `target`, null when unknown.
 * token: the chain and the two addresses.
 */
export class CoordinatesDto {
  @Optional(text(1, 40), 'pix and ted: tax id of the sender; masked unless the sender is the holder', '52998224725')
  'source-tax-id'?: string;

  @Optional(text(1, 20), 'pix and ted: COMPE or ISPB code of the bank of the sender', '12345678')
  'source-bank-code'?: string;

  @Optional(oneOf(['pix', 'ted']), 'pix and ted: payment method', 'pix')
  'source-type'?: string;

  @Optional(text(1, 40), 'pix and ted: account of the sender; masked unless the sender is the holder', '123456-7')
  'source-account-number'?: string;

  @Optional(text(1, 40), 'pix and ted: branch of the sender; masked unless the sender is the holder', '0001')
  'source-branch-code'?: string;

  @OptionalNullable(text(1, 200), 'manual-fx: where the money came from')
  source?: string | null;

  @OptionalNullable(
    text(0, 200),
    'What was paid: a txid, the identifier of a TED, or the withdrawal that was returned; manual-fx: the bank account that was credited',
    '01JD3F8M2K7Q9X4T6V8Z0A1B2',
  )
  target?: string | null;

  @Optional(oneOf(CHAINS), 'The chain of the tokens', 'eth-base')
  'source-chain'?: string;

  @Optional(address, 'The address that sent the tokens', SAMPLE.otherWallet)
  'source-address'?: string;

  @Optional(address, 'The wallet of the account that received them', SAMPLE.wallet)
  'target-address'?: string;
}

export class DepositDto {
  @Required(uuid, 'Id of the deposit', SAMPLE.depositId)
  id!: string;

  @Required(oneOf(TYPES), 'Deposit method', 'pix')
  type!: string;

  @Required(decimal, 'Amount, with the decimal places of the asset', '100.00')
  amount!: string;

  @Required(oneOf(STATUSES), 'See GET /api/v1/state-machines', 'credited')
  status!: string;

  @Required(instant, 'When it reached this status', SAMPLE.time)
  'status-updated-at'!: string;

  @RequiredObject(() => CoordinatesDto, 'Where the deposit came from')
  coordinates!: CoordinatesDto;

  @Optional(text(1, 60), 'Id of the payment at the bank', SAMPLE.endToEndId)
  'end-to-end-id'?: string;

  @Optional(asset, 'Token deposit: the token', 'eth-base/brlv')
  asset?: string;

  @Optional(text(66, 66, /^0x[0-9a-f]{64}$/), 'Token deposit: the transaction on the chain')
  'tx-hash'?: string;

  @Optional(uuid, 'The order whose brcode was paid')
  'order-id'?: string;

  @Optional(uuid, 'The withdrawal whose payment was returned')
  'withdrawal-id'?: string;

  @Optional(uuid, 'The order whose payout was that withdrawal; the returned money is in the balance')
  'returned-order-id'?: string;

  @Required(instant, 'When Ponte was notified of it', SAMPLE.time)
  'created-at'!: string;

  @OptionalNullable(instant, 'When it was credited; null until then, absent if it was voided first', SAMPLE.time)
  'processed-at'?: string | null;

  @OptionalObject(() => FailureDto, 'Voided deposit: why it was voided')
  failure?: FailureDto;
}

export class DepositEnvelopeDto extends EnvelopeOf('deposit', () => DepositDto, 'The deposit') {}

export class DepositsDto extends ListOf('deposits', () => DepositDto, 'Newest first') {}

export class DepositsQuery extends PageQuery {
  @Optional(oneOf(STATUSES), 'Only deposits with this status')
  status?: DepositStatus;

  @Optional(
    oneOf(TYPES),
    'Only of this type. Every deposit of tokens, BRLV included, has the type token; no deposit has the type brlv',
  )
  type?: DepositType;

  @Optional(opaqueId(60), 'Only with exactly this id at the bank; case-sensitive')
  'end-to-end-id'?: string;

  @Optional(
    text(66, 66, /^0x[0-9a-fA-F]{64}$/, 'must be 0x and 64 hexadecimal digits'),
    'Only of this transaction on a chain',
    SAMPLE.txHash,
  )
  'tx-hash'?: string;
}

/** The static Pix code with which an account is funded. */
export class FundingCodeDto {
  @Required(oneOf(['brl']), 'Short name of the asset that is deposited', 'brl')
  asset!: string;

  @Required(oneOf(['pix']), 'Payment method', 'pix')
  type!: string;

  @Required(text(1, 600), 'Pix copy-and-paste code for any amount', SAMPLE.brcode)
  brcode!: string;

  @Required(text(1, 20_000), 'The code as a PNG, base64', SAMPLE.qrCode)
  'qr-code-base64'!: string;
}

export const DEPOSIT_EXAMPLE = exampleOf(DepositDto, {
  coordinates: {
    'source-tax-id': '52998224725',
    'source-bank-code': '12345678',
    'source-type': 'pix',
    'source-account-number': '123456-7',
    'source-branch-code': '0001',
    target: '01JD3F8M2K7Q9X4T6V8Z0A1B2',
  },
  'end-to-end-id': SAMPLE.endToEndId,
  'processed-at': SAMPLE.time,
});
