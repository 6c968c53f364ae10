import { UploadTurns } from './upload-turns';

let now = 0;
const settled = async (waiting: Promise<boolean>): Promise<boolean | 'waits'> => {
  await new Promise((resolve) => {
    setImmediate(resolve);
  });
  return Promise.race([waiting, Promise.resolve<'waits'>('waits')]);
};

describe('uploads', () => {
  beforeEach(() => {
    now = 0;
  });

  it('are processed as there are turns, and the others follow in order', async () => {
    const turns = new UploadTurns(2, () => now);
    const places = Array.from({ length: 4 }, () => turns.ask());
    const waits = places.map((one) => one.wait());
    expect(await Promise.all(waits.map(settled))).toEqual([true, true, 'waits', 'waits']);
    places[1]?.leave();
    expect(await Promise.all(waits.map(settled))).toEqual([true, true, true, 'waits']);
    expect(places.map(({ granted }) => granted)).toEqual([true, false, true, false]);
  });

  it('are skipped if their caller disconnected while waiting', async () => {
    const turns = new UploadTurns(1, () => now);
    const places = Array.from({ length: 3 }, () => turns.ask());
    const waits = places.map((one) => one.wait());
    places[1]?.leave();
    places[0]?.leave();
    expect(await Promise.all(waits.map(settled))).toEqual([true, false, true]);
  });

  it('are refused when their turn comes after more than five seconds', async () => {
    const turns = new UploadTurns(1, () => now);
    const places = Array.from({ length: 3 }, () => turns.ask());
    const waits = [places[0]?.wait(), places[1]?.wait()];
    now = 4_000;
    waits.push(places[2]?.wait());
    now = 5_001;
    places[0]?.leave();
    expect(await Promise.all(waits.map((one) => settled(one as Promise<boolean>)))).toEqual([true, false, true]);
  });

  it('release their turn once, however often they leave', async () => {
    const turns = new UploadTurns(1, () => now);
    const first = turns.ask();
    await first.wait();
    first.leave();
    first.leave();
    const [second, third] = [turns.ask(), turns.ask()];
    expect(await Promise.all([second.wait(), third.wait()].map(settled))).toEqual([true, 'waits']);
    const gone = turns.ask();
    gone.leave();
    expect(await gone.wait()).toBe(false);
  });
});
