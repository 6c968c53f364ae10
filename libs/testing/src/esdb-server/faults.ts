import { status } from '@grpc/grpc-js';
import type { NodeMoods } from './node';
import type { Subscriptions } from './subscriptions';
import { failure } from './wire';
import type { Silence, WireProxy } from './wire-proxy';

/** Faults between a client and the test server. All of them end with {@link EsdbFaults.heal}. */
export class EsdbFaults {
  private cutAfterBytes: number | undefined;

  constructor(
    private readonly wire: WireProxy,
    private readonly subscriptions: Subscriptions,
    private readonly moods: NodeMoods,
  ) {}

  /** Connections stay open but nothing is transmitted. With `replies`, requests still take effect. */
  silence(kind: Silence = 'everything'): void {
    this.wire.silence(kind);
  }

  /**
   * The next append takes effect; then all connections are reset after this many more bytes have reached the client.
   */
  cutNextReply(afterBytes = 0): void {
    this.cutAfterBytes = afterBytes;
  }

  /** Resets all connections and refuses new ones. */
  refuse(): Promise<void> {
    return this.wire.refuse();
  }

  /** Resets all connections and accepts new ones. */
  reset(): void {
    this.wire.reset();
  }

  /** Ends all subscriptions, as a node does that shuts down or is no longer the leader. */
  dropSubscriptions(): void {
    for (const call of [...this.subscriptions.keys()]) {
      this.subscriptions.delete(call);
      call.emit('error', failure(status.CANCELLED, 'the server dropped the subscription'));
    }
  }

  /** Existing subscriptions stay open but deliver nothing; everything else works. */
  stallSubscriptions(): void {
    for (const state of this.subscriptions.values()) state.stalled = true;
  }

  /** The next calls fail with "Server Is Not Ready", as on a node that starts or was just elected. */
  notReady(calls: number): void {
    this.moods.notReady = calls;
  }

  /** The next calls fail with code 16 whatever their credentials, as on a TLS node at its first start. */
  unauthenticated(calls: number): void {
    this.moods.unauthenticated = calls;
  }

  async heal(): Promise<void> {
    this.cutAfterBytes = undefined;
    this.moods.notReady = this.moods.unauthenticated = 0;
    this.wire.speak();
    await this.wire.listen();
  }

  /** Called by the server after an append took effect and before its reply. */
  onKept(): void {
    if (this.cutAfterBytes === undefined) return;
    this.wire.cutAfter(this.cutAfterBytes);
    this.cutAfterBytes = undefined;
  }
}
