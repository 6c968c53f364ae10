import type { AssetId, Chain, Violation } from '@ponte/kernel';
import { ASSET_IDS, CHAINS, violation } from '@ponte/kernel';
import { PageQuery } from '../../pagination/page-query';
import { address, flag, oneOf, record, rule, text, uuid } from '../../validation/field-types';
import { textList } from '../../validation/list-field-types';
import type { FieldType } from '../../validation/field-types';
import { EnvelopeOf, ListOf } from '../../validation/envelopes';
import { exampleOf, isPlainObject, Optional, OptionalNullable, Required } from '../../validation/fields';
import { SAMPLE } from '../samples';
import { wordList, wordsOf } from '../../console-api/query-words';
import { MUST_BE_WRITABLE, UNWRITABLE, WRITABLE } from '../../validation/person-field-types';
import { shownName } from '../../validation/field-name';
import type { BodyForm } from '../../validation/shape-check';

const NAME_FORM = /^[^\p{Cc}\p{Cf}\p{Cs}]*[^\p{Cc}\p{Cf}\p{Cs}\s][^\p{Cc}\p{Cf}\p{Cs}]*$/u;
/**
 * The characters that {@link NAME_FORM} excludes, without `\p{…}`, which some languages lack. JSON texts have no half
 * surrogate pairs.
 */
const UNSEEN =
  '\\u0000-\\u001f\\u007f-\\u009f\\u00ad\\u0600-\\u0605\\u061c\\u06dd\\u070f\\u180e\\u200b-\\u200f\\u202a-\\u202e\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb';
const name: FieldType = {
  ...text(1, 80, NAME_FORM, 'must be 1 to 80 printable characters, not only spaces'),
  schema: { type: 'string', minLength: 1, maxLength: 80, pattern: `^[^${UNSEEN}]*[^${UNSEEN}\\s][^${UNSEEN}]*$` },
};
/** The keys that a partner may store in the metadata of a wallet. */
const KEY_FORM = /^[a-z0-9-]{1,40}$/;
const MAX_VALUE = 500;
const MAX_KEYS = 50;
/** A change may delete all keys and set as many others. The keys left after merging are counted later. */
const MAX_CHANGED_KEYS = 2 * MAX_KEYS;
const ADDRESS = /^0x[0-9a-fA-F]{40}$/;
/** More addresses than an account has wallets must be a mistake. */
const MAX_ADDRESSES = 100;

const addressList: FieldType = {
  rules: [
    rule(
      'isAddressList',
      (value) => {
        const words = wordsOf(value);
        return words.length <= MAX_ADDRESSES && words.every((one) => ADDRESS.test(one));
      },
      'invalid-format',
      `must be at most ${MAX_ADDRESSES} EVM addresses of 0x and 40 hexadecimal digits each`,
    ),
  ],
  schema: { type: 'array', maxItems: MAX_ADDRESSES, items: { type: 'string', pattern: ADDRESS.source } },
};

/** `mayDelete`: a null value deletes the key. */
const metadata = (mayDelete: boolean): FieldType => ({
  ...record,
  schema: {
    type: 'object',
    maxProperties: mayDelete ? MAX_CHANGED_KEYS : MAX_KEYS,
    propertyNames: { pattern: KEY_FORM.source },
    additionalProperties: { type: 'string', maxLength: MAX_VALUE, pattern: WRITABLE, nullable: true },
  },
});

function keyViolations(key: string, path: string): Violation[] {
  if (KEY_FORM.test(key)) return [];
  return [violation('invalid-format', path, 'must have a key of 1 to 40 lower-case letters, digits and hyphens')];
}

function valueViolations(value: unknown, path: string, mayDelete: boolean): Violation[] {
  if (value === null) return [];
  if (typeof value !== 'string')
    return [violation('invalid-type', path, `must be a string${mayDelete ? ', or null to delete the key' : ''}`)];
  if ([...value].length > MAX_VALUE)
    return [violation('invalid-format', path, `must have at most ${MAX_VALUE} characters`)];
  return UNWRITABLE.test(value) ? [violation('invalid-format', path, MUST_BE_WRITABLE)] : [];
}

