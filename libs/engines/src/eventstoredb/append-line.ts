import type { EventStoreDBClient } from '@eventstore/db-client';
import { StreamsClient } from '@eventstore/db-client/generated/streams_grpc_pb';
import type { BatchAppendResp } from '@eventstore/db-client/generated/streams_pb';
import type { AppendedOnWire, AppendOnWire } from './append-wire';
import { answeredId, appendRequest, AppendRefused, readAnswer, requestId } from './append-wire';
import { TimedOut, within } from './time-out';

type Call = ReturnType<StreamsClient['batchAppend']>;

/** What of the client is its own business: how it reaches the server, and how it comes back when it cannot. */
interface Internals {
  readonly GRPCStreamCreator: (service: typeof StreamsClient, name: string, begin: (client: StreamsClient) => Call) => () => Promise<Call>;
  readonly callArguments: (options: object, call: { readonly deadline: number }) => Parameters<StreamsClient['batchAppend']>;
}

interface Waiting { readonly answered: (answer: AppendedOnWire) => void; readonly failed: (error: unknown) => void }

/**
 * Appends as messages of one call that stays open, the protocol's batch append: a call of its own for each costs client and server several times as
 * much. The table of what is under way belongs to this call alone, every append has its own deadline, and a call that let one pass takes no more.
 */
export class AppendLine {
  private call: OpenCall | undefined;
  private opening: Promise<OpenCall> | undefined;
  private readonly client: Internals;

  constructor(client: EventStoreDBClient) {
    this.client = client as unknown as Internals;
  }

  /** Throws `AppendRefused`, `TimedOut`, or what the call ended with. Only a refusal says that nothing was kept. */
  async append(append: AppendOnWire, ms: number): Promise<AppendedOnWire> {
    const begun = performance.now();
    const call = this.call?.isOpen ? this.call : await within(ms, this.open());
    return call.append(append, Math.max(1, ms - (performance.now() - begun)));
  }

  private open(): Promise<OpenCall> {
    this.opening ??= this.begin().finally(() => { this.opening = undefined; });
    return this.opening;
  }

  private async begin(): Promise<OpenCall> {
    const { client } = this;
    const begin = client.GRPCStreamCreator(StreamsClient, 'batchAppend', (streams) => streams.batchAppend(...client.callArguments({}, { deadline: Infinity })));
    return (this.call = new OpenCall(await begin()));
  }
}

class OpenCall {
  private readonly waiting = new Map<string, Waiting>();
  private open = true;

  constructor(private readonly call: Call) {
    call.on('data', (answer: BatchAppendResp) => this.take(answer));
    call.on('error', (error) => this.end(error));
    call.on('end', () => this.end(new AppendRefused(undefined, 'the server has ended the call')));
  }

  get isOpen(): boolean { return this.open; }

  append(append: AppendOnWire, ms: number): Promise<AppendedOnWire> {
    return new Promise((resolve, reject) => {
      const id = requestId();
      const timer = setTimeout(() => this.late(id, ms), ms);
      const ending = <T>(settle: (value: T) => void) => (value: T): void => {
        clearTimeout(timer);
        this.waiting.delete(id);
        settle(value);
      };
      this.waiting.set(id, { answered: ending(resolve), failed: ending(reject) });
      this.call.write(appendRequest(id, append));
    });
  }

  private take(answer: BatchAppendResp): void {
    const one = this.waiting.get(answeredId(answer));
    try {
      // What nobody waits for is late.
      if (one) one.answered(readAnswer(answer));
    } catch (error) {
      one?.failed(error);
    }
  }

  /** What is under way may yet be answered; what comes next goes another way. */
  private late(id: string, ms: number): void {
    this.waiting.get(id)?.failed(new TimedOut(ms));
    if (!this.open) return;
    this.open = false;
    this.call.end();
  }

  private end(error: unknown): void {
    this.open = false;
    for (const { failed } of [...this.waiting.values()]) failed(error);
  }
}
