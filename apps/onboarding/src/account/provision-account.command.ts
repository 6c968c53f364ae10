import { Inject } from '@nestjs/common';
import { CommandBus, CommandHandler } from '@nestjs/cqrs';
import type { ICommandHandler } from '@nestjs/cqrs';
import type { Failure, OpenAccountPayload, ProvisioningStep } from '@ponte/contracts';
import { ProvisionWallets } from '@ponte/contracts';
import type { MessageBus, PersonalData, RequestContext } from '@ponte/event-sourcing';
import { behindEvent, logged } from '@ponte/event-sourcing';
import { derivedId, Refusal, Unavailable } from '@ponte/kernel';
import { LOGGER, MESSAGE_BUS, PERSONAL_DATA, PayloadCommand } from '@ponte/nest';
import type { Logger } from 'pino';
import { aliasOf } from './listing.domain';
import { nextStep } from '../account-request/provisioning.domain';
import type { OpenRequest } from '../account-request/account-request.state';
import { isOpenRequest } from '../account-request/account-request.state';
import { AccountRequests } from '../account-request/account-requests.service';
import { OpenAccountCommand } from './open-account.command';
import { findHouseWallets } from '../wallet/house-wallets';
import { WhitelistWalletCommand } from '../wallet/whitelist-wallet.command';

export class ProvisionAccountCommand extends PayloadCommand<{ readonly requestId: string }> {}

/** The name of a holder from a reliance request, which has a number but no name. */
const NAME_NOT_STATED = 'not stated';

/**
 * Provisions the account of an approved request, step by step. Each step may run twice: its command id derives from the
 * request, and whatever it creates has its own ids. The account's static Pix code derives from its id, so nothing has
 * to be created for it.
 */
@CommandHandler(ProvisionAccountCommand)
export class ProvisionAccountHandler implements ICommandHandler<ProvisionAccountCommand> {
  constructor(
    private readonly requests: AccountRequests,
    private readonly commands: CommandBus,
    @Inject(MESSAGE_BUS) private readonly bus: MessageBus,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(LOGGER) private readonly logger: Logger,
  ) {}

  async execute({ payload: { requestId }, context }: ProvisionAccountCommand): Promise<void> {
    for (;;) {
      const state = await this.requests.load(requestId);
      // The caller has seen the approval, so a pending or absent request means that the state read here is stale. In
      // any status other than approved, the account is active or a timer retries.
      if (!isOpenRequest(state) || state.status === 'pending')
        return behindEvent(`account request ${requestId}`, state.status);
      const step = state.status === 'approved' ? nextStep(state) : null;
      if (step === null) return;
      const failure = await this.tryStep(step, state, context);
      // The command id includes the number of failures, so that a failure after a success in another process is
      // recorded too.
      const commandId = derivedId('provisioning', requestId, step, failure ? `failed-${state.failures}` : 'done');
      await this.requests.handle(
        requestId,
        (at) => (failure ? { kind: 'fail-provisioning', step, failure, at } : { kind: 'note-step', step, at }),
        { ...context, commandId },
      );
      if (failure) return;
    }
  }

  /**
   * Null on success. Errors other than `Refusal` and `Unavailable` are bugs of ours; they are thrown, and the policy
   * retries.
   */
  private async tryStep(step: ProvisioningStep, state: OpenRequest, context: RequestContext): Promise<Failure | null> {
    const {
      terms: { requestId },
    } = state;
    try {
      await this.carryOut(step, state, { ...context, commandId: derivedId('provisioning-step', requestId, step) });
      return null;
    } catch (error) {
      if (error instanceof Refusal) return { code: error.code, message: error.message, retryable: true };
      if (error instanceof Unavailable) return { code: error.code, message: error.message, retryable: true };
      throw error;
    }
  }

  private async carryOut(step: ProvisioningStep, state: OpenRequest, context: RequestContext): Promise<void> {
    const {
      terms: { accountId, parentId },
    } = state;
    switch (step) {
      case 'account':
        await this.commands.execute(new OpenAccountCommand(await this.opening(state), context, 'approved-request'));
        return;
      case 'wallets':
        await this.bus.request(ProvisionWallets, { accountId, parentId }, context);
        return;
      case 'whitelist':
        await this.whitelist(state, context);
    }
  }

  /**
   * Whitelists the external wallets of the request. One that has become an address of the service since is left out:
   * nothing would be credited there, and the account works without it.
   */
  private async whitelist(
    { terms: { requestId, accountId, externalWallets } }: OpenRequest,
    context: RequestContext,
  ): Promise<void> {
    const addresses = externalWallets.map(({ address }) => address);
    const house = await findHouseWallets(addresses, this.bus, context);
    for (const address of addresses) {
      if (house.has(address)) {
        this.logger.warn(
          { ...logged(context), requestId, accountId, address },
          'an external wallet was not whitelisted, because it has become an address of the service',
        );
        continue;
      }
      const once = { ...context, commandId: derivedId('whitelist', context.commandId, address) };
      await this.commands.execute(
        new WhitelistWalletCommand({ accountId, address, fx: false, source: 'onboarding' }, once),
      );
    }
  }

  private async opening({
    terms: { requestId, accountId, parentId, externalId, details, requestedAt },
  }: OpenRequest): Promise<OpenAccountPayload> {
    const { holder } = details;
    const name = details.mode === 'kyc' ? await this.nameOf(details.holder) : NAME_NOT_STATED;
    return {
      accountId,
      parentId,
      alias: aliasOf(requestId),
      externalId,
      onboardingMode: null,
      capabilities: [],
      bankAccount: null,
      holderId: holder.subjectId,
      taxId: holder.identifier,
      taxIdFingerprint: holder.identifierFingerprint,
      legalName: await this.personalData.seal(holder.subjectId, name),
      request: { requestId, requestedAt },
    };
  }

  private async nameOf({
    firstName,
    lastName,
  }: Pick<
    Extract<OpenRequest['terms']['details'], { mode: 'kyc' }>['holder'],
    'firstName' | 'lastName'
  >): Promise<string> {
    return `${await this.personalData.open(firstName)} ${await this.personalData.open(lastName)}`;
  }
}
