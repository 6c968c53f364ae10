import { Inject, Post, Req } from '@nestjs/common';
import type { FastifyRequest } from 'fastify';
import { CheckWebhookSignature, sealRequest } from '@ponte/contracts';
import type { SignatureCheck } from '@ponte/contracts';
import type { PersonalData } from '@ponte/event-sourcing';
import type { Clock, Violation } from '@ponte/kernel';
import { refuse } from '@ponte/kernel';
import { PERSONAL_DATA, SYSTEM_CLOCK } from '@ponte/nest';
import { ApiKeyCache } from '../../authentication/authentication.service';
import { AccountAccess } from '../../authorization/account-access.service';
import type { Call } from '../../edge/request-context.service';
import { Services } from '../../edge/request-context.service';
import { found } from '../../errors/api-error';
import { described } from '../../openapi/operation-spec';
import { Operation, Resource } from '../../openapi/operation';
import { isPlainObject } from '../../validation/fields';
import type { KeyOfCheck } from './jwt-checks';
import { jwtChecks } from './jwt-checks';
import type { JwtCheckDto, WebhookCheckDto } from './signature-check.dto';
import {
  SIGNATURE_EXAMPLE,
  SIGNATURE_REQUEST_EXAMPLE,
  SignatureCheckRequestDto,
  SignatureVerdictEnvelopeDto,
  verdictDto,
} from './signature-check.dto';

/** Text that only live credentials contain; it is also searched inside tokens. */
const LIVE = /(?:ak|sk|whsec)_live_/;

/**
 * Reports which part of a signature is wrong. Nothing that is sent here is logged, stored in clear or repeated in the
 * response. Live credentials are refused before they are used.
 */
@Resource('api/v1/sandbox/signature-check', 'sandbox')
export class SignatureCheckController {
  constructor(
    private readonly services: Services,
    private readonly keys: ApiKeyCache,
    private readonly access: AccountAccess,
    @Inject(PERSONAL_DATA) private readonly personalData: PersonalData,
    @Inject(SYSTEM_CLOCK) private readonly systemClock: Clock,
  ) {}

  @Operation({
    id: 'check-signature',
    summary: 'Check a signed request or a webhook verification',
    reach: 'own',
    body: described(SignatureCheckRequestDto, SIGNATURE_REQUEST_EXAMPLE, { violations: exactlyOneViolations }),
    answer: described(SignatureVerdictEnvelopeDto, SIGNATURE_EXAMPLE),
    errors: ['webhook-endpoint-not-found', 'live-credential-refused', 'account-access-denied'],
  })
  @Post()
  async check(@Req() { call, body }: FastifyRequest): Promise<SignatureVerdictEnvelopeDto> {
    const { jwt, webhook } = body as SignatureCheckRequestDto;
    const checks = jwt ? await this.ofRequest(jwt, call) : await this.ofWebhook(webhook as WebhookCheckDto, call);
    return { 'signature-check': verdictDto(checks) };
  }

  private async ofRequest(
    { token, 'api-key': keyId, method, uri, body }: JwtCheckDto,
    call: Call,
  ): Promise<SignatureCheck[]> {
    if (LIVE.test(keyId)) refuseLive('jwt.api-key');
    if (
      token.split('.').some((part) => LIVE.test(Buffer.from(part, 'base64url').toString('latin1'))) ||
      LIVE.test(token)
    )
      refuseLive('jwt.token');
    const known = await this.keyOf(keyId, call);
    return jwtChecks({ token, keyId, method, uri, body }, known, this.systemClock.now() / 1000);
  }

  private async ofWebhook(webhook: WebhookCheckDto, call: Call): Promise<readonly SignatureCheck[]> {
    if (LIVE.test(webhook.secret)) refuseLive('webhook.secret');
    const accountId = webhook['account-id'] ?? call.accountId;
    await this.access.checkReach(call.accountId, accountId);
    const parts = {
      secret: webhook.secret,
      id: webhook['webhook-id'],
      timestamp: webhook['webhook-timestamp'],
      signature: webhook['webhook-signature'],
      body: webhook.body,
    };
    const payload = {
      accountId,
      endpointId: webhook['webhook-endpoint-id'],
      parts: await sealRequest(this.personalData, { secret: JSON.stringify(parts) }),
    };
    const checked = await this.services.request(CheckWebhookSignature, payload, call);
    return found(checked, 'webhook-endpoint-not-found').checks;
  }

  /** A key of another account is reported as missing. */
  private async keyOf(keyId: string, { accountId }: Call): Promise<KeyOfCheck> {
    const key = await this.keys.find(keyId);
    if (!key || key.record.accountId !== accountId) return { kind: 'missing' };
    if (key.record.revoked) return { kind: 'revoked' };
    return key.publicKey ? { kind: 'signing', key: await key.publicKey } : { kind: 'bearer' };
  }
}

const refuseLive = (path: string): never =>
  refuse(
    'live-credential-refused',
    'this is a live key or secret: it was not used; rotate it if it was sent by mistake',
    path,
  );

function exactlyOneViolations(body: unknown): Violation[] {
  if (!isPlainObject(body)) return [];
  const sent = ['jwt', 'webhook'].filter((name) => body[name] !== undefined && body[name] !== null);
  if (sent.length === 1) return [];
  const message = 'send exactly one of jwt and webhook';
  return [
    {
      path: sent.length === 0 ? 'webhook' : 'jwt',
      code: sent.length === 0 ? 'missing-field' : 'unknown-field',
      message,
    },
  ];
}
