import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { ArrayMaxSize } from 'class-validator';
import { says } from '../../validation/field-types';
import { OptionalObject } from '../../validation/members';
import { loose } from '../../validation/person-field-types';
import { WalletCustodyDto, WalletProofDto } from './person.dto';

/** Bounded because each wallet takes its own reservation. */
const MAX_WALLETS = 50;
/**
 * The OpenAPI document shows both forms of a wallet, a bare address and an object. Validation sees objects only,
 * because `prepare` converts bare addresses first.
 */
export const OrBare = () =>
  ApiProperty({
    type: 'array',
    isArray: false,
    maxItems: MAX_WALLETS,
    items: { oneOf: [loose(100).schema, { $ref: getSchemaPath(ExternalWalletDto) }] },
  });
export const AtMostFifty = () =>
  ArrayMaxSize(MAX_WALLETS, says('invalid-format', `must have at most ${MAX_WALLETS} elements`));

export class ExternalWalletDto extends WalletCustodyDto {
  @OptionalObject(() => WalletProofDto, 'Proof that the holder controls the key of the wallet')
  proof?: WalletProofDto;
}
/** What an element of the list may be. */
export const WALLET_FORM = 'an address or an object';
export const WALLETS =
  'Wallets of the holder, as objects or as plain addresses; whitelisted when the request is approved';
