import type { WebhookReceiver } from '../../demo/webhook-receiver';
import { startWebhookReceiver } from '../../demo/webhook-receiver';
import { Customer } from './customer';
import type { Env, Running } from './program';
import { Program, SIMULATED } from './program';

/** The running program of one spec file with its customer. {@link close} closes everything that was opened for it. */
export class SandboxSuite {
  /** The sandbox's sub-account and its partner's account. Both use the partner's key. */
  readonly customer: Customer;
  readonly partner: Customer;
  private readonly opened: { close(): Promise<unknown> }[] = [];

  private constructor(
    readonly program: Program,
    readonly running: Running,
  ) {
    this.customer = Customer.of(running.sandbox);
    this.partner = new Customer(this.customer.api, running.sandbox['account-id']);
  }

  static async start(env: Env = SIMULATED): Promise<SandboxSuite> {
    const program = await Program.build();
    return new SandboxSuite(program, await program.start(program.dataFolder(), env));
  }

  /** The wallet of the sub-account on eth-base. */
  get wallet(): string {
    return this.running.sandbox['wallet-address'];
  }

  /** Starts a receiver for the webhooks of an account. */
  async receiverOf(owner: Customer): Promise<WebhookReceiver> {
    const receiver = this.closing(await startWebhookReceiver());
    receiver.useSecret(await owner.listen(receiver.url));
    return receiver;
  }

  /** Registers a client or a server to be closed with the suite. */
  closing<T extends { close(): Promise<unknown> }>(one: T): T {
    this.opened.push(one);
    return one;
  }

  async close(): Promise<void> {
    await Promise.all([this.customer.api, ...this.opened].map((one) => one.close()));
    await this.program.close();
  }
}
