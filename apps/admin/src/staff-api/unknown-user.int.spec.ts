import os from 'node:os';
import { StaffApiUnderTest } from '../testing/staff-api-under-test';

const api = new StaffApiUnderTest();
const { USER } = process.env;
beforeEach(() => {
  jest.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
});
afterEach(() => {
  jest.restoreAllMocks();
  if (USER === undefined) delete process.env['USER'];
  else process.env['USER'] = USER;
});

it.each([
  ['ana', 'ana'],
  ['ção', '??o'],
  [undefined, 'unknown'],
])('a user without an entry in the system, whose USER is %s, is named %s', async (user, name) => {
  if (user === undefined) delete process.env['USER'];
  else process.env['USER'] = user;
  api.soon({ accounts: [] });
  expect((await api.run(['account', 'list'])).code).toBe(0);
  expect(api.heard.map(({ operator }) => operator)).toEqual([name]);
});
