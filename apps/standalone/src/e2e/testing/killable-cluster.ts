import { processesOf } from '../../chaos/testing/kills';
import type { Env, Program, Running } from './program';
import { until } from './waiting';

/** The service that records each type of event. */
const OWNERS: readonly (readonly [service: string, types: RegExp])[] = [
  ['ledger', /^(Hold|Pix|Deposit|Exchange)/],
  ['orders', /^Order/],
  ['movements', /^(Transaction|Nonces|WalletCreated)/],
  ['webhooks', /^(Envelope|Delivered|Delivery)/],
  ['onboarding', /^(Account|Reservation|Provisioning|WalletWhitelisted)/],
];
const DEATH_MS = 60_000;

/** A cluster whose processes get a failpoint one after another. A process that dies is restarted without it. */
export class KillableCluster {
  private constructor(
    private readonly program: Program,
    readonly folder: string,
    public running: Running,
  ) {}

  static async start(program: Program, env: Env, folder = program.dataFolder()): Promise<KillableCluster> {
    return new KillableCluster(program, folder, await program.start(folder, env));
  }

  /**
   * Arms the failpoint in the process that records its event. The returned function waits for that process to die and
   * be restarted, and returns the signal that ended it.
   */
  async armFailpoint(failpoint: string): Promise<() => Promise<NodeJS.Signals | null>> {
    const type = failpoint.split(':')[1] ?? '';
    const service = OWNERS.find(([, types]) => types.test(type))?.[0];
    if (!service) throw new Error(`the service that records ${type} is unknown`);
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
          throw new Error(`${replica} did not die at ${failpoint} or was not restarted`);
      }, DEATH_MS);
      return signalOf(this.running.log.slice(said), replica);
    };
  }

  /** Kills the whole cluster at once and starts it again on its data. */
  async killAndStart(env: Env): Promise<void> {
    this.running.kill();
    await this.running.ended(DEATH_MS);
    this.running = await this.program.start(this.folder, env);
  }
}

/** The signal that ended a replica, from the supervisor's log. */
function signalOf(log: string, replica: string): NodeJS.Signals | null {
  const lines = log
    .split('\n')
    .filter((line) => line.includes('"replica"'))
    .map((line) => JSON.parse(line) as { replica: string; signal: NodeJS.Signals | null });
  return lines.find((line) => line.replica === replica)?.signal ?? null;
}