/**
 * Reports the violations of each entry of `metadata`. A null value deletes the key where `mayDelete`, and otherwise is
 * the same as leaving the key out.
 */
export const metadataForm = (mayDelete: boolean): BodyForm => ({
  prepare(body) {
    const sent = isPlainObject(body) ? body['metadata'] : undefined;
    if (mayDelete || !isPlainObject(sent)) return body;
    for (const key of Object.keys(sent)) if (sent[key] === null && KEY_FORM.test(key)) delete sent[key];
    return body;
  },
  violations(body) {
    const sent = isPlainObject(body) ? body['metadata'] : undefined;
    if (!isPlainObject(sent)) return [];
    const entries = Object.entries(sent);
    const violations = entries.flatMap(([key, value]) => {
      const path = `metadata.${KEY_FORM.test(key) ? key : shownName(key)}`;
      return [...keyViolations(key, path), ...valueViolations(value, path, mayDelete)];
    });
    const maxKeys = mayDelete ? MAX_CHANGED_KEYS : MAX_KEYS;
    return entries.length > maxKeys
      ? [...violations, violation('invalid-format', 'metadata', `must have at most ${maxKeys} keys`)]
      : violations;
  },
});

export class WalletDto {
  @Required(uuid, 'Id of the wallet', SAMPLE.walletId)
  id!: string;

  @Required(name, 'Name of the wallet', 'Savings')
  name!: string;

  @Required(address, 'Address on its chain; it can receive tokens at once', SAMPLE.wallet)
  address!: string;

  @Required(textList(ASSET_IDS.length, ASSET_IDS), 'The assets that it can hold')
  assets!: AssetId[];

  @Required(flag, 'Whether a user interface should show it', true)
  'ui-enabled'!: boolean;

  @Required(record, 'Your own metadata. It must not contain personal data')
  metadata!: Record<string, string>;
}

export class WalletEnvelopeDto extends EnvelopeOf('wallet', () => WalletDto, 'The wallet') {}

export class WalletsDto extends ListOf('wallets', () => WalletDto, 'Newest first') {}

export class WalletsQuery extends PageQuery {
  @Optional(
    wordList(ASSET_IDS),
    'Only wallets that can hold any of these assets; repeat the parameter or separate values with commas',
  )
  assets?: string | string[];

  @Optional(
    addressList,
    'Only wallets with any of these addresses; repeat the parameter or separate values with commas',
  )
  addresses?: string | string[];
}

export class CreateWalletDto {
  @Required(name, 'Display name: 1–80 printable characters', 'Savings')
  'wallet-name'!: string;

  @Required(oneOf(CHAINS), 'Chain of the wallet', 'eth-base')
  chain!: Chain;

  @OptionalNullable(
    metadata(false),
    'Your own metadata: at most 50 keys of [a-z0-9-]{1,40}, values of at most 500 printable characters',
  )
  metadata?: Record<string, string | null> | null;

  @OptionalNullable(flag, 'Whether a user interface should show it; false if absent', true)
  'ui-enabled'?: boolean | null;
}

export class ChangeWalletDto {
  @OptionalNullable(metadata(true), 'Merged with the existing metadata; null deletes a key. Rules as at creation')
  metadata?: Record<string, string | null> | null;

  @OptionalNullable(flag, 'Whether a user interface should show it; unchanged if absent', false)
  'ui-enabled'?: boolean | null;
}

export const WALLET_EXAMPLE = exampleOf(WalletDto, {
  assets: ['eth-base/brlv', 'eth-base/usdt', 'eth-base/wbrly', 'eth-base/usdc', 'eth-base/brly'],
  metadata: { label: 'Savings of the shop' },
});
export const CHANGE_WALLET_EXAMPLE: ChangeWalletDto = {
  metadata: { label: 'Savings', 'old-label': null },
  'ui-enabled': false,
};
