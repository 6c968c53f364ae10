import { ApiProperty, getSchemaPath } from '@nestjs/swagger';
import { OptionalObject } from '../../validation/fields';
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

export class ExternalWalletDto extends WalletCustodyDto {
  @OptionalObject(() => WalletProofDto, 'Proof that the holder controls the key of the wallet')
  proof?: WalletProofDto;
}
export const WALLET_LIST = { element: 'an address or an object', max: MAX_WALLETS };
export const WALLETS =
  'Wallets of the holder, as objects or as plain addresses; whitelisted when the request is approved';
