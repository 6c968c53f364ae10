// Checks what the chart renders for each ingress controller.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from '../helm.mjs';
import { faultsIn } from '../policies.mjs';
import { largestBody } from '../policies.network.mjs';
import { render } from '../render.mjs';
import { check, seen } from './results.mjs';

export function ingresses() {
  for (const controller of ['nginx', 'traefik'])
    check(
      `the ingress accepts uploads up to 10 MB and buffers: ${controller}`,
      uploadFaults(gatewayBehind(controller)),
    );
  check('Traefik passes the event stream on as it comes', streamFaults(gatewayBehind('traefik')));
  const buffered = gatewayBehind('traefik', ['--set', 'ingresses[0].streams={/events}']);
  seen('an event stream that Traefik buffers', streamFaults(buffered).length > 0);
}

const gatewayBehind = (controller, more = []) =>
  render('gateway', [
    ...['--set', `ingresses[0].controller=${controller}`, '--set', `ingresses[1].controller=${controller}`],
    ...more,
  ]);

/** The largest upload is the largest file in base64 plus the rest of the body, as in the code. */
function uploadFaults(documents) {
  const [, file] =
    /MAX_EVIDENCE_BYTES = ([\d_]+)/.exec(
      readFileSync(join(ROOT, 'libs/contracts/src/onboarding/evidence-events.ts'), 'utf8'),
    ) ?? [];
  const upload = Math.ceil(Number(file.replaceAll('_', '')) / 3) * 4 + 64 * 1024;
  const { metadata } = documents.find(({ kind, metadata: { name } }) => kind === 'Ingress' && name.endsWith('-public'));
  const told = largestBody(metadata, documents);
  return [
    ...(told === upload ? [] : [`${told} bytes instead of ${upload}`]),
    ...faultsIn(documents, documents)
      .filter(({ policy }) => policy === 'an ingress limits bodies and buffers both directions')
      .map(({ fault, policy }) => fault ?? policy),
  ];
}

/** The route without buffering has the stream's path as the code declares it, and no other path of the API. */
function streamFaults(documents) {
  const [, address] =
    /address: '(\/api\/[^']+\/stream)'/.exec(
      readFileSync(join(ROOT, 'libs/contracts/src/asyncapi/partner-document.ts'), 'utf8'),
    ) ?? [];
  const { spec } = documents.find(({ kind }) => kind === 'IngressRoute');
  const { host } = documents.find(({ kind, metadata }) => kind === 'Ingress' && metadata.name.endsWith('-public')).spec
    .rules[0];
  const rule = /^Host\(`(.+?)`\) && \(Method\(`GET`\) \|\| Method\(`HEAD`\)\) && PathRegexp\(`(.+)`\)$/;
  const [, named, path] = rule.exec(spec.routes[0].match) ?? [];
  const leads = (url) => new RegExp(path).test(url);
  return [
    ...(named === host && spec.tls.secretName ? [] : ['not the host with its certificate']),
    ...(spec.routes.length === 1 && !spec.routes[0].middlewares ? [] : ['a middleware']),
    ...(leads(address.replace(/\{.*?\}/, 'example')) ? [] : [`${address} is buffered`]),
    ...['/api/v1/accounts/example/events', '/api/v1/accounts/example/orders/events/stream', '/api/v1/quotes']
      .filter(leads)
      .map((url) => `${url} is not buffered`),
  ];
}
