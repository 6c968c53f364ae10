import { mayHaveContainers } from './containers';

describe('mayHaveContainers', () => {
  const nothing = () => false;

  it('is false without a socket or a setting of a container engine', () => {
    expect(mayHaveContainers({}, nothing)).toBe(process.platform === 'win32');
  });

  it.each([{ DOCKER_HOST: 'tcp://127.0.0.1:2375' }, { TESTCONTAINERS_HOST_OVERRIDE: '127.0.0.1' }])(
    'is true with %j',
    (environment) => expect(mayHaveContainers(environment, nothing)).toBe(true),
  );

  it.each(['/var/run/docker.sock', '/run/user/7/docker.sock', '/run/user/7/podman/podman.sock'])(
    'is true with the socket %s',
    (socket) => expect(mayHaveContainers({ XDG_RUNTIME_DIR: '/run/user/7' }, (path) => path === socket)).toBe(true),
  );
});
