interface PathParameter {
  readonly name: string;
  readonly description?: string;
  readonly schema: object;
  readonly example?: string;
}

/** The path parameters by their names in code, where routes cannot contain dashes. */
const PARAMETERS: Readonly<Record<string, PathParameter>> = {
  accountId: {
    name: 'account-id',
    description: 'Id of the account',
    schema: { type: 'string', format: 'uuid' },
    example: '0190f8a0-5c1e-7b3a-9d2f-3f6a1c0e4b01',
  },
  walletId: {
    name: 'wallet-id',
    description: 'A wallet of the account',
    schema: { type: 'string', format: 'uuid' },
    example: 'd1e2f3a4-b5c6-8d7e-9f80-91a2b3c4d5e6',
  },
  asset: {
    name: 'asset',
    description: 'Short name of the asset',
    schema: { type: 'string', enum: ['brl', 'usd', 'usdc', 'usdt', 'brlv', 'wbrly', 'brly'] },
    example: 'brl',
  },
  fileId: {
    name: 'file-id',
    description: 'A file of the case',
    schema: { type: 'string' },
    example: 'ev_01JD3F8M2K7Q9X4T6V8Z0A63B1',
  },
  id: {
    name: 'id',
    description: 'Id of the resource',
    schema: { type: 'string' },
    example: '0190f8a1-2b4c-7d5e-8f60-718293a4b5c6',
  },
};

/** The asset in the paths of withdrawals by asset, which exist only for BRL. */
const BRL: PathParameter = {
  name: 'asset',
  description: 'Short name of the asset; only `brl` is supported',
  schema: { type: 'string', enum: ['brl'] },
  example: 'brl',
};

const PARAMETER = /\{(\w+)\}/g;

/** The path with the public names of its parameters. */
export const publicPath = (path: string): string =>
  path.replace(PARAMETER, (_, name: string) => `{${PARAMETERS[name]?.name ?? name}}`);

/** The parameters of a path with their public names. */
export const pathParameters = (path: string): readonly object[] =>
  [...path.matchAll(PARAMETER)].map(([, name = '']) => ({ in: 'path', required: true, ...parameterOf(name, path) }));

function parameterOf(name: string, path: string): PathParameter {
  if (path.includes('{asset}/withdrawals') && name === BRL.name) return BRL;
  return PARAMETERS[name] ?? { name, schema: { type: 'string' } };
}
