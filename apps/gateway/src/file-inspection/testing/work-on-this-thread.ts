import { Session } from 'node:inspector';
import type { Profiler } from 'node:inspector';

/** More than the microtasks of any asynchronous function under test that does not wait for another thread. */
const MICROTASKS = 200;

/** Not declared as a value by the types of Node. */
const { WebAssembly: webAssembly } = globalThis as unknown as { WebAssembly: { instantiate(): Promise<unknown> } };

/** What a piece of work did on the thread that started it. None of it depends on the speed of the machine. */
interface WorkOnThisThread<T> {
  readonly result: T;
  /** How many JavaScript functions were called, Node's own included. A loop that calls nothing counts as nothing. */
  readonly calls: number;
  /** Whether the work waited for the event loop, that is for another thread, a timer or input. */
  readonly waited: boolean;
  /** How many WebAssembly programs were started. */
  readonly programs: number;
}

/** Does the work and reports how much of it was done on this thread. */
export async function workOnThisThread<T>(work: () => Promise<T>): Promise<WorkOnThisThread<T>> {
  const programs = jest.spyOn(webAssembly, 'instantiate');
  const counter = new CallCounter();
  try {
    let waited = true;
    const working = work().finally(() => {
      waited = false;
    });
    // No message of another thread arrives before the microtasks have ended.
    for (let turn = 0; turn < MICROTASKS && waited; turn += 1) await Promise.resolve();
    const stillWorking = waited;
    const result = await working;
    return { result, calls: counter.calls(), waited: stillWorking, programs: programs.mock.calls.length };
  } finally {
    counter.close();
    programs.mockRestore();
  }
}

/** Counts the calls of functions with V8's coverage, which also counts those that Node makes of its own. */
class CallCounter {
  private readonly session = new Session();

  constructor() {
    this.session.connect();
    this.session.post('Profiler.enable');
    this.session.post('Profiler.startPreciseCoverage', { callCount: true, detailed: false });
  }

  calls(): number {
    let scripts: readonly Profiler.ScriptCoverage[] = [];
    this.session.post('Profiler.takePreciseCoverage', (error, { result }) => {
      if (error) throw error;
      scripts = result;
    });
    return scripts.flatMap(({ functions }) => functions).reduce((sum, { ranges }) => sum + (ranges[0]?.count ?? 0), 0);
  }

  close(): void {
    this.session.disconnect();
  }
}
