import { SimulatedLiveness } from './simulated.liveness.adapter';

const NOW = Date.UTC(2026, 2, 1, 12);

describe('The liveness simulator', () => {
  let now = NOW;
  const opened = () => new SimulatedLiveness({ now: () => now });
  const at = (id: string) => ({ provider: 'provider-1', id });

  it('decides by the id of the session, with the same result after a restart', async () => {
    for (const simulator of [opened(), opened()]) {
      await expect(simulator.resultOf(at('session-1'))).resolves.toMatchObject({ outcome: 'passed' });
      await expect(simulator.resultOf(at('fail-1'))).resolves.toMatchObject({ outcome: 'failed' });
      await expect(simulator.resultOf(at('pend-1'))).resolves.toMatchObject({ outcome: 'pending' });
    }
    expect((await opened().resultOf(at('session-1'))).providerEventId).toBe(
      (await opened().resultOf(at('session-1'))).providerEventId,
    );
    expect((await opened().resultOf(at('session-1'))).providerEventId).not.toBe(
      (await opened().resultOf(at('session-2'))).providerEventId,
    );
  });

  it('decides as the test sets, and loses, repeats, delays and reorders notices when configured to misbehave', async () => {
    const simulator = opened();
    const heard: string[] = [];
    simulator.listen(async ({ outcome }) => {
      heard.push(outcome);
    });
    simulator.misbehaviour.notices = 'held';
    await simulator.decide('provider-1', 'pend-1', 'failed');
    now += 1_000;
    await simulator.decide('provider-1', 'pend-1', 'passed');
    expect(heard).toEqual([]);
    await simulator.release();
    expect(heard).toEqual(['passed', 'failed']);
    await expect(simulator.resultOf(at('pend-1'))).resolves.toMatchObject({
      outcome: 'passed',
      decidedAt: '2026-03-01T12:00:01.000Z',
    });
    simulator.misbehaviour.notices = 'lost';
    await simulator.decide('provider-1', 'pend-2', 'passed');
    simulator.misbehaviour.notices = 'repeated';
    await simulator.decide('provider-1', 'pend-3', 'failed');
    expect(heard).toEqual(['passed', 'failed', 'failed', 'failed']);
    simulator.misbehaviour.failing = 1;
    await expect(simulator.resultOf(at('session-1'))).rejects.toMatchObject({ name: 'Unavailable' });
    await expect(simulator.resultOf(at('session-1'))).resolves.toMatchObject({ outcome: 'passed' });
  });
});
