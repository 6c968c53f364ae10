import 'reflect-metadata';
import { STAFF_ROLES } from '@ponte/contracts';
import { CATALOGUE } from '../errors/catalogue';
import { sessionDocument } from '../testing/gateway-under-test';
import { SESSION_ROUTES, WAYS_ROUTE } from '../testing/staff-routes';
import { ErrorDto } from './error.dto';
import { violationsOf } from '../validation/violations';
import type { Shape } from '../validation/fields';
import { ROLES_OF } from '../staff/roles';
import * as explanationModule from '../api/quotes/explanation.dto';
import * as partnersModule from '../console-api/review/partners.dto';
import * as backtests from '../api/pricing-rules/backtest.dto';
import * as rules from '../api/pricing-rules/rules.dto';
import * as freezes from '../console-api/accounts/freeze.dto';
import * as addressReviews from '../console-api/address-reviews/address-review.dto';
import * as screeningFindings from '../console-api/screening-findings/screening-finding.dto';
import * as transfers from '../console-api/transfers/transfer.dto';
import * as cases from '../console-api/case/case.dto';
import * as findings from '../console-api/case/findings.dto';
import * as records from '../console-api/case/records.dto';
import * as members from '../console-api/members/member.dto';
import * as privacy from '../console-api/privacy/privacy.dto';
import * as reports from '../console-api/reports/report.dto';
import * as decisions from '../console-api/review/decisions.dto';
import * as queue from '../console-api/review/queue.dto';
import * as session from '../console-api/session/session.dto';
import * as operators from '../console-api/staff.dto';
import * as apiKeys from '../console-api/api-key.dto';
import * as arrived from '../api/deposits/deposit.dto';
import * as received from '../console-api/deposits/deposit.dto';
import * as doubleReturns from '../console-api/deposits/double-return.dto';
import * as sending from '../console-api/deposits/sending.dto';
import * as setAside from '../console-api/deposits/set-aside.dto';
import * as failedReturns from '../console-api/deposits/failed-return.dto';
import * as certificates from '../api/certificates/certificate.dto';
import * as nftTransfers from '../api/nft-transfers/nft-transfer.dto';
import * as staffCertificates from '../console-api/certificates/certificate.dto';
import * as usd from '../console-api/usd-deposits/usd-deposit.dto';
import * as outward from '../api/withdrawals/withdrawal.dto';
import * as withdrawalRequests from '../api/withdrawals/withdrawal-request.dto';
import * as refusedPayouts from '../console-api/withdrawals/refused-payout.dto';
import * as withdrawals from '../console-api/withdrawals/withdrawal.dto';
import * as wallets from '../console-api/wallets/wallet.dto';
import { gateway, send, useSignedInStaff } from '../console-api/testing/staff-requests';

useSignedInStaff();

type Content = Record<
  string,
  { schema: { $ref: string }; examples?: Record<string, { value: { error?: { code: string } } }> }
>;

interface Operation {
  operationId: string;
  security?: object[];
  requestBody?: { content: Content };
  parameters: { name: string; in: string }[];
  responses: Record<string, { content?: Content; headers?: object }>;
  'x-roles'?: string[];
}

const shapes = new Map<string, Shape>(
  [
    cases,
    findings,
    freezes,
    records,
    members,
    privacy,
    addressReviews,
    screeningFindings,
    transfers,
    decisions,
    queue,
    session,
    operators,
    apiKeys,
    wallets,
    withdrawals,
    outward,
    withdrawalRequests,
    certificates,
    staffCertificates,
    nftTransfers,
    usd,
    arrived,
    failedReturns,
    setAside,
    sending,
    doubleReturns,
    refusedPayouts,
    received,
    rules,
    backtests,
    reports,
    { ErrorDto },
    explanationModule,
    partnersModule,
  ]
    .flatMap((module) => Object.entries(module))
    .filter((entry): entry is [string, Shape] => typeof entry[1] === 'function' && /Dto$/.test(entry[0])),
);

