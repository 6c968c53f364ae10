import type { Broadcast, BroadcastRefusal } from '../../chain.port';
import { broadcastToAll } from './broadcast-to-all';

const TAKEN: Broadcast = { outcome: 'taken' };
const UNKNOWN: Broadcast = { outcome: 'unknown', message: 'the node did not answer' };
const refused = (reason: BroadcastRefusal): Broadcast => ({
  outcome: 'refused',
  reason,
  message: `refused: ${reason}`,
});
const FEE = refused('fee-too-low');
const COINS = refused('insufficient-gas-money');
const USED = refused('nonce-used');
const INVALID = refused('invalid');

/** Each answer stands for a node that gives it. */
const sent = (...answers: Broadcast[]) => broadcastToAll(answers, async (answer) => answer);

describe('Bytes that are sent to several nodes', () => {
  it.each([UNKNOWN, FEE, COINS, USED, INVALID])(
    'are taken when one node takes them and others answer %j',
    async (answer) => {
      expect(await sent(answer, TAKEN)).toEqual(TAKEN);
      expect(await sent(TAKEN, answer)).toEqual(TAKEN);
      expect(await sent(answer, answer, TAKEN)).toEqual(TAKEN);
    },
  );

  it('are taken before slower nodes answer, whose answers are noted when they come', async () => {
    let answerSlowly: (answer: Broadcast) => void = () => undefined;
    const slow = new Promise<Broadcast>((resolve) => {
      answerSlowly = resolve;
    });
    const noted: unknown[] = [];
    const nodes = [slow, Promise.resolve(TAKEN)];
    const result = await broadcastToAll(
      nodes,
      (answer) => answer,
      (node, answer) => noted.push([nodes.indexOf(node as Promise<Broadcast>), answer]),
    );
    expect([result, noted]).toEqual([TAKEN, [[1, TAKEN]]]);
    answerSlowly(COINS);
    await slow;
    await new Promise(setImmediate);
    expect(noted).toEqual([
      [1, TAKEN],
      [0, COINS],
    ]);
  });

  it('are refused when a node refuses them and the others do not answer', async () => {
    expect(await sent(UNKNOWN, COINS)).toEqual(COINS);
    expect(await sent(USED, UNKNOWN)).toEqual(USED);
    expect(await sent(UNKNOWN, UNKNOWN)).toEqual(UNKNOWN);
  });

  it('have a used nonce only when no node still accepts another transaction with it', async () => {
    expect(await sent(USED, USED)).toEqual(USED);
    expect(await sent(USED, INVALID)).toEqual(USED);
    for (const lagging of [FEE, COINS]) {
      expect(await sent(USED, lagging)).toEqual(lagging);
      expect(await sent(lagging, USED)).toEqual(lagging);
    }
  });

  it('need a higher fee when one node says so', async () => {
    for (const other of [COINS, USED, INVALID, UNKNOWN]) {
      expect(await sent(other, FEE)).toEqual(FEE);
      expect(await sent(FEE, other)).toEqual(FEE);
    }
  });
});
