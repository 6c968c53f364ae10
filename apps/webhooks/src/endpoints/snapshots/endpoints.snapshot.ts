import type { SnapshotCodec } from '@ponte/event-sourcing';
import type { Endpoint, Endpoints } from '../endpoints.state';

interface Saved {
  readonly endpoints: readonly Endpoint[];
  readonly replays: readonly string[];
}

/**
 * Snapshots of the endpoints of an account. Every ping and every rotation is an event of their stream, so a partner who
 * pings once a minute adds half a million a year; without snapshots, a new process would read them all before it sends
 * anything. Secrets and URLs stay sealed. A ping or a rotation that is repeated after 4,096 later commands on the
 * endpoints of the account is executed again.
 */
export const endpointsSnapshots: SnapshotCodec<Endpoints> = {
  shape: 4,
  encode: ({ byId, replays }) => {
    const saved: Saved = { endpoints: [...byId.values()], replays };
    return { head: saved, parts: [] };
  },
  decode: ({ head }) => {
    const { endpoints, replays } = head as Saved;
    return { byId: new Map(endpoints.map((endpoint) => [endpoint.endpointId, endpoint])), replays };
  },
};
