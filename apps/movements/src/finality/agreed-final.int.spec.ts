import 'reflect-metadata';
import type { TransactionConfirmed } from '@ponte/contracts';
import { eventually } from '@ponte/testing';
import { isMinedAt, seenByEnough } from '../chain/adapters/rpc/agreement';
import type { EvmChain } from '../chain/chain.port';
import { movementsForEachTest } from '../testing/movements-for-each-test';

const { open } = movementsForEachTest();

/** The service over two nodes of a chain whose blocks are final at once. The second has none until `agrees` is set. */
async function overTwoNodes() {
  const second = { agrees: false };
  const movements = open({
    serve: (first): EvmChain =>
      Object.assign(Object.create(first) as EvmChain, {
        agreedMined: (...[hash, place]: Parameters<EvmChain['agreedMined']>) =>
          seenByEnough([true, second.agrees], async (has) => has && isMinedAt(await first.transaction(hash), place)),
        atFinality: async (...[question]: Parameters<EvmChain['atFinality']>) => {
          const evidence = await first.atFinality(question);
          return second.agrees ? evidence : { ...evidence, block: { number: 0, hash: '0x0' }, receipts: [] };
        },
      }),
  });
  await movements.start();
  await movements.mint('one');
  await movements.ended('one');
  return { movements, second };
}

describe('a movement that only the first of two nodes has, in a block that it calls final', () => {
  it('completes and is watched, so that its bytes are sent again when the node drops the block', async () => {
    const { movements, second } = await overTwoNodes();
    const [confirmed] = movements.ofType('TransactionConfirmed') as unknown as TransactionConfirmed[];
    expect(confirmed?.data.final).toBe(false);
    movements.base.reorg(1, 'forgotten');
    second.agrees = true;
    await eventually(() => expect(movements.types()).toContain('NoncesFinalized'));
    await expect(movements.balance()).resolves.toBe(25n * 10n ** 17n);
  });

  it('is final once the second node has it', async () => {
    const { movements, second } = await overTwoNodes();
    await movements.rounds.pass();
    expect(movements.types()).not.toContain('NoncesFinalized');
    second.agrees = true;
    await eventually(() => expect(movements.types()).toContain('NoncesFinalized'));
    expect(movements.types()).not.toContain('ReorgedAfterCompletion');
  });
});