describe('the OpenAPI document of staff', () => {
  it('has a valid example for every body and response, the errors of the catalogue and the roles of the guard', async () => {
    const { openapi, paths } = sessionDocument<unknown>(gateway) as {
      openapi: string;
      paths: Record<string, Record<string, Operation>>;
    };
    expect(openapi).toBe('3.1.0');
    const operations = Object.entries(paths).flatMap(([path, item]) =>
      Object.entries(item).map(([method, operation]) => [path, method, operation] as const),
    );
    for (const [path, method, operation] of operations) {
      const { operationId, requestBody, responses, security = [] } = operation;
      expect(operation.parameters.filter((one) => one.in === 'path').map(({ name }) => name)).toEqual(
        [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name),
      );
      expect(operation.parameters.some(({ name }) => name === 'Idempotency-Key')).toBe(false);
      for (const [status, { content }] of [['body', requestBody ?? {}] as const, ...Object.entries(responses)]) {
        const json = content?.['application/json'];
        if (!json) continue;
        expect([operationId, status, Object.keys(json.examples ?? {}).length > 0]).toEqual([operationId, status, true]);
        for (const { value } of Object.values(json.examples ?? {})) {
          const shape = shapes.get(json.schema.$ref.replace('#/components/schemas/', ''));
          expect([operationId, status, shape && violationsOf(shape, value, 'refuse')]).toEqual([
            operationId,
            status,
            [],
          ]);
          if (value.error)
            expect(CATALOGUE).toContainEqual(
              expect.objectContaining({ code: value.error.code, status: Number(status) }),
            );
        }
      }
      const roles = (ROLES_OF as Record<string, readonly string[]>)[operationId];
      expect([operationId, operation['x-roles']]).toEqual([operationId, roles]);
      expect([operationId, security]).toEqual([
        operationId,
        roles ? [{ 'staff-session': [], ...(method === 'get' ? {} : { 'csrf-token': [] }) }] : [],
      ]);
    }
    expect(new Set(operations.flatMap(([, , operation]) => operation['x-roles'] ?? []))).toEqual(new Set(STAFF_ROLES));
  });

  it('lists a missing parameter among the errors of each operation that requires one in its query', () => {
    const { paths } = sessionDocument<unknown>(gateway) as {
      paths: Record<
        string,
        Record<
          string,
          { operationId: string; parameters: { in: string; required: boolean }[]; responses: Operation['responses'] }
        >
      >;
    };
    const requiring = Object.values(paths)
      .flatMap((item) => Object.values(item))
      .filter(({ parameters }) => parameters.some((one) => one.in === 'query' && one.required));
    expect(requiring.map(({ operationId }) => operationId)).toEqual(
      expect.arrayContaining(['staff-open-file', 'staff-get-fx-days', 'staff-get-iof-payable']),
    );
    for (const { operationId, responses } of requiring)
      expect([operationId, responses['400']?.content?.['application/json']?.examples]).toEqual([
        operationId,
        expect.objectContaining({ 'missing-field': expect.anything() as object }),
      ]);
  });

  it('allows null for nullable objects, which a null type next to allOf would still refuse', async () => {
    const { components } = sessionDocument<unknown>(gateway) as {
      components: {
        schemas: Record<
          string,
          { properties?: Record<string, { allOf?: unknown; type?: unknown; description?: string }> }
        >;
      };
    };
    const properties = Object.entries(components.schemas).flatMap(([schema, { properties: of = {} }]) =>
      Object.entries(of).map(([name, property]) => [`${schema}.${name}`, property] as const),
    );
    expect(
      properties.filter(([, { allOf, type }]) => allOf !== undefined && Array.isArray(type)).map(([name]) => name),
    ).toEqual([]);
    expect(components.schemas['QueueItemDto']?.properties?.['assignee']).toEqual({
      description: 'The staff member who has claimed it',
      anyOf: [{ $ref: '#/components/schemas/StaffRefDto' }, { type: 'null' }],
    });
  });

  it('is not part of the document for partners', async () => {
    expect((await gateway.app.inject({ url: '/openapi.json' })).body).not.toContain('/staff/');
    expect(SESSION_ROUTES['staff-sign-out'].status).toBe(204);
    expect(violationsOf(WAYS_ROUTE.answer as Shape, (await send(WAYS_ROUTE, {})).json(), 'refuse')).toEqual([]);
  });
});
