import { Pressure } from './pressure';

const CALLERS = 64;

describe('callers go before consumers of the log (ADR 13)', () => {
  let now = 0;
  let pressure: Pressure;
  let admitted = 0;
  beforeEach(() => {
    jest.useFakeTimers();
    [now, admitted] = [0, 0];
    pressure = new Pressure(() => now);
  });
  afterEach(() => jest.useRealTimers());

  const events = (count: number): void => {
    for (let at = 0; at < count; at += 1) {
      const turn = pressure.turn();
      if (!turn) admitted += 1;
      else void turn.then(() => { admitted += 1; });
    }
  };
  const callers = (count: number): void => { for (let at = 0; at < count; at += 1) pressure.requestBegan(); };
  const answered = (count: number): void => { for (let at = 0; at < count; at += 1) pressure.requestEnded(); };
  const pass = async (milliseconds: number): Promise<void> => {
    now += milliseconds;
    await jest.advanceTimersByTimeAsync(milliseconds);
  };

  it('nobody waits while few call', () => {
    callers(3);
    events(100);
    expect(admitted).toBe(100);
  });

  it('while many call, an event gets its turn for every eighth request that is answered', async () => {
    callers(CALLERS);
    events(100);
    await Promise.resolve();
    expect(admitted).toBe(0);
    answered(40);
    await Promise.resolve();
    expect(admitted).toBe(5);
  });

  it('all answered at once is not yet quiet, as after a group commit; a while later it is', async () => {
    callers(CALLERS);
    events(100);
    answered(CALLERS);
    await Promise.resolve();
    expect(admitted).toBe(8);
    await pass(25);
    await pass(25);
    expect(admitted).toBe(100);
  });

  it('consumers never stand still, however long nobody is answered', async () => {
    callers(CALLERS);
    events(100);
    await pass(25);
    expect(admitted).toBe(8);
    await pass(75);
    expect(admitted).toBe(32);
  });

  it('turns that nobody used are not saved up', async () => {
    callers(CALLERS);
    answered(10_000);
    callers(10_000);
    events(100);
    await Promise.resolve();
    expect(admitted).toBe(16);
  });
});
