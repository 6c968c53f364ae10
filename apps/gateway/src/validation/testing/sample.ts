import { address, amount, asset, flag, instant, oneOf, text, uuid, whole } from '../field-types';
import { textList } from '../list-field-types';
import { Nullable, Optional, OptionalNullable, OptionalObject, Required, RequiredObjects } from '../fields';

export class Branch {
  @Required(text(1, 4, /^\d+$/), 'a branch')
  'branch-number'!: string;

  @Optional(flag, 'whether it is open')
  'is-open'?: boolean;

  @Optional(uuid, 'its owner')
  'owner-id'?: string;
}

export class Sample {
  @Required(asset, 'an asset')
  'source-asset'!: string;

  @Optional(amount, 'an amount')
  'source-amount'?: string;

  @Required(uuid, 'an id')
  'quote-id'!: string;

  @Optional(oneOf(['a', 'b']), 'a choice')
  choice?: string;

  @Nullable(text(1, 5), 'a text or null')
  note!: string | null;

  @OptionalNullable(whole, 'a count')
  count?: number | null;

  @Optional(address, 'a wallet')
  wallet?: string;

  @Optional(instant, 'a time')
  at?: string;

  @Optional(textList(3, ['x', 'y', 'z']), 'some letters')
  letters?: string[];

  @OptionalObject(() => Branch, 'a branch')
  branch?: Branch;

  @RequiredObjects(() => Branch, 'branches')
  branches!: Branch[];
}

export const good = {
  'source-asset': 'fiat/brl',
  'source-amount': '12.50',
  'quote-id': '0190f8a0-0000-7000-8000-000000000001',
  choice: 'a',
  note: null,
  wallet: `0x${'ab'.repeat(20)}`,
  at: '2026-01-31T12:00:00Z',
  letters: ['x'],
  branch: { 'branch-number': '12' },
  branches: [{ 'branch-number': '1', 'is-open': true }],
};
