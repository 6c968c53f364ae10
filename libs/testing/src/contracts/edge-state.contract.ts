import type { EdgeState, IdempotencyStart } from '@ponte/event-sourcing';
import { freshId } from '../recorded';

interface EdgeStateUnderTest {
  readonly edgeState: EdgeState;
  /** The same state in another replica of the gateway; absent if there is only one process. */
  readonly replica?: EdgeState;
  cleanUp(): Promise<void>;
}

const NOW = 1_750_000_000_000;
const LOCK_MS = 30_000;
const DAY_MS = 86_400_000;

/** The contract of the `EdgeState` port. */
export function describeEdgeState(name: string, open: () => Promise<EdgeStateUnderTest>): void {
  describe(`${name} as EdgeState`, () => {
    let under: EdgeStateUnderTest;
    let edge: EdgeState;
    beforeEach(async () => {
      under = await open();
      edge = under.edgeState;
    });
    afterEach(() => under.cleanUp());

    const begin = (scope: string, nowMs = NOW, bodyHash = 'body'): Promise<IdempotencyStart> =>
      edge.begin({ scope, bodyHash, nowMs, lockMs: LOCK_MS });
    const started = async (scope: string, nowMs = NOW): Promise<number> => {
      const start = await begin(scope, nowMs);
      if (start.kind !== 'started') throw new Error(`not started but ${start.kind}`);
      return start.fence;
    };

    test('a nonce is new once per key, also for concurrent calls', async () => {
      const [key, nonce] = [freshId(), freshId()];
      const answers = await Promise.all(Array.from({ length: 64 }, () => edge.rememberNonce(key, nonce, NOW)));
      expect(answers.filter(Boolean)).toHaveLength(1);
      expect(await edge.rememberNonce(freshId(), nonce, NOW)).toBe(true);
      await edge.sweep(NOW);
      expect(await edge.rememberNonce(key, nonce, NOW)).toBe(false);
      await edge.sweep(NOW + 1);
      expect(await edge.rememberNonce(key, nonce, NOW)).toBe(true);
    });

    test('of 64 requests with one key, one starts and the others are in progress', async () => {
      const scope = freshId();
      const starts = await Promise.all(Array.from({ length: 64 }, () => begin(scope)));
      expect(starts.filter((start) => start.kind === 'started')).toHaveLength(1);
      expect(starts.filter((start) => start.kind === 'in-progress')).toHaveLength(63);
    });

    test('a stored response is returned until it expires, and another body is refused before and after completion', async () => {
      const scope = freshId();
      const fence = await started(scope);
      expect(await begin(scope, NOW, 'another')).toEqual({ kind: 'other-body' });
      expect(await edge.finish(scope, fence, { status: 422, body: '{"a":1}' }, NOW + DAY_MS)).toBe(true);
      expect(await begin(scope, NOW + DAY_MS - 1)).toEqual({ kind: 'done', status: 422, body: '{"a":1}' });
      expect(await begin(scope, NOW + 5, 'another')).toEqual({ kind: 'other-body' });
      expect(await begin(scope, NOW + DAY_MS)).toMatchObject({ kind: 'started' });
    });

    test('a claim lapses after its time, and its late holder can neither store a response nor remove the next claim', async () => {
      const scope = freshId();
      const slow = await started(scope);
      expect(await begin(scope, NOW + LOCK_MS - 1)).toEqual({ kind: 'in-progress' });
      const quick = await started(scope, NOW + LOCK_MS);
      expect(quick).toBeGreaterThan(slow);
      expect(await edge.finish(scope, slow, { status: 200, body: 'slow' }, NOW + DAY_MS)).toBe(false);
      await edge.abandon(scope, slow);
      expect(await begin(scope, NOW + LOCK_MS + 1)).toEqual({ kind: 'in-progress' });
      expect(await edge.finish(scope, quick, { status: 200, body: 'quick' }, NOW + DAY_MS)).toBe(true);
      expect(await begin(scope, NOW + LOCK_MS + 2)).toEqual({ kind: 'done', status: 200, body: 'quick' });
      await edge.abandon(scope, quick);
      expect(await begin(scope, NOW + LOCK_MS + 3)).toMatchObject({ kind: 'done' });
    });

    test('an abandoned key is free at once, and a fence is never reused, even after a sweep', async () => {
      const scope = freshId();
      const fences = [await started(scope)];
      await edge.abandon(scope, fences[0] as number);
      fences.push(await started(scope, NOW + 1));
      await edge.sweep(NOW + DAY_MS);
      fences.push(await started(scope, NOW + DAY_MS));
      expect([...fences].sort((a, b) => a - b)).toEqual(fences);
      expect(new Set(fences).size).toBe(3);
      expect(await edge.finish(scope, fences[0] as number, { status: 200, body: '' }, NOW)).toBe(false);
    });

    const take = (bucket: string, nowMs = NOW, replica = edge) =>
      replica.takeToken({ bucket, capacity: 5, perSecond: 2, nowMs });

    test('a bucket is full at first, empties, and refills over time up to its capacity', async () => {
      const bucket = freshId();
      for (const left of [4, 3, 2, 1])
        expect(await take(bucket)).toEqual({ allowed: true, tokens: left, retryAfterMs: 0 });
      expect(await take(bucket)).toEqual({ allowed: true, tokens: 0, retryAfterMs: 500 });
      expect(await take(bucket)).toEqual({ allowed: false, tokens: 0, retryAfterMs: 500 });
      expect(await take(bucket, NOW + 500)).toEqual({ allowed: true, tokens: 0, retryAfterMs: 500 });
      expect(await take(bucket, NOW + 1_750)).toEqual({ allowed: true, tokens: 1.5, retryAfterMs: 0 });
      expect(await take(bucket, NOW + DAY_MS)).toMatchObject({ allowed: true, tokens: 4 });
      expect(await take(freshId())).toMatchObject({ allowed: true, tokens: 4 });
    });

    test('a refusal says when the next token is available, and it is available then', async () => {
      const bucket = freshId();
      for (let at = 0; at < 5; at += 1) await take(bucket);
      const { retryAfterMs } = await take(bucket, NOW + 120);
      expect(retryAfterMs).toBe(380);
      expect(await take(bucket, NOW + 120 + retryAfterMs - 1)).toMatchObject({ allowed: false });
      expect(await take(bucket, NOW + 120 + retryAfterMs)).toMatchObject({ allowed: true });
    });

    test('of 64 concurrent calls for 5 tokens on all replicas, exactly 5 get one, and none sees more than existed', async () => {
      const bucket = freshId();
      const answers = await Promise.all(
        Array.from({ length: 64 }, (_, at) => take(bucket, NOW, at % 2 === 0 ? edge : (under.replica ?? edge))),
      );
      expect(answers.filter(({ allowed }) => allowed)).toHaveLength(5);
      for (const { tokens } of answers) expect([0, 1, 2, 3, 4]).toContain(tokens);
      expect(await take(bucket, NOW, under.replica ?? edge)).toMatchObject({ allowed: false });
    });

    test('a peek shows the tokens and takes none, also during concurrent calls', async () => {
      const bucket = freshId();
      const peek = () => edge.takeToken({ bucket, capacity: 5, perSecond: 2, nowMs: NOW, peek: true });
      expect([await peek(), await peek()]).toEqual(Array(2).fill({ allowed: true, tokens: 5, retryAfterMs: 0 }));
      const answers = await Promise.all([peek(), take(bucket), peek(), take(bucket)]);
      expect(answers.map(({ allowed }) => allowed)).toEqual([true, true, true, true]);
      expect(await peek()).toMatchObject({ tokens: 3 });
      for (let at = 0; at < 3; at += 1) await take(bucket);
      expect(await peek()).toEqual({ allowed: false, tokens: 0, retryAfterMs: 500 });
    });

    test('a request for several tokens gets all or none, and its refusal says when there are enough', async () => {
      const bucket = freshId();
      const takeThree = (nowMs = NOW) => edge.takeToken({ bucket, capacity: 5, perSecond: 2, nowMs, tokens: 3 });
      expect(await takeThree()).toMatchObject({ allowed: true, tokens: 2 });
      expect(await takeThree()).toEqual({ allowed: false, tokens: 2, retryAfterMs: 500 });
      expect(await takeThree(NOW + 500)).toEqual({ allowed: true, tokens: 0, retryAfterMs: 1_500 });
    });

    test('of concurrent requests for several tokens on all replicas, those get them for which there are enough', async () => {
      const bucket = freshId();
      const request = { bucket, capacity: 100, perSecond: 1, nowMs: NOW };
      let left = 100;
      const takeSome = async (replica: EdgeState, tokens: number) => {
        if ((await replica.takeToken({ ...request, tokens })).allowed) left -= tokens;
      };
      await Promise.all(
        [20, 30, 20, 30, 20, 30, 20].map((one, at) => takeSome(at < 4 ? edge : (under.replica ?? edge), one)),
      );
      expect([0, 10]).toContain(left);
      expect(await edge.takeToken({ ...request, peek: true })).toMatchObject({ tokens: left });
    });

    test('tokens that are given back can be taken again, by every replica at once and up to the capacity', async () => {
      const bucket = freshId();
      const replica = under.replica ?? edge;
      const request = { bucket, capacity: 5, perSecond: 2, nowMs: NOW };
      const take = (one: EdgeState, tokens: number) => one.takeToken({ ...request, tokens });
      expect(await take(edge, 5)).toMatchObject({ allowed: true, tokens: 0 });
      expect(await take(replica, 4)).toMatchObject({ allowed: false, tokens: 0 });
      expect(await take(edge, -4)).toEqual({ allowed: true, tokens: 4, retryAfterMs: 0 });
      expect(await take(replica, 4)).toMatchObject({ allowed: true, tokens: 0 });
      await Promise.all([take(edge, -3), take(replica, -3), take(edge, -3)]);
      expect(await edge.takeToken({ ...request, peek: true })).toMatchObject({ tokens: 5 });
      expect(await take(edge, -1)).toMatchObject({ allowed: true, tokens: 5 });
    });

    test('a clock that moves back and forward again neither removes nor adds tokens', async () => {
      const bucket = freshId();
      for (let at = 0; at < 5; at += 1) await take(bucket);
      expect(await take(bucket, NOW - 10_000)).toMatchObject({ allowed: false, tokens: 0 });
      expect(await take(bucket, NOW)).toMatchObject({ allowed: false, tokens: 0 });
      await edge.sweep(NOW - 1);
      expect(await take(bucket, NOW)).toMatchObject({ allowed: false });
    });

    test('a bucket whose capacity was reduced holds no more than the new capacity', async () => {
      const bucket = freshId();
      await take(bucket);
      expect(await edge.takeToken({ bucket, capacity: 2, perSecond: 1, nowMs: NOW })).toMatchObject({
        allowed: true,
        tokens: 1,
      });
    });

    test('only one replica gets a nonce or a key', async () => {
      const [key, nonce, scope] = [freshId(), freshId(), freshId()];
      const both = [edge, under.replica ?? edge];
      expect((await Promise.all(both.map((one) => one.rememberNonce(key, nonce, NOW)))).filter(Boolean)).toHaveLength(
        1,
      );
      const starts = await Promise.all(
        both.map((one) => one.begin({ scope, bodyHash: 'body', nowMs: NOW, lockMs: LOCK_MS })),
      );
      expect(starts.map(({ kind }) => kind).sort()).toEqual(['in-progress', 'started']);
    });
  });
}
