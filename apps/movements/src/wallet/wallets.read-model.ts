import { Injectable } from '@nestjs/common';
import type { WalletRecord } from '@ponte/contracts';
import type { RowOf } from '@ponte/nest';
import { defineReadModel } from '@ponte/nest';
import { wallet, walletRecord } from '../domain/wallet/wallet';

/** The row of a wallet at a revision of its stream. */
export const walletRow = (record: WalletRecord, revision: number) => ({
  id: record.id,
  revision,
  created_at: record.createdAt,
  account_id: record.accountId,
  chain: record.chain,
  address: record.address,
  name: record.name,
  assets: record.assets,
  ui_enabled: record.uiEnabled,
  metadata: record.metadata,
});

/** Wallets by account and by address. */
@Injectable()
export class WalletReadModel extends defineReadModel({
  table: 'wallets',
  reader: 'movements/wallet',
  of: wallet,
  columns: {
    account_id: 'text',
    chain: 'text',
    // Lower-case.
    address: 'text',
    name: 'text',
    assets: 'json',
    ui_enabled: 'boolean',
    metadata: 'json',
  },
  indices: [['account_id'], ['address']],
  rows: ({ state, revision }) => {
    const record = walletRecord(state);
    return record ? walletRow(record, revision) : undefined;
  },
}) {}

export type WalletRow = RowOf<typeof WalletReadModel>;
