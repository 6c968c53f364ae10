import type { IncomingBlockReadModel } from './open-blocks.read-model';
import { OpenBlocks } from './open-blocks';

describe('the open blocks of a chain', () => {
  it('must be confirmed again when another log is found in a confirmed block', () => {
    const blocks = new OpenBlocks({} as IncomingBlockReadModel['table'], 'eth-base');
    const block = { number: 7, hash: '0xb' } as const;
    blocks.add(block, false);
    for (const one of blocks.all()) one.confirmed = true;
    blocks.add(block, true);
    expect(blocks.all()).toEqual([{ ...block, confirmed: true }]);
    blocks.add(block, false);
    expect(blocks.all()).toEqual([{ ...block, confirmed: false }]);
  });
});
