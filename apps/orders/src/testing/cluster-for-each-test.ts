import { Refusal } from '@ponte/kernel';
import { MemoryEventStore, eventually, freshId } from '@ponte/testing';
import type { Tools } from './cluster';
import { Cluster } from './cluster';

const tools: Tools<MemoryEventStore> = {
  open: (soleWriter, before) => new MemoryEventStore({ soleWriter, log: before?.log }),
  eventually,
  freshId,
};

/** The cluster of the current test. */
export let cluster: Cluster<MemoryEventStore>;

/** Starts a new cluster before each test of a file, and stops it afterwards. */
export function useCluster(): void {
  beforeEach(async () => {
    cluster = new Cluster(tools);
    await cluster.boot();
  });
  afterEach(() => cluster.stop());
}

/** Replaces the cluster of the current test by one whose log further processes may write, too. */
export async function shareLog(): Promise<void> {
  await cluster.stop();
  cluster = new Cluster(tools, false);
  await cluster.boot();
}

/** The refusal with which an attempt ends. Throws if it succeeds, or fails otherwise. */
export const refusalOf = (attempt: Promise<unknown>): Promise<Refusal> =>
  attempt.then(
    () => {
      throw new Error('the request was not refused');
    },
    (error: unknown) => {
      if (error instanceof Refusal) return error;
      throw error;
    },
  );
