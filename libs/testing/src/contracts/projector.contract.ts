import type { LeaseGrant, LogSlice } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { MemoryEventStore } from '../memory/event-store';
import { eventually } from '../polling';
import { anEvent, freshId } from '../recorded';
import type { ProjectorSettings, ProjectorUnderTest, RunningProjector } from '../projector-under-test';

/** The contract of a projector, for any implementation of checkpoints and leases. */
export function describeProjector(name: string, open: () => Promise<ProjectorUnderTest>): void {
  describe(`a projector over ${name}`, () => {
    let under: ProjectorUnderTest;
    let store: MemoryEventStore;
    let readModel: string;
    const running: RunningProjector[] = [];
    const logged: object[] = [];
    const logger = { warn: () => undefined, error: (fields: object) => void logged.push(fields) };
    const run = (apply: ProjectorSettings['apply']): RunningProjector => {
      const projector = under.run({
        store,
        checkpoints: under.checkpoints,
        lease: under.lease,
        logger,
        name: readModel,
        categories: ['order'],
        apply,
        batchSize: 10,
        retryMs: [1],
      });
      running.push(projector);
      return projector;
    };
    const write = async (count: number): Promise<void> => {
      for (let at = 0; at < count; at += 1) await store.append(`order-${store.log.length}`, NO_STREAM, anEvent({ at }));
      await store.append(`other-${store.log.length}`, NO_STREAM, anEvent());
    };
    const streams = (slice: LogSlice): string[] => slice.events.map((event) => event.stream);

    beforeAll(async () => {
      under = await open();
    });
    beforeEach(() => {
      store = new MemoryEventStore();
      readModel = freshId();
    });
    afterEach(async () => {
      await Promise.all(running.splice(0).map((projector) => projector.stop()));
      await store.close();
      logged.length = 0;
    });
    afterAll(() => under.cleanUp());

    test('catches up, reports that, follows the log, and continues where it stopped', async () => {
      await write(25);
      const seen: string[] = [];
      const first = run(async (slice) => void seen.push(...streams(slice)));
      await first.caughtUp;
      expect(seen).toHaveLength(25);
      await write(5);
      await eventually(() => expect(seen).toHaveLength(30));
      await first.stop();
      expect(await under.checkpoints.load(readModel)).toBe(await store.head());
      await write(5);
      const again: string[] = [];
      await run(async (slice) => void again.push(...streams(slice))).caughtUp;
      expect(again).toHaveLength(5);
      expect(new Set([...seen, ...again]).size).toBe(35);
    });

    test('is caught up at once with an empty log or without new events', async () => {
      await run(async () => undefined).caughtUp;
      await running.pop()?.stop();
      await write(3);
      const second = run(async () => undefined);
      await second.caughtUp;
      await second.stop();
      await run(async () => {
        throw new Error('nothing is left to apply');
      }).caughtUp;
    });

    test('stops at a checkpoint beyond the end of the log, even when the log grows past it, and continues after it is moved', async () => {
      await write(3);
      await under.checkpoints.save(readModel, '9', 0);
      const seen: string[] = [];
      const projector = run(async (slice) => void seen.push(...streams(slice)));
      await eventually(() =>
        expect(JSON.stringify(logged)).toContain('the position 9 is beyond the end of the log (4)'),
      );
      // Otherwise the fifth to the ninth event would be skipped.
      await write(10);
      await eventually(() => expect(logged.length).toBeGreaterThan(3));
      expect(seen).toEqual([]);
      await under.checkpoints.save(readModel, '4', Number.MAX_SAFE_INTEGER - 1);
      await projector.caughtUp;
      expect(seen).toHaveLength(10);
    });

    test('retries a failing slice until it succeeds, without skipping it', async () => {
      await write(25);
      const seen: string[] = [];
      let failures = 0;
      const projector = run(async (slice) => {
        if (seen.length === 10 && (failures += 1) <= 7) throw new Error('personal words');
        seen.push(...streams(slice));
      });
      await projector.caughtUp;
      expect(failures).toBe(8);
      expect(new Set(seen).size).toBe(25);
      expect(seen).toHaveLength(25);
      expect(logged).toHaveLength(7);
      expect(JSON.stringify(logged)).not.toContain('personal words');
    });

    test('can be stopped while a slice keeps failing, with the checkpoint before that slice', async () => {
      await write(25);
      let failures = 0;
      const projector = run(async (slice) => {
        if (slice.position !== '10') {
          failures += 1;
          throw new Error('never');
        }
      });
      await eventually(() => expect(failures).toBeGreaterThan(2));
      await projector.stop();
      expect(await under.checkpoints.load(readModel)).toBe('10');
    });

    test('works in one process at a time, and another one takes over with a greater fence', async () => {
      await write(5);
      const fences: number[] = [];
      const first = run(async (_, fence) => void fences.push(fence));
      await first.caughtUp;
      run(async (_, fence) => void fences.push(fence));
      await write(3);
      await eventually(() => expect(fences.length).toBeGreaterThanOrEqual(2));
      expect(new Set(fences).size).toBe(1);
      await first.stop();
      await write(3);
      await eventually(() => expect(new Set(fences).size).toBe(2));
      expect(fences.at(-1)).toBeGreaterThan(fences[0] as number);
    });

    test('stops when its lease is lost, and its checkpoint is then refused', async () => {
      await write(5);
      const lost = new AbortController();
      const releases: number[] = [];
      let grants = 0;
      const lease = {
        acquire: async (_name: string, signal: AbortSignal): Promise<LeaseGrant | undefined> => {
          grants += 1;
          if (grants > 1)
            return new Promise((resolve) => {
              signal.addEventListener('abort', () => resolve(undefined));
            });
          return { fence: 4, lost: lost.signal, release: async () => void releases.push(4) };
        },
      };
      const projector = under.run({
        store,
        checkpoints: under.checkpoints,
        lease,
        logger,
        name: readModel,
        apply: async () => undefined,
        retryMs: [1],
      });
      running.push(projector);
      await projector.caughtUp;
      await under.checkpoints.save(readModel, '1', 5);
      await write(5);
      lost.abort();
      await eventually(() => expect([grants, releases]).toEqual([2, [4]]));
      expect(await under.checkpoints.load(readModel)).toBe('1');
    });

    test('resumes soon after a lost lease, however often that happened', async () => {
      await write(5);
      const losses: AbortController[] = [];
      const lease = {
        acquire: async (): Promise<LeaseGrant> => {
          const lost = new AbortController();
          losses.push(lost);
          return { fence: losses.length, lost: lost.signal, release: async () => undefined };
        },
      };
      const apply = async (): Promise<void> => undefined;
      const settings = { store, checkpoints: under.checkpoints, lease, logger, name: readModel, apply };
      const projector = under.run({ ...settings, retryMs: [1, 3_600_000] });
      running.push(projector);
      for (let turn = 1; turn <= 4; turn += 1) {
        await eventually(() => expect([losses.length, projector.holds()]).toEqual([turn, true]));
        losses.at(-1)?.abort();
      }
    });
  });
}
