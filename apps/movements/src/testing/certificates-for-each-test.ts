import { MemoryEventStore, MemoryLog, temporaryFolder } from '@ponte/testing';
import { CertificatesUnderTest } from './certificates-under-test';
import { simulatedChains } from './simulated-chains';
import type { SimulatedServices } from './simulated-services';

/** The movements service over simulated chains and a log, all new for each test of a file. */
export class CertificatesForEachTest {
  chains = simulatedChains();
  private log = new MemoryLog();
  /** The store of the running process. */
  store = new MemoryEventStore({ log: this.log });
  private folder: ReturnType<typeof temporaryFolder> | undefined;
  private running: CertificatesUnderTest | undefined;

  private constructor(private readonly setup: { readonly screenAgainMs?: number }) {}

  /** Starts it before each test of the file, and stops it afterwards. */
  static of(setup: { readonly screenAgainMs?: number } = {}): CertificatesForEachTest {
    const service = new CertificatesForEachTest(setup);
    beforeEach(async () => {
      service.folder = temporaryFolder();
      service.log = new MemoryLog();
      service.chains = simulatedChains();
      await service.start();
    });
    afterEach(async () => {
      await service.movements.stop();
      service.folder?.remove();
    });
    return service;
  }

  get movements(): CertificatesUnderTest {
    if (!this.running) throw new Error('the service was not started');
    return this.running;
  }

  /**
   * Ends the process and starts another over the same log and chains. Answers of other services are reset; `prepare`
   * sets the new ones.
   */
  async restart(prepare?: (services: SimulatedServices) => void): Promise<void> {
    await this.movements.stop();
    await this.start(prepare);
  }

  private async start(prepare?: (services: SimulatedServices) => void): Promise<void> {
    const { log, folder } = this;
    if (!folder) throw new Error('the test has not started');
    this.store = new MemoryEventStore({ log });
    this.running = await CertificatesUnderTest.start({
      ...this.setup,
      folder: folder.path,
      open: this.chains.open,
      store: this.store,
      prepare,
      events: () => log.slice(0, log.length),
    });
  }
}
