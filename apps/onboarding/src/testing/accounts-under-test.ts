import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import type { INestMicroservice } from '@nestjs/common';
import { Module } from '@nestjs/common';
import { NestFactory } from '@nestjs/core';
import type { PageCursor, PageRequest } from '@ponte/contracts';
import { GetAccount, ListAllAccounts } from '@ponte/contracts';
import type { RequestContext } from '@ponte/event-sourcing';
import type { Refusal } from '@ponte/kernel';
import type { Engines } from '@ponte/nest';
import { BusTransport, EnginesModule, nestLogger, openEmbeddedEngines } from '@ponte/nest';
import { pino } from 'pino';
import { OnboardingModule } from '../onboarding.module';
import { AccountCommands } from '../sandbox/account-commands';

@Module({})
class Root {}

/** Personal values that must not be found anywhere in clear. */
export const CANARIES = {
  legalName: 'Canaria Quixabeira Xisto',
  taxId: '11144477735',
  branch: '7391',
  number: '80512694-X',
};

export const PARTNER = {
  parentId: null,
  alias: 'Acme',
  externalId: null,
  onboardingMode: 'kyc' as const,
  capabilities: ['manage-holders'],
  legalName: 'Acme SA',
  taxId: '11.222.333/0001-81',
  bankAccount: null,
};

export const child = (parentId: string, alias: string) => ({
  ...PARTNER,
  parentId,
  alias,
  onboardingMode: null,
  legalName: CANARIES.legalName,
  taxId: CANARIES.taxId,
});

export const page = (limit: number, cursor: PageCursor | null = null): PageRequest => ({
  limit,
  cursor,
  createdFrom: null,
  createdTo: null,
});

export const refusalOf = (promise: Promise<unknown>): Promise<Refusal> =>
  promise.then(
    () => {
      throw new Error('not refused');
    },
    (error: Refusal) => error,
  );

/** The service over the embedded engines, for the tests of one suite. Each test has its own folder. */
export class AccountsUnderTest {
  folder = '';
  engines!: Engines;
  log: string[] = [];
  private app!: INestMicroservice;

  constructor() {
    beforeEach(async () => {
      this.folder = mkdtempSync(join(tmpdir(), 'ponte-onboarding-'));
      this.log = [];
      await this.start();
    });
    afterEach(async () => {
      await this.stop();
      rmSync(this.folder, { recursive: true, force: true });
    });
  }

  async start(): Promise<void> {
    const sink = new Writable({
      write: (chunk: Buffer, _encoding, done) => {
        this.log.push(chunk.toString());
        done();
      },
    });
    const runtime = {
      environment: 'sandbox' as const,
      dataDirectory: this.folder,
      port: 0,
      logLevel: 'trace',
      embeddedByName: true,
      failpoint: null,
    };
    const logger = pino({ level: 'trace' }, sink);
    this.engines = await openEmbeddedEngines(runtime, 'onboarding', { logger, checkRequests: true });
    const root = { module: Root, imports: [EnginesModule.forRoot(this.engines), OnboardingModule] };
    this.app = await NestFactory.createMicroservice(root, {
      strategy: new BusTransport(this.engines.bus),
      logger: nestLogger(this.engines.logger),
      abortOnError: false,
    });
    await this.app.listen();
  }

  async stop(): Promise<void> {
    await this.app.close();
    await this.engines.close();
  }

  context(commandId = this.engines.ids.next()): RequestContext {
    return { commandId, correlationId: commandId, actor: 'test' };
  }

  commands(): AccountCommands {
    return new AccountCommands(this.engines, 'admin');
  }

  show(accountId: string) {
    return this.engines.bus.request(GetAccount, { accountId }, this.context());
  }

  all(limit: number) {
    return this.engines.bus.request(ListAllAccounts, { page: page(limit) }, this.context());
  }
}
