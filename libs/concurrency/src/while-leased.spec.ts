import type { Lease, LeaseGrant } from '@ponte/event-sourcing';
import { whileLeased } from './while-leased';

/** A lease that is granted at once, unless `granted` is false. */
function fakeLease(granted = true) {
  const lost = new AbortController();
  let released = 0;
  const grant: LeaseGrant = {
    fence: 7,
    lost: lost.signal,
    release: async () => {
      released += 1;
    },
  };
  const lease: Lease = { acquire: async () => (granted ? grant : undefined) } as Lease;
  return { lease, lose: () => lost.abort(), released: () => released };
}
const never = new AbortController().signal;

describe('work under a lease', () => {
  it('gets the fence, returns its result, and releases the lease once', async () => {
    const { lease, released } = fakeLease();
    expect(await whileLeased(lease, 'job', never, async (_end, { fence }) => fence)).toBe(7);
    expect(released()).toBe(1);
  });

  it('is aborted when the lease is lost or the caller stops', async () => {
    const { lease, lose } = fakeLease();
    const stopping = new AbortController();
    await whileLeased(lease, 'job', stopping.signal, async (end) => {
      expect(end.aborted).toBe(false);
      lose();
      expect(end.aborted).toBe(true);
    });
    const other = fakeLease();
    await whileLeased(other.lease, 'job', stopping.signal, async (end) => {
      stopping.abort();
      expect(end.aborted).toBe(true);
    });
  });

  it('releases the lease even if it rejects', async () => {
    const { lease, released } = fakeLease();
    const failing = async () => {
      throw new Error('broken');
    };
    await expect(whileLeased(lease, 'job', never, failing)).rejects.toThrow('broken');
    expect(released()).toBe(1);
  });

  it('is not started without the lease', async () => {
    const work = jest.fn();
    expect(await whileLeased(fakeLease(false).lease, 'job', never, work)).toBeUndefined();
    expect(work).not.toHaveBeenCalled();
  });
});
