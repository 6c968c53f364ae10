import { performance } from 'node:perf_hooks';
import { setTimeout as wait } from 'node:timers/promises';
import { Pool } from 'undici';

export interface Call {
  readonly method: 'GET' | 'POST';
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface Answer {
  readonly status: number;
  readonly text: string;
}

export interface LoadResult {
  readonly calls: number;
  readonly perSecond: number;
  readonly p50Ms: number;
  readonly p99Ms: number;
  readonly refused: number;
}

/** Requests to one server over a bounded number of connections. */
export class Target {
  private readonly pool: Pool;
  constructor(origin: string, connections: number) {
    this.pool = new Pool(origin, { connections, pipelining: 1 });
  }

  async send(call: Call): Promise<Answer> {
    const { statusCode, body } = await this.pool.request({
      method: call.method,
      path: call.path,
      headers: call.headers,
      body: call.body ?? null,
    });
    return { status: statusCode, text: await body.text() };
  }

  close(): Promise<void> {
    return this.pool.close();
  }
}

/**
 * Runs `callers` concurrent callers until the calls are used up. Each caller sends its next call when the previous one
 * is answered.
 */
export async function saturate(
  target: Target,
  calls: readonly Call[],
  callers: number,
  heed?: (answer: Answer, call: Call) => void,
): Promise<LoadResult> {
  const times: number[] = [];
  let next = 0;
  let refused = 0;
  const began = performance.now();
  await Promise.all(
    Array.from({ length: callers }, async () => {
      for (let call = calls[next++]; call; call = calls[next++]) {
        const sent = performance.now();
        const answer = await target.send(call);
        times.push(performance.now() - sent);
        if (answer.status >= 300) refused += 1;
        heed?.(answer, call);
      }
    }),
  );
  return summary(times, performance.now() - began, refused);
}

/** Sends at a fixed rate regardless of the responses. Latency is measured from the time when a call was due. */
export async function pace(target: Target, calls: readonly Call[], perSecond: number): Promise<LoadResult> {
  const times: number[] = [];
  let refused = 0;
  const began = performance.now();
  await Promise.all(
    calls.map(async (call, at) => {
      const due = began + (at * 1000) / perSecond;
      await wait(Math.max(0, due - performance.now()));
      const answer = await target.send(call);
      times.push(performance.now() - due);
      if (answer.status >= 300) refused += 1;
    }),
  );
  return summary(times, performance.now() - began, refused);
}

function summary(times: number[], elapsedMs: number, refused: number): LoadResult {
  const sorted = [...times].sort((a, b) => a - b);
  const at = (share: number) => sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
  return {
    calls: times.length,
    perSecond: (times.length * 1000) / elapsedMs,
    p50Ms: at(0.5),
    p99Ms: at(0.99),
    refused,
  };
}

export const median = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
