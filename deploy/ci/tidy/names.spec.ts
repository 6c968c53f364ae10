import { findingsIn } from './rules.cjs';

const repository = {
  exists: () => false,
  hasFile: () => false,
  linesOf: () => undefined,
};
const rulesOf = (file: string, text: string) => findingsIn(file, text, repository).map(({ rule }) => rule);

describe('the tidy check of names', () => {
  it.each([
    ['@Controller()\nexport class Orders {}', 'controller'],
    ['@Module({})\nexport class Orders {}', 'module'],
    ['export class Orders implements OnModuleInit, CanActivate {}', 'guard'],
    ['export class Orders\n  extends Reader\n  implements PipeTransform<A, B>\n{}', 'pipe'],
    ['class Orders implements NestInterceptor {}', 'interceptor'],
    ['export class Orders implements ExceptionFilter<Error> {}', 'filter'],
  ])('finds the role of a class of Nest: %s', (text, role) => {
    expect(rulesOf('apps/orders/src/order/orders.ts', text)).toEqual(['missing-role']);
    expect(rulesOf(`apps/orders/src/order/orders.${role}.ts`, text)).toEqual([]);
  });

  it('accepts an adapter that is named for the file of its port, or for one of its interfaces', () => {
    const text =
      "import type { Keystore, Pin } from '../signer.port';\nclass Keys\n  extends Base\n  implements Keystore, Pin {}";
    const rules = (name: string) => rulesOf(`apps/movements/src/signer/adapters/${name}.ts`, text);
    expect(rules('local.keystore.adapter')).toEqual([]);
    expect(rules('local.pin.adapter')).toEqual([]);
    expect(rules('local.signer.adapter')).toEqual([]);
    expect(rules('local.keys.adapter')).toEqual(['adapter-name']);
    expect(rules('local-keystore.adapter')).toEqual(['adapter-name']);
  });

  it('accepts files whose names have a known role', () => {
    expect(rulesOf('apps/orders/src/order/order.decider.ts', 'export {};')).toEqual([]);
    expect(rulesOf('apps/ledger/src/payouts/http.payouts.adapter.ts', 'export {};')).toEqual([]);
  });

  it('accepts an unknown word before .int.spec.ts only if it names the port of an adapter', () => {
    const file = 'apps/ledger/src/payouts/http.payouts.int.spec.ts';
    expect(rulesOf(file, 'export {};')).toEqual(['file-role']);
    const hasFile = (name: string) => name === 'http.payouts.adapter.ts';
    expect(findingsIn(file, 'export {};', { ...repository, hasFile })).toEqual([]);
  });

  it.each([
    ['apps/orders/src/order/order-metrics.ts', 'order.metrics.ts'],
    ['apps/orders/src/order/metrics.ts', 'order.metrics.ts'],
    ['apps/orders/src/order/orders-read-model.ts', 'orders.read-model.ts'],
    ['libs/operator/src/chain-verbs.ts', 'chain.verbs.ts'],
  ])('says how to name %s', (file, name) => {
    const messages = findingsIn(file, 'export {};', repository).map(({ message }) => message);
    expect(messages).toEqual([expect.stringMatching(new RegExp(`name it ${name.replaceAll('.', '\\.')}$`))]);
  });

  it.each([
    'apps/orders/src/order/order.metrics.ts',
    'apps/orders/src/order/order-metrics.int.spec.ts',
    'apps/orders/src/order/order-commands.domain.ts',
    'apps/gateway/src/server/route-table.ts',
    'apps/gateway/src/edge/route-policy.ts',
    'libs/observability/src/metrics.ts',
  ])('accepts %s, which ends in another word or has a role', (file) => {
    expect(rulesOf(file, 'export {};')).toEqual([]);
  });
});
