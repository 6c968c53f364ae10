import { fork } from 'node:child_process';
import { once } from 'node:events';

/** The resource usage that a measured process reports. */
export interface ResourceUsage {
  /** CPU time of the process so far, user plus system, in µs. */
  readonly cpuMicros: number;
  readonly residentBytes: number;
}

/** A child process of the benchmark. It sends `{ ready }` once, then its vitals on each request. */
export interface Child<R> {
  readonly ready: R;
  vitals(): Promise<ResourceUsage>;
  stop(): Promise<void>;
}

export async function startChild<R>(script: string, env: Readonly<Record<string, string>> = {}): Promise<Child<R>> {
  const child = fork(script, { env: { ...process.env, ...env }, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  const failed = once(child, 'exit').then(([code]) =>
    Promise.reject(new Error(`${script} ended with ${String(code)}`)),
  );
  failed.catch(() => undefined);
  const next = <T>(): Promise<T> => Promise.race([once(child, 'message').then(([message]) => message as T), failed]);
  const { ready } = await next<{ ready: R }>();
  return {
    ready,
    async vitals() {
      const answer = next<ResourceUsage>();
      child.send('vitals');
      return answer;
    },
    async stop() {
      const ended = once(child, 'exit');
      child.send('stop');
      await ended;
    },
  };
}

/** The child's side of the protocol: sends `ready`, then answers `vitals` and `stop` messages. */
export function serveParent<R>(ready: R, stop: () => Promise<void>): void {
  process.on('message', (message) => {
    if (message === 'stop') void stop().then(() => process.exit(0));
    if (message !== 'vitals') return;
    const { user, system } = process.cpuUsage();
    process.send?.({ cpuMicros: user + system, residentBytes: process.memoryUsage().rss } satisfies ResourceUsage);
  });
  process.on('disconnect', () => process.exit(1));
  process.send?.({ ready });
}
