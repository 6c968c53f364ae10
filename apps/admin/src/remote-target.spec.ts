import { remoteTargetIn } from './remote-target';

test('another installation is given by its origin and token file, and its token is not sent unencrypted', () => {
  const line = ['--at', 'https://staff.ponte.example', '--token-file', 'token', 'account', 'list'];
  const named = { baseUrl: 'https://staff.ponte.example', tokenFile: 'token', words: ['account', 'list'] };
  expect([
    remoteTargetIn(line),
    remoteTargetIn(['--token-file', 'token', '--at', 'https://staff.ponte.example/', 'account', 'list']),
    remoteTargetIn(['account', 'list']),
  ]).toEqual([named, named, undefined]);
  expect(remoteTargetIn(['--at=http://127.0.0.1:3000', '--token-file=token'])).toMatchObject({
    baseUrl: 'http://127.0.0.1:3000',
    words: [],
  });
  expect(remoteTargetIn([...line, '--at', 'is the verb’s own', '--help'])?.words).toEqual([
    'account',
    'list',
    '--at',
    'is the verb’s own',
    '--help',
  ]);
  for (const wrong of [
    line.slice(0, 2),
    line.slice(2),
    ['--at'],
    ['--at', 'https://staff.ponte.example', '--token-file', 'token', '--unknown', 'account', 'list'],
    ['--at', 'staff', '--token-file', 'token'],
  ]) {
    expect(() => remoteTargetIn(wrong)).toThrow('--at');
  }
});

test('an address that cannot be used is refused with what is accepted', () => {
  const at = (address: string) => () => remoteTargetIn(['--at', address, '--token-file', 'token']);
  expect(at('https://staff.ponte.example/api')).toThrow(
    '--at must be an origin without a path, such as https://staff.ponte.example',
  );
  for (const address of ['http://staff.ponte.example', 'http://staff.ponte.example/api', 'ftp://staff.ponte.example'])
    expect(at(address)).toThrow(
      '--at must be an https origin; plain http would expose the token and is allowed only for this machine',
    );
});
