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
    const places = Array.from({ length: 4 }, () => turns.ask('a'));
    const waits = places.map((one) => one.wait());
    expect(await Promise.all(waits.map(settled))).toEqual([true, true, 'waits', 'waits']);
    places[1]?.leave();
    expect(await Promise.all(waits.map(settled))).toEqual([true, true, true, 'waits']);
    expect(places.map(({ granted }) => granted)).toEqual([true, false, true, false]);
  });

  it('are skipped if their caller disconnected while waiting', async () => {
    const turns = new UploadTurns(1, () => now);
    const places = Array.from({ length: 3 }, () => turns.ask('a'));
    const waits = places.map((one) => one.wait());
    places[1]?.leave();
    places[0]?.leave();
    expect(await Promise.all(waits.map(settled))).toEqual([true, false, true]);
  });

  it('are refused when their turn comes after more than twelve seconds', async () => {
    const turns = new UploadTurns(1, () => now);
    const places = Array.from({ length: 3 }, () => turns.ask('a'));
    const waits = [places[0]?.wait(), places[1]?.wait()];
    now = 11_000;
    waits.push(places[2]?.wait());
    now = 12_001;
    places[0]?.leave();
    expect(await Promise.all(waits.map((one) => settled(one as Promise<boolean>)))).toEqual([true, false, true]);
  });

  it('release their turn once, however often they leave', async () => {
    const turns = new UploadTurns(1, () => now);
    const first = turns.ask('a');
    await first.wait();
    first.leave();
    first.leave();
    const [second, third] = [turns.ask('a'), turns.ask('a')];
    expect(await Promise.all([second.wait(), third.wait()].map(settled))).toEqual([true, 'waits']);
    const gone = turns.ask('a');
    gone.leave();
    expect(await gone.wait()).toBe(false);
  });

  it('of one account delay the first upload of another by the running one at most', async () => {
    const turns = new UploadTurns(1, () => now);
    const served: string[] = [];
    const upload = (account: string, name: string) => {
      const turn = turns.ask(account);
      void turn.wait().then((granted) => served.push(granted ? name : `${name} refused`));
      return turn;
    };
    const places = new Map(['a1', 'a2', 'a3', 'a4', 'a5'].map((name) => [name, upload('a', name)]));
    for (const name of ['b1', 'b2', 'c1']) places.set(name, upload(name[0] as string, name));
    for (let turn = 0; turn < 8; turn += 1) {
      await new Promise(setImmediate);
      now += 1_000;
      places.get(served.at(-1) as string)?.leave();
    }
    expect(served).toEqual(['a1', 'b1', 'c1', 'a2', 'b2', 'a3', 'a4', 'a5']);
  });

  it('of an account whose turn is next are not refused after the slowest upload', async () => {
    const turns = new UploadTurns(1, () => now);
    const slow = Array.from({ length: 8 }, () => turns.ask('a'));
    void Promise.all(slow.map((one) => one.wait()));
    const other = turns.ask('b').wait();
    now = 10_100;
    slow[0]?.leave();
    expect(await settled(other)).toBe(true);
  });

  it('are refused at once while eight of their account wait, and accepted again when one leaves', async () => {
    const turns = new UploadTurns(1, () => now);
    const places = Array.from({ length: 10 }, () => turns.ask('a'));
    const waits = places.map((one) => one.wait());
    const outcomes = await Promise.all(waits.map(settled));
    expect(outcomes).toEqual([true, ...Array.from({ length: 8 }, () => 'waits'), false]);
    expect(await settled(turns.ask('b').wait())).toBe('waits');
    places[1]?.leave();
    expect(await settled(turns.ask('a').wait())).toBe('waits');
  });
});
