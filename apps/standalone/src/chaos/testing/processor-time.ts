import { readdirSync, readFileSync } from 'node:fs';
import type { Running } from '../../e2e/testing/program';
import { processesOf } from './kills';

/** The jiffies per second that Linux reports to user space (USER_HZ). */
const JIFFIES = 100;
const SAMPLE_MS = 500;
/**
 * Indices of fields in /proc/<pid>/stat after the program name, which may contain spaces: parent pid, user time and
 * system time.
 */
const [PARENT, USER, SYSTEM] = [1, 11, 12];
/** This process: the load and the webhook receiver. */
const LOAD = 'load';
/** The supervisor: starts the processes of the cluster and distributes connections to its gateways. */
const STARTER = 'starter';

/** Milliseconds of processor time by process name, including children. */
export type Spent = ReadonlyMap<string, number>;

/**
 * The processor time of each process of a cluster, summed over its restarts. Works on Linux only; elsewhere it reports
 * nothing.
 */
export class ProcessorTime {
  private readonly spent = new Map<string, number>();
  private readonly seen = new Map<number, number>();
  private readonly timer: NodeJS.Timeout;

  constructor(private readonly running: Running) {
    this.sample();
    this.spent.clear();
    this.timer = setInterval(() => this.sample(), SAMPLE_MS);
  }

  /** The processor time up to now. */
  now(): Spent {
    this.sample();
    return new Map(this.spent);
  }

  stop(): void {
    clearInterval(this.timer);
  }

  private sample(): void {
    const processes = processTable();
    const owners = new Map<number, string>([
      [process.pid, LOAD],
      [this.running.pid, STARTER],
      ...Object.entries(processesOf(this.running)).map(([name, pid]): [number, string] => [pid, name]),
    ]);
    for (const [pid, { ms }] of processes) {
      const owner = ownerOf(pid, processes, owners);
      if (owner === undefined) continue;
      const more = ms - (this.seen.get(pid) ?? 0);
      this.seen.set(pid, ms);
      this.spent.set(owner, (this.spent.get(owner) ?? 0) + Math.max(0, more));
    }
  }
}

interface Seen {
  readonly parent: number;
  readonly ms: number;
}

function processTable(): Map<number, Seen> {
  const table = new Map<number, Seen>();
  if (process.platform !== 'linux') return table;
  for (const name of readdirSync('/proc')) {
    if (!/^\d+$/.test(name)) continue;
    const stat = statOf(name);
    if (stat === undefined) continue;
    const fields = stat
      .slice(stat.lastIndexOf(')') + 2)
      .split(' ')
      .map(Number);
    table.set(Number(name), {
      parent: fields[PARENT] ?? 0,
      ms: (((fields[USER] ?? 0) + (fields[SYSTEM] ?? 0)) * 1_000) / JIFFIES,
    });
  }
  return table;
}

/** Undefined if the process has ended in the meantime. */
function statOf(pid: string): string | undefined {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8');
  } catch {
    return undefined;
  }
}

/** The name of the nearest ancestor in `owners`. */
function ownerOf(
  pid: number,
  processes: ReadonlyMap<number, Seen>,
  owners: ReadonlyMap<number, string>,
): string | undefined {
  for (let at = pid; at > 1; at = processes.get(at)?.parent ?? 0) {
    const owner = owners.get(at);
    if (owner !== undefined) return owner;
  }
  return undefined;
}
