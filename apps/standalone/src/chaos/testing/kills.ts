import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import type { Running } from '../../e2e/testing/program';
import type { Dice } from './dice';
import type { Listener } from './listener';
import type { Load } from './load';

/** One kill or pause and its effect on partners. */
export interface Kill {
  readonly target: string;
  /** The longest time without an accepted order, from the kill until the next kill. */
  readonly silentMs: number;
  /** From the kill, or the end of the pause, until the completion webhook of an order that was sent after it. */
  readonly recoveredMs: number;
}

/** What is done to a process. */
export interface Disturbance {
  /** For the output: `killed` or `paused`. */
  readonly done: string;
  /** Resolves when the process may recover, with a check whether it runs again. */
  carryOut(running: Running, victim: string, pid: number): Promise<() => boolean>;
}

/** Kills a process, which the cluster then starts again. */
export const KILL: Disturbance = {
  done: 'killed',
  async carryOut(running, victim, pid) {
    process.kill(pid, 'SIGKILL');
    return () => {
      const now = processesOf(running)[victim];
      return now !== undefined && now !== pid;
    };
  },
};

/** The time limit for a recovery. */
const RECOVERY_MS = 180_000;
const POLL_MS = 50;
/** The pause between a recovery and the next kill. */
const PAUSE = { least: 500, spread: 2_500 };

/** The pids of a cluster's processes by name. */
export const processesOf = ({ dataDirectory }: Running): Readonly<Record<string, number>> =>
  JSON.parse(readFileSync(join(dataDirectory, 'processes.json'), 'utf8')) as Record<string, number>;

/** Disturbs one target after another under load, each after the recovery from the previous one. */
export class Killer {
  readonly done: Kill[] = [];

  constructor(
    private readonly parts: {
      readonly running: Running;
      readonly load: Load;
      readonly listener: Listener;
      readonly dice: Dice;
      readonly say: (line: string) => void;
      readonly patienceMs?: number;
      /** The default is {@link KILL}. */
      readonly disturbance?: Disturbance;
    },
  ) {}

  /** Runs until all targets are killed or the time is up. */
  async run(targets: readonly string[]): Promise<void> {
    const { dice, patienceMs = Infinity } = this.parts;
    const until = Date.now() + patienceMs;
    for (const [index, target] of targets.entries()) {
      await wait(PAUSE.least + dice.below(PAUSE.spread));
      if (Date.now() > until) return;
      this.done.push(await this.kill(target, `${index + 1}/${targets.length}`));
    }
  }

  private async kill(target: string, label: string): Promise<Kill> {
    const { running, load, say, disturbance = KILL } = this.parts;
    const victim = this.victimOf(target);
    const pid = processesOf(running)[victim];
    if (pid === undefined) throw new Error(`${victim} is not running`);
    const from = load.acknowledged.length;
    const at = Date.now();
    const isBack = await disturbance.carryOut(running, victim, pid);
    const recoveredMs = await this.recovery(victim, isBack, from, Date.now());
    const answered = [at, ...load.acknowledged.slice(from).map((one) => one.at), Date.now()].sort((a, b) => a - b);
    const silentMs = Math.max(...answered.slice(1).map((time, index) => time - (answered[index] as number)));
    say(
      `${label} ${victim} ${disturbance.done}: nothing accepted for ${silentMs} ms, all well after ${recoveredMs} ms; ${load.acknowledged.length} orders, ${load.inFlight} under way`,
    );
    return { target, silentMs, recoveredMs };
  }

  private victimOf(target: string): string {
    const names = Object.keys(processesOf(this.parts.running));
    if (names.includes(target)) return target;
    const replicas = names.filter((name) => name.startsWith(`${target}-`)).sort();
    return replicas[this.parts.dice.below(replicas.length)] ?? target;
  }

  /** Waits until the target runs again and an order that was sent after `at` is completed. Returns milliseconds. */
  private async recovery(victim: string, isBack: () => boolean, from: number, at: number): Promise<number> {
    const { running, load, listener } = this.parts;
    const through = (): number | undefined =>
      load.acknowledged
        .slice(from)
        .filter(({ sentAt }) => sentAt > at)
        .map(({ orderId }) => listener.completed.get(orderId))
        .find((time) => time !== undefined);
    for (; Date.now() < at + RECOVERY_MS; await wait(POLL_MS)) {
      const time = through();
      if (time !== undefined && isBack()) return time - at;
    }
    throw new Error(
      `${victim} was ${(this.parts.disturbance ?? KILL).done} and orders did not continue within ${RECOVERY_MS} ms: ${running.log.slice(-4_000)}`,
    );
  }
}
