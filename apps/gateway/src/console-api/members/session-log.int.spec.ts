import 'reflect-metadata';
import { signIn } from '../../testing/staff-browser';
import { STAFF } from '../../testing/staff-members';
import { useGateway } from '../../testing/use-gateway';

const gateway = useGateway();

it('logs who signs in with which roles, and who ends the sessions of whom', async () => {
  const info = jest.spyOn(gateway.engines.logger, 'info');
  await signIn(gateway, 'analyst');
  const headers = await signIn(gateway, 'operator');
  const url = `/staff/v1/staff/${STAFF.analyst.staffId}/end-sessions`;
  await gateway.app.inject({ method: 'POST', url, headers });
  const origin = { 'correlation-id': expect.any(String) as string };
  const begun = ({ staffId, roles }: typeof STAFF.analyst) => [
    { ...origin, staffId, roles, way: 'local' },
    'a staff member signed in',
  ];
  expect(info.mock.calls).toEqual([
    begun(STAFF.analyst),
    begun(STAFF.operator),
    [
      { ...origin, staffId: STAFF.analyst.staffId, endedBy: STAFF.operator.staffId, sessions: 1 },
      'the sessions of a staff member were ended',
    ],
  ]);
});
