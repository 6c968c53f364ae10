import 'reflect-metadata';
import { Unavailable } from '@ponte/kernel';
import { eventually } from '@ponte/testing';
import type { LogNode } from '../transfer-logs/transfer-logs.port';
import { openedForTest, states, useMovementsForEachTest } from '../testing/token-deposits-for-each-test';

useMovementsForEachTest();

/** Counts the rounds of a scan: each one begins with the final block. The next one fails, or waits, if requested. */
function counted(node: LogNode) {
  const finalBlock = node.finalBlock.bind(node);
  const rounds = { count: 0, failNext: false, waitFor: Promise.resolve() };
  node.finalBlock = async () => {
    rounds.count += 1;
    await rounds.waitFor;
    if (!rounds.failNext) return finalBlock();
    rounds.failNext = false;
    throw new Unavailable('chain-unavailable', 'no answer');
  };
  return rounds;
}

async function resting() {
  const opened = await openedForTest();
  const [node] = opened.movements.base.logNodes as unknown as [LogNode];
  await opened.movements.rounds.pass();
  return { ...opened, scan: counted(node) };
}

describe('A chain without new blocks', () => {
  it('is not read again once everything is read', async () => {
    const { movements, scan } = await resting();
    await movements.rounds.pass();
    expect(scan.count).toBe(0);
  });

  it('is read once with the next block, even if the time for another round comes meanwhile', async () => {
    const { movements, scan } = await resting();
    let end: () => void = () => undefined;
    scan.waitFor = new Promise((resolve) => (end = resolve));
    movements.base.mine();
    await eventually(() => expect(scan.count).toBe(1));
    const passed = movements.rounds.pass();
    await new Promise((resolve) => setTimeout(resolve, 100));
    end();
    await passed;
    await movements.rounds.pass();
    expect(scan.count).toBe(1);
  });

  it('is read with the next block, and again after a failure without waiting for another block', async () => {
    const { movements, outsider, to, scan } = await resting();
    scan.failNext = true;
    await outsider.send(to, 1_500_000n);
    movements.base.mine();
    await eventually(() => expect(states(movements)).toEqual(['seen']));
    expect(scan.count).toBeGreaterThan(1);
  });
});
