import type { BankBehaviour, PlannedFault } from '@ponte/contracts';
import type { Running } from './program';
import { Operator } from './operator';

export interface Bank extends BankBehaviour {
  readonly faults: readonly PlannedFault[];
  readonly received: string;
  readonly returned: string;
}
type BankBehaviourCommand = Partial<BankBehaviour> & { readonly fault?: PlannedFault };

/** Controls the time and the bank of a sandbox through the operator routes, which work for one process and for many. */
export class SandboxUnderTest {
  private aheadMs = 0;

  private constructor(private readonly operator: Operator) {}

  static of(running: Running): SandboxUnderTest {
    return new SandboxUnderTest(Operator.of(running));
  }

  /** The approximate business time. */
  now(): number {
    return Date.now() + this.aheadMs;
  }

  /**
   * Advances business time to just past a time unless it is past it already. Processes other than the one that answered
   * follow a moment later.
   */
  async pass(iso: string): Promise<void> {
    const { clock } = await this.operator.api.post<{ clock: { now: string } }>('/staff/sandbox/clock/advance', {
      until: new Date(Date.parse(iso) + 1).toISOString(),
    });
    this.aheadMs = Math.max(this.aheadMs, Date.parse(clock.now) - Date.now());
  }

  async bank(): Promise<Bank> {
    return (await this.operator.api.get<{ bank: Bank }>('/staff/sandbox/bank')).bank;
  }

  async misbehave(command: BankBehaviourCommand): Promise<void> {
    await this.operator.api.post('/staff/sandbox/bank', { ...command });
  }

  close(): Promise<void> {
    return this.operator.api.close();
  }
}
