import type { Publication } from '../publication/publication.domain';
import { AccountWork } from './scheduling';
import type { IsUndelivered, Scheduled } from './delivery-scheduler';
import { Scheduling } from './scheduling';

const publication = (eventId: string, audience: string): Publication =>
  ({ audience, earlier: [], source: { position: eventId }, envelope: { eventId } }) as unknown as Publication;
const many = (count: number) => Array.from({ length: count }, String);
const turn = (): Promise<void> =>
  new Promise((resolve) => {
    setImmediate(resolve);
  });

describe('scheduling while the endpoints of an account cannot be read', () => {
  let unreadable: Set<string>;
  let planned: string[];
  let looked: boolean[];
  let seen: string[];
  let readAgain: jest.Mock;
  let retry: () => Promise<void>;
  let scheduling: Scheduling;

  const schedule = (audience: string, ...ids: string[]) =>
    scheduling.schedule(
      ids.map((id) => publication(id, audience)),
      [],
    );

  beforeEach(() => {
    [unreadable, planned, looked, seen] = [new Set(), [], [], []];
    readAgain = jest.fn();
    let retries: (() => void)[] = [];
    retry = async () => {
      const due = retries;
      retries = [];
      due.forEach((one) => one());
      await turn();
    };
    const retryForever = async <T>(work: () => Promise<T>): Promise<T> => {
      for (;;) {
        try {
          return await work();
        } catch {
          await new Promise<void>((resolve) => {
            retries.push(resolve);
          });
        }
      }
    };
    const scheduler = {
      schedule: async ({ publications }: Scheduled, isUndelivered: IsUndelivered) => {
        const [{ audience }] = publications as [Publication];
        if (unreadable.has(audience)) throw new Error('unreadable');
        looked.push(!isUndelivered('1'));
        planned.push(`${audience} ${publications.map(({ envelope }) => envelope.eventId).join(' ')}`);
        return [Promise.resolve()];
      },
    };
    const work = new AccountWork(
      { retryForever },
      { fails: (accountId) => seen.push(`${accountId} fails`), works: (accountId) => seen.push(`${accountId} works`) },
    );
    scheduling = new Scheduling(scheduler, { in: async () => () => true }, work, readAgain);
  });

  it('goes on for other accounts, and keeps the order of the account that waits', async () => {
    unreadable.add('a');
    const [first, other, second] = [await schedule('a', '1'), await schedule('b', '2'), await schedule('a', '3')];
    expect(planned).toEqual(['b 2']);
    expect(seen).toContain('a fails');
    expect([first, other, second].map(({ isComplete }) => isComplete)).toEqual([true, true, true]);
    unreadable.clear();
    await retry();
    await Promise.all([...first.open, ...second.open]);
    expect(planned).toEqual(['b 2', 'a 1', 'a 3']);
    expect(looked).toEqual([false, true, true]);
    expect(seen.at(-1)).toBe('a works');
    await schedule('a', '4');
    expect([planned.at(-1), looked.at(-1)]).toEqual(['a 4', false]);
    expect(readAgain).not.toHaveBeenCalled();
  });

  it('holds the checkpoint until the deliveries of the account are recorded', async () => {
    unreadable.add('a');
    const { open } = await schedule('a', '1');
    let isDone = false;
    void Promise.all(open).then(() => (isDone = true));
    await retry();
    expect(isDone).toBe(false);
    unreadable.clear();
    await retry();
    expect(isDone).toBe(true);
  });

  it('leaves out what is too much for accounts that wait, until the log is read again', async () => {
    unreadable.add('a');
    expect(await schedule('a', ...many(2_047))).toMatchObject({ isComplete: true });
    expect(await schedule('a', 'x', 'y')).toEqual({ open: [], isComplete: false });
    // It would precede what was left out.
    expect(await schedule('a', 'z')).toEqual({ open: [], isComplete: false });
    unreadable.clear();
    await retry();
    expect(readAgain).toHaveBeenCalledTimes(1);
    expect(await schedule('a', 'later')).toEqual({ open: [], isComplete: false });
    scheduling.readerBegins();
    expect(await schedule('a', 'x', 'y', 'z', 'later')).toMatchObject({ isComplete: true });
    expect(planned.at(-1)).toBe('a x y z later');
  });

  it('lets the first events of each further account wait, because their success ends the delay', async () => {
    unreadable.add('a').add('b');
    await schedule('a', ...many(2_048));
    expect(await schedule('b', '1')).toMatchObject({ isComplete: true });
    expect(await schedule('b', '2')).toMatchObject({ isComplete: false });
    unreadable.clear();
    await retry();
    expect(planned).toContain('b 1');
    expect(readAgain).toHaveBeenCalledTimes(1);
  });
});
