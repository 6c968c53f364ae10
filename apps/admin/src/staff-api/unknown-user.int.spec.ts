import os from 'node:os';
import { StaffApiUnderTest } from '../testing/staff-api-under-test';

const api = new StaffApiUnderTest();
afterEach(() => jest.restoreAllMocks());

it('a user whom the system does not know is named unknown, and can use the staff API', async () => {
  jest.spyOn(os, 'userInfo').mockImplementation(() => {
    throw new Error('uv_os_get_passwd returned ENOENT');
  });
  api.soon({ accounts: [] });
  expect((await api.run(['account', 'list'])).code).toBe(0);
  expect(api.heard.map(({ operator }) => operator)).toEqual(['unknown']);
});
