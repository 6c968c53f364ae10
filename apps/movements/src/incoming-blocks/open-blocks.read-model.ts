import { Injectable } from '@nestjs/common';
import { defineReadModel } from '@ponte/nest';
import { incomingTransfers } from '../token-deposits/incoming-transfers.decider';

/** Blocks with deposits, by chain. */
@Injectable()
export class IncomingBlockReadModel extends defineReadModel({
  table: 'incoming_blocks',
  reader: 'movements/incomingTransfers',
  of: incomingTransfers,
  columns: {
    chain: 'text',
    block_number: 'integer',
    block_hash: 'text',
    confirmed: 'boolean',
    // 1 while any of its deposits may vanish, then null, so that the index stays small.
    unfinished: 'integer?',
  },
  indices: [['chain'], ['unfinished']],
  rows: ({ id, state: { block, minedAt, open, confirmed }, revision }) =>
    block === null
      ? undefined
      : {
          id,
          revision,
          created_at: minedAt,
          chain: block.chain,
          block_number: Number(block.blockNumber),
          block_hash: block.blockHash,
          confirmed,
          unfinished: open.length > 0 ? 1 : null,
        },
}) {}
