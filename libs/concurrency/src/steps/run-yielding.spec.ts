import { runYielding } from './run-yielding';

describe('Work in steps', () => {
  it('gives other work its turn', async () => {
    let hadTurn = false;
    setImmediate(() => {
      hadTurn = true;
    });
    const patience = 50_000_000;
    const steps = await runYielding(
      (function* untilOthersRan() {
        let taken = 0;
        for (; !hadTurn && taken < patience; taken += 1) yield;
        return taken;
      })(),
    );
    expect(steps).toBeLessThan(patience);
  });
});
