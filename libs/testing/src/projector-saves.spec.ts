import type { Position } from '@ponte/event-sourcing';
import { NO_STREAM } from '@ponte/event-sourcing';
import { runProjector } from '@ponte/read-models';
import { MemoryEventStore } from './memory/event-store';
import { eventually } from './polling';
import { anEvent } from './recorded';

const lease = {
  acquire: async () => ({ fence: 1, lost: new AbortController().signal, release: async () => undefined }),
};
const logger = { warn: () => undefined, error: () => undefined };

test('a save that takes long never overwrites the checkpoint of a later save', async () => {
  const store = new MemoryEventStore();
  let checkpoint: Position | undefined;
  const begun: Position[] = [];
  const ended: Position[] = [];
  let release = (): void => undefined;
  const firstSave = new Promise<void>((resolve) => {
    release = resolve;
  });
  const applied: string[] = [];
  const projector = runProjector({
    store,
    lease,
    logger,
    name: 'read model',
    checkpoints: {
      load: async () => checkpoint,
      save: async (_reader, position) => {
        if (begun.push(position) === 1) await firstSave;
        checkpoint = position;
        ended.push(position);
        return true;
      },
    },
    apply: async ({ events }) => void applied.push(...events.map(({ stream }) => stream)),
  });
  await store.append('order-1', NO_STREAM, anEvent());
  await eventually(() => expect(begun).toHaveLength(1));
  await store.append('order-2', NO_STREAM, anEvent());
  await eventually(() => expect(applied).toEqual(['order-1', 'order-2']));
  // Longer than the interval between two saves, so that the next save would be under way.
  await new Promise((resolve) => setTimeout(resolve, 400));
  release();
  await eventually(() => expect(ended).toContain(begun[0]));
  await eventually(async () => expect(checkpoint).toBe(await store.head()), 2_000);
  await projector.stop();
});
