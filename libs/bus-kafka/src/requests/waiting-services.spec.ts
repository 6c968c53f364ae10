import type { Message } from 'kafkajs';
import { Unavailable } from '@ponte/kernel';
import type { MessageBus, RequestDefinition } from '@ponte/event-sourcing';
import { query } from '@ponte/event-sourcing';
import { freshId } from '@ponte/testing';
import type { TakenMessage } from '../partitions/taken-message';
import { received } from '../received-message.testing';
import type { Sender } from '../sender';
import { RequestClient } from './request-client';
import { RequestServer } from './request-server';

/** No request of these tests may need it. */
const PATIENT_MS = 60_000;
/** One process of each service, and few requests at once. */
const AT_ONCE = 2;
const MANY = 20;

type Counted = { readonly n: number };
const [TransferTokens, GetBalance, WithdrawTokens, GetAddress] = [
  query<Counted, Counted>('movements', 'transfer', () => 'key'),
  query<Counted, Counted>('ledger', 'balance', () => 'key'),
  query<Counted, Counted>('ledger', 'withdraw', () => 'key'),
  query<Counted, Counted>('movements', 'address', () => 'key'),
];
const WithdrawLater = query<Counted, Counted>('ledger', 'withdraw-later', () => 'key');
const NESTING: readonly string[] = [TransferTokens, WithdrawTokens, WithdrawLater].map(({ pattern }) => pattern);

/** Two services whose messages reach each other at once. */
class TwoServices {
  private readonly topics = new Map<string, (taken: TakenMessage) => void>();
  readonly warnings: string[] = [];
  /** Messages that are not finished. */
  readonly unfinished = new Set<object>();
  /** Messages that do not count towards the limit of their partition. */
  readonly exempt = new Set<object>();

  service(name: string, unfinished = 1_024) {
    const logger = { warn: (_: object, text: string) => void this.warnings.push(text), error: jest.fn() };
    const sender = { send: async (topic: string, message: Message) => this.deliver(topic, message) };
    const shared = { sender: sender as unknown as Sender, logger, systemNow: Date.now };
    const server = new RequestServer({
      ...shared,
      atOnce: AT_ONCE,
      unfinished,
      repliesPrefix: 'replies.',
      levelOf: (pattern) => Number(NESTING.includes(pattern)),
    });
    const client = new RequestClient({
      ...shared,
      requestMs: PATIENT_MS,
      commandsTopic: (to) => `${to}.commands`,
      replyTo: `replies.${name}`,
      run: freshId(),
    });
    this.topics.set(`${name}.commands`, (taken) => server.take(taken));
    this.topics.set(`replies.${name}`, (taken) => client.take(taken));
    const ask: MessageBus['request'] = async (definition, payload, context) =>
      (await client.ask(definition, payload, context)) as never;
    return { server, ask };
  }

  private deliver(topic: string, message: Message): void {
    const taken = {
      ...{ topic, partition: 0, message: received(message as never), assignment: this, isBacklog: false },
      isOurs: () => true,
      exemptFromLimit: () => void this.exempt.add(taken),
      done: () => void this.unfinished.delete(taken),
    } as unknown as TakenMessage;
    this.unfinished.add(taken);
    this.topics.get(topic)?.(taken);
  }
}

const context = () => ({ commandId: freshId(), correlationId: freshId(), deadline: Date.now() + PATIENT_MS });

/** Ledger and movements, each with a request whose handler makes a nested request to the other. */
function waitingForEachOther(unfinished?: number) {
  const services = new TwoServices();
  const [ledger, movements] = [services.service('ledger', unfinished), services.service('movements', unfinished)];
  const forwards =
    (by: typeof ledger, to: RequestDefinition<Counted, Counted>) =>
    async (payload: unknown): Promise<unknown> =>
      by.ask(to, payload as Counted, context());
  ledger.server.register(GetBalance.pattern, async (payload) => payload);
  movements.server.register(GetAddress.pattern, async (payload) => payload);
  ledger.server.register(WithdrawTokens.pattern, forwards(ledger, GetAddress));
  movements.server.register(TransferTokens.pattern, forwards(movements, GetBalance));
  return { services, ledger, movements };
}

describe('two services that send each other nested requests', () => {
  it('answer all requests, however few they handle at once', async () => {
    const { services, ledger, movements } = waitingForEachOther();
    const client = services.service('gateway');
    const answers = Array.from({ length: MANY }, (_, n) =>
      Promise.all([client.ask(WithdrawTokens, { n }, context()), client.ask(TransferTokens, { n }, context())]),
    );
    expect(await Promise.all(answers)).toEqual(Array.from({ length: MANY }, (_, n) => [{ n }, { n }]));
    await Promise.all([ledger, movements].map(({ server }) => server.settled()));
    expect(services.unfinished.size).toBe(0);
  });
});

describe('requests with nested requests', () => {
  it('do not hold up other requests of their partition, and are refused at once above a limit', async () => {
    const { services, ledger } = waitingForEachOther(MANY);
    const client = services.service('gateway');
    let answer = (): void => undefined;
    const answered = new Promise<void>((resolve) => {
      answer = resolve;
    });
    ledger.server.register(WithdrawLater.pattern, async (payload) => {
      await answered;
      return payload;
    });
    const waiting = Array.from({ length: MANY }, (_, n) => client.ask(WithdrawLater, { n }, context()));
    expect([services.unfinished.size, services.exempt.size]).toEqual([MANY, MANY]);
    await expect(client.ask(WithdrawLater, { n: MANY }, context())).rejects.toThrow(Unavailable);
    await expect(client.ask(WithdrawTokens, { n: 1 }, context())).rejects.toThrow(Unavailable);
    expect(await client.ask(GetBalance, { n: 2 }, context())).toEqual({ n: 2 });
    answer();
    expect(await Promise.all(waiting)).toEqual(waiting.map((_, n) => ({ n })));
    await ledger.server.settled();
    expect(await client.ask(WithdrawLater, { n: 3 }, context())).toEqual({ n: 3 });
    expect(services.warnings).toEqual(
      [1, 2].map(
        () => 'a request was refused because too many requests from its partition are waiting for other services',
      ),
    );
  });
});
