import type { EventStoreDBClient } from '@eventstore/db-client';
import type { EngineLogger } from '@ponte/event-sourcing';
import { disconnect } from './disconnect';
import { asksForAnotherNode, reportedFailure } from './failures';
import { NotSent } from './not-sent';
import { ReportLimit, withTimeout } from '@ponte/concurrency';

interface ProvenClientParts {
  /** Name of the connection in the log. */
  readonly name: string;
  /** Creates a client that is not connected to any node yet. */
  readonly make: () => EventStoreDBClient;
  /** Rejects if the client's node, found now if necessary, does not answer as required within `ms`. */
  readonly prove: (client: EventStoreDBClient, ms: number) => Promise<void>;
  readonly logger: EngineLogger;
  /** How long a call waits for an answer before its client is probed again, in milliseconds. */
  readonly silenceMs: number;
  /** A node that does not answer a probe within this time is abandoned. Discovery of another may take twice as long. */
  readonly proveMs: number;
}

/** A client with its number of running calls. */
export interface HeldClient {
  readonly client: EventStoreDBClient;
  uses: number;
  isGivenUp: boolean;
  proof?: Promise<void>;
}

/**
 * After this time without an answer, another attempt starts in parallel: discovery asks the nodes in a random order,
 * and one of them may be frozen.
 */
const HEDGE_MS = 400;
const MAX_ATTEMPTS = 4;

/**
 * A client that is used only after its node has answered a probe, and replaced when the node no longer answers. This is
 * needed because a client never leaves a node that keeps the connection open without answering. The new client
 * discovers the nodes again. Calls in progress on the old one continue until their own deadlines.
 */
export class ProvenClient {
  private held: HeldClient | undefined;
  private proving: Promise<HeldClient> | undefined;
  private readonly givenUp = new Set<HeldClient>();
  private readonly reports = new ReportLimit();
  private isClosed = false;
  private endProving = (): void => undefined;

  constructor(private readonly parts: ProvenClientParts) {}

  /** Returns the current client, connecting if needed. Rejects with {@link NotSent} if no node answers as required. */
  async hold(ms: number): Promise<HeldClient> {
    if (this.held) return this.held;
    if (this.isClosed) throw new NotSent(new Error('closed'));
    this.proving ??= this.prove().finally(() => {
      this.proving = undefined;
    });
    try {
      return await withTimeout(ms, this.proving);
    } catch (error) {
      this.report(error, 'no node of the event store responds as required');
      throw new NotSent(error);
    }
  }

  /** Runs work on a proven client. Rejects with {@link NotSent} or with the error of the work. */
  async use<T>(ms: number, work: (client: EventStoreDBClient) => Promise<T>): Promise<T> {
    const heldClient = this.held ?? (await this.hold(ms));
    heldClient.uses += 1;
    const silence = setTimeout(() => void this.ask(heldClient), this.parts.silenceMs);
    try {
      return await work(heldClient.client);
    } catch (error) {
      if (asksForAnotherNode(error)) this.giveUp(heldClient, error);
      throw error;
    } finally {
      clearTimeout(silence);
      heldClient.uses -= 1;
      this.disconnectIfUnused(heldClient);
    }
  }

  /** Probes the node of a client, and gives the client up if there is no answer. */
  async ask(held: HeldClient): Promise<void> {
    held.proof ??= this.parts
      .prove(held.client, this.parts.proveMs)
      .catch((error: unknown) => {
        if (asksForAnotherNode(error)) this.giveUp(held, error);
      })
      .finally(() => {
        held.proof = undefined;
      });
    return held.proof;
  }

  /** Stops using the client for new calls. */
  giveUp(held: HeldClient, error: unknown): void {
    if (held.isGivenUp) return;
    held.isGivenUp = true;
    this.givenUp.add(held);
    if (this.held === held) this.held = undefined;
    if (!this.isClosed) this.report(error, 'a connection to the event store is being replaced');
    this.disconnectIfUnused(held);
  }

  async close(): Promise<void> {
    this.isClosed = true;
    this.endProving();
    const all = [...this.givenUp, ...(this.held ? [this.held] : [])];
    this.held = undefined;
    this.givenUp.clear();
    await Promise.all(all.map(({ client }) => disconnect(client)));
  }

  private disconnectIfUnused(held: HeldClient): void {
    if (held.isGivenUp && held.uses === 0 && this.givenUp.delete(held)) void disconnect(held.client);
  }

  private prove(): Promise<HeldClient> {
    return new Promise((resolve, reject) => {
      let [begun, open, isSettled] = [0, 0, false];
      const begin = (): void => {
        if (isSettled || begun >= MAX_ATTEMPTS) return;
        begun += 1;
        open += 1;
        const client = this.parts.make();
        this.parts.prove(client, 2 * this.parts.proveMs).then(
          () => {
            if (isSettled) return void disconnect(client);
            settle();
            this.held = { client, uses: 0, isGivenUp: false };
            resolve(this.held);
          },
          (error: unknown) => {
            open -= 1;
            void disconnect(client);
            if (isSettled || open > 0) return;
            settle();
            reject(error as Error);
          },
        );
      };
      const hedge = setInterval(begin, HEDGE_MS);
      const settle = (): void => {
        isSettled = true;
        clearInterval(hedge);
      };
      this.endProving = () => {
        if (isSettled) return;
        settle();
        reject(new Error('closed'));
      };
      begin();
    });
  }

  private report(error: unknown, message: string): void {
    const failure = reportedFailure(error);
    const { name, logger } = this.parts;
    this.reports.note(failure.text, (repeats) => logger.warn({ connection: name, ...failure, ...repeats }, message));
  }
}
