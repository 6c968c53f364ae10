import { execFileSync } from 'node:child_process';
import { resolve } from 'node:path';

const ROOT = resolve(__dirname, '../..');

/**
 * Returns ESLint's messages about imports for each text. ESLint runs in a separate process, because its configuration
 * is an ES module.
 */
function findings(texts: Readonly<Record<string, string>>): Record<string, string[]> {
  const script = `
    const { ESLint } = require('eslint');
    const lint = new ESLint({ cwd: ${JSON.stringify(ROOT)} });
    Promise.all(Object.entries(${JSON.stringify(texts)}).map(async ([name, text]) => {
      const [{ messages }] = await lint.lintText(text, { filePath: name.split('#')[0] });
      const fences = messages.filter(({ ruleId }) => /imports|boundaries/.test(ruleId ?? ''));
      return [name, fences.map(({ message }) => message)];
    })).then((all) => console.log(JSON.stringify(Object.fromEntries(all))));`;
  const env = { ...process.env, NX_DAEMON: 'false', NX_NO_CLOUD: 'true' };
  const printed = execFileSync(process.execPath, ['-e', script], { cwd: ROOT, env, encoding: 'utf8' });
  // While Nx makes the project graph, as in a fresh clone, it may print something first.
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Record<string, string[]>;
}

describe('the lint fences of the packages that partners install', () => {
  it('keep Node, Nest and our libraries out of the SDK, and all libraries but the SDK out of the command line', () => {
    const found = findings({
      'libs/sdk/src/pages.ts#node': "import 'node:fs';",
      'libs/sdk/src/pages.ts#nest': "import '@nestjs/common';",
      'libs/sdk/src/pages.ts#kernel': "import '@ponte/kernel';",
      'libs/sdk/src/pages.ts#own': "import 'jose';\nimport 'eventsource-parser';\nimport './errors';",
      'apps/cli/src/wait.ts#kernel': "import '@ponte/kernel';",
      'apps/cli/src/wait.ts#sdk': "import '@ponte/sdk';\nimport 'node:fs';\nimport 'commander';",
    });
    const refused = Object.entries(found).filter(([, messages]) => messages.length > 0);
    expect(refused.map(([name]) => name)).toEqual([
      'libs/sdk/src/pages.ts#node',
      'libs/sdk/src/pages.ts#nest',
      'libs/sdk/src/pages.ts#kernel',
      'apps/cli/src/wait.ts#kernel',
    ]);
  });
});

describe('the lint fences of a service', () => {
  it('keep pure code from importing the code that uses it, by the role in the file name', () => {
    const pure = ['decider', 'state', 'domain', 'errors', 'snapshot', 'record'].map((role) => `order/order.${role}.ts`);
    const found = findings(
      Object.fromEntries(
        pure.flatMap((name) => [
          [`apps/orders/src/${name}#port`, "import './orders-settings.port';"],
          [`apps/orders/src/${name}#command`, "import './place-order.command';"],
          [`apps/orders/src/${name}#adapters`, "import '../bank/adapters/http';"],
          [`apps/orders/src/${name}#nest`, "import '@nestjs/common';"],
          [`apps/orders/src/${name}#pure`, "import '@ponte/kernel';\nimport './order-ids.domain';"],
        ]),
      ),
    );
    const accepted = Object.entries(found).filter(([, messages]) => messages.length === 0);
    expect(accepted.map(([name]) => name)).toEqual(pure.map((name) => `apps/orders/src/${name}#pure`));
  });

  it('let modules import adapters, but not handlers', () => {
    const found = findings({
      'apps/orders/src/order/place-order.command.ts#adapter': "import '../bank/http.bank.adapter';",
      'apps/orders/src/order/place-order.command.ts#folder': "import '../bank/adapters/http';",
      'apps/orders/src/order/place-order.command.ts#engine': "import '@ponte/postgres';",
      'apps/orders/src/order/place-order.command.ts#service': "import '../../../ledger/src/steps';",
      'apps/orders/src/order/order.module.ts#adapter': "import '../bank/http.bank.adapter';",
    });
    const refused = Object.entries(found).filter(([, messages]) => messages.length > 0);
    expect(refused.map(([name]) => name.split('#')[1])).toEqual(['adapter', 'folder', 'engine', 'service']);
    expect(found['apps/orders/src/order/order.module.ts#adapter']).toEqual([]);
  });
});

describe('the lint fences of all code', () => {
  it('refuse files inside the packages that we depend on, and event handlers that the event bus of Nest would run', () => {
    const found = findings({
      'libs/nest/src/policies.ts#deep': "import '@nestjs/cqrs/dist/decorators/constants';",
      'apps/orders/src/main.ts#unscoped': "import 'kysely/dist/cjs/index';",
      'apps/orders/src/order/pay.policy.ts#handler': "import { EventsHandler } from '@nestjs/cqrs';",
      'apps/orders/src/order/pay.policy.ts#bus': "import { CommandBus } from '@nestjs/cqrs';",
      'apps/orders/src/main.ts#own': "import './dist/orders';\nimport '@nestjs/cqrs';",
    });
    const refused = Object.entries(found).filter(([, messages]) => messages.length > 0);
    expect(refused.map(([name]) => name.split('#')[1])).toEqual(['deep', 'unscoped', 'handler']);
  });
});
