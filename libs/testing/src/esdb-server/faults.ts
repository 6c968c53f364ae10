import { status } from '@grpc/grpc-js';
import type { NodeMoods } from './node';
import type { Subscriptions } from './subscriptions';
import { failure } from './wire';
import type { Silence, WireProxy } from './wire-proxy';

/** What can be asked to go wrong between a client and the test server. Everything ends with {@link EsdbFaults.heal}. */
export class EsdbFaults {
  private cutAfterBytes: number | undefined;

  constructor(
    private readonly wire: WireProxy,
    private readonly subscriptions: Subscriptions,
    private readonly moods: NodeMoods,
  ) {}

  /** The connections stay up and nothing comes any more. With `replies` alone, requests still take effect. */
  silence(kind: Silence = 'everything'): void {
    this.wire.silence(kind);
  }

  /** The next append takes effect; then all connections are reset once so many bytes more have reached the client. */
  cutNextReply(afterBytes = 0): void {
    this.cutAfterBytes = afterBytes;
  }

  /** Every connection is reset, and new ones are refused. */
  refuse(): Promise<void> {
    return this.wire.refuse();
  }

  /** Every connection is reset; new ones are welcome. */
  reset(): void {
    this.wire.reset();
  }

  /** The server ends all subscriptions, as a node does that goes down or loses its place as leader. */
  dropSubscriptions(): void {
    for (const call of [...this.subscriptions.keys()]) {
      this.subscriptions.delete(call);
      call.emit('error', failure(status.CANCELLED, 'the server dropped the subscription'));
    }
  }

  /** The subscriptions there are stay open and bring nothing any more; everything else goes on. */
  stallSubscriptions(): void {
    for (const state of this.subscriptions.values()) state.stalled = true;
  }

  /** The next so many calls are answered "Server Is Not Ready", as those to a node that starts or was just elected. */
  notReady(calls: number): void {
    this.moods.notReady = calls;
  }

  /**
   * The next so many calls are answered with code 16 whatever their credentials, as those to a TLS node at its first
   * start.
   */
  unauthenticated(calls: number): void {
    this.moods.unauthenticated = calls;
  }

  async heal(): Promise<void> {
    this.cutAfterBytes = undefined;
    this.moods.notReady = this.moods.unauthenticated = 0;
    this.wire.speak();
    await this.wire.listen();
  }

  /** Called by the server between an effect and its reply. */
  onKept(): void {
    if (this.cutAfterBytes === undefined) return;
    this.wire.cutAfter(this.cutAfterBytes);
    this.cutAfterBytes = undefined;
  }
}
