import { processesOf } from '../../chaos/kills';
import type { Env, Program, Running } from './program';
import { until } from './waiting';

/** Which service records an event. */
const OWNERS: readonly (readonly [service: string, types: RegExp])[] = [
  ['ledger', /^(Hold|Pix|Deposit|Exchange)/],
  ['orders', /^Order/],
  ['movements', /^(Transaction|Nonces|WalletCreated)/],
  ['webhooks', /^(Envelope|Delivered|Delivery)/],
  ['onboarding', /^(Account|Reservation|Provisioning|WalletWhitelisted)/],
];
const DEATH_MS = 60_000;

/**
 * One cluster of processes, in which one process after the other gets a failpoint; a process that dies is started again
 * without it.
 */
export class MortalCluster {
  private constructor(
    private readonly program: Program,
    readonly folder: string,
    public running: Running,
  ) {}

  static async start(program: Program, env: Env, folder = program.dataFolder()): Promise<MortalCluster> {
    return new MortalCluster(program, folder, await program.start(folder, env));
  }

  /**
   * Has the process that records the point's event die there. Answers what waits for its end and for its successor, and
   * tells by which signal it went.
   */
  async doom(failpoint: string): Promise<() => Promise<NodeJS.Signals | null>> {
    const type = failpoint.split(':')[1] ?? '';
    const service = OWNERS.find(([, types]) => types.test(type))?.[0];
    if (!service) throw new Error(`no service is known to record ${type}`);
    const replica = `${service}-1`;
    const [pid, said] = [processesOf(this.running)[replica], this.running.log.length];
    const { code, output } = await this.program.verb(
      ['admin', 'failpoint', 'arm', failpoint, '--service', service, '--reason', 'a test'],
      this.folder,
    );
    if (code !== 0) throw new Error(`${failpoint} could not be armed: ${output}`);
    return async () => {
      await until(() => {
        const now = processesOf(this.running)[replica];
        if (now === undefined || now === pid)
          throw new Error(`${replica} did not die ${failpoint}, or did not come back`);
      }, DEATH_MS);
      return signalOf(this.running.log.slice(said), replica);
    };
  }

  /** All of it at once, and again over what it left. */
  async killAndStart(env: Env): Promise<void> {
    this.running.kill();
    await this.running.ended(DEATH_MS);
    this.running = await this.program.start(this.folder, env);
  }
}

/** How it ended, as its supervisor saw it. */
function signalOf(log: string, replica: string): NodeJS.Signals | null {
  const lines = log
    .split('\n')
    .filter((line) => line.includes('"replica"'))
    .map((line) => JSON.parse(line) as { replica: string; signal: NodeJS.Signals | null });
  return lines.find((line) => line.replica === replica)?.signal ?? null;
}
