import type { INestApplication } from '@nestjs/common';
import { DocumentBuilder, SwaggerModule } from '@nestjs/swagger';
import type { OpenAPIObject } from '@nestjs/swagger';
import type { Runtime } from '@ponte/nest';
import { RUNTIME } from '@ponte/nest';
import { SESSION_COOKIE } from '../staff/cookies';
import { forAudience } from './audience';
import { complete } from './complete-document';
import { onTheWire } from './on-the-wire';
import { CSRF_SCHEME, SESSION_SCHEME } from './operation-documentation';

const DESCRIPTION = [
  'The API for compliance, operations and audit, used by the console and by other clients. Bodies are JSON with kebab-case fields; times are UTC with milliseconds.',
  '',
  'A session is a SameSite=Strict cookie; every write also needs its `X-CSRF-Token`. `x-roles` of an operation ' +
    'lists the roles that may call it.',
  'Operations outside `/staff/v1/` do not use a session:',
  '`npm run admin` sends them `Authorization: Staff <token>`.',
  'A request with `X-Background: true` does not keep the session alive. Every access to personal data is recorded with the person and the purpose.',
].join('\n');

const TAGS: readonly (readonly [string, string])[] = [
  ['session', 'Signing in and out'],
  ['queue', 'Account requests that wait for staff, without personal data'],
  ['decisions', 'Decisions of compliance'],
  ['case', 'Personal data of an account request; every access is recorded'],
  ['privacy', 'Stored data of a person, and its erasure'],
  ['wallets', 'External wallets of accounts'],
  ['pricing-rules', 'Current, former and proposed pricing rules'],
  ['members', 'Staff members who have signed in'],
  ['staff', 'Operations with the staff token of the installation'],
];

/** Creates the OpenAPI 3.1 document of everything below `/staff/` from the shapes that are enforced at run time. */
export function createStaffDocument(app: INestApplication, modules: readonly (new () => unknown)[]): OpenAPIObject {
  const sandbox = app.get<Runtime>(RUNTIME).environment === 'sandbox';
  const builder = new DocumentBuilder()
    .setOpenAPIVersion('3.1.0')
    .setTitle('Ponte staff')
    .setDescription(DESCRIPTION)
    .setVersion('1.0.0')
    .addApiKey(
      {
        type: 'apiKey',
        in: 'cookie',
        name: sandbox ? SESSION_COOKIE.name : `__Host-${SESSION_COOKIE.name}`,
        description: 'Set at sign-in. The name has no `__Host-` prefix over http on loopback',
      },
      SESSION_SCHEME,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'X-CSRF-Token', description: 'From GET /staff/v1/session' },
      CSRF_SCHEME,
    )
    .addApiKey(
      { type: 'apiKey', in: 'header', name: 'Authorization', description: '`Staff <token>`, for operators' },
      'staff',
    );
  for (const [name, description] of TAGS) builder.addTag(name, description);
  const whole = SwaggerModule.createDocument(app, builder.build(), {
    include: [...modules],
    ignoreGlobalPrefix: false,
  });
  return complete(onTheWire(forAudience(whole, 'staff')));
}
