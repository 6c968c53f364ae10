import type { SnapshotCodec } from '@ponte/event-sourcing';
import type { Endpoint, Endpoints } from '../endpoints.state';

/**
 * Snapshots of the endpoints of an account. Every ping and every rotation is an event of their stream, so a partner who
 * pings once a minute adds half a million a year; without snapshots, a new process would read them all before it sends
 * anything. Secrets and URLs stay sealed. A ping or a rotation that is repeated after 4,096 later commands on the
 * endpoints of the account is carried out again.
 */
export const endpointsSnapshots: SnapshotCodec<Endpoints> = {
  shape: 2,
  encode: (endpoints) => ({ head: [...endpoints.values()], parts: [] }),
  decode: ({ head }) => new Map((head as readonly Endpoint[]).map((endpoint) => [endpoint.endpointId, endpoint])),
};
