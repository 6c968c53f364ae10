import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { failure, notLeader, notReady, accessDenied } from './wire';
import { status } from '@grpc/grpc-js';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** A member of the cluster, as reported by gossip. */
export interface Member extends Endpoint {
  readonly isLeader: boolean;
  readonly isAlive: boolean;
}

/** The current state of a node. */
export interface EsdbNodeState {
  readonly isReady: () => boolean;
  /** The leader as far as this node knows; undefined when it leads itself. */
  readonly leaderElsewhere: () => Endpoint | undefined;
  readonly members: () => readonly Member[];
}

/** The state of a single node. */
export const soleNode = (port: () => number): EsdbNodeState => ({
  isReady: () => true,
  leaderElsewhere: () => undefined,
  members: () => [{ host: '127.0.0.1', port: port(), isLeader: true, isAlive: true }],
});

/** The number of next calls that fail with this error before they are processed. */
export interface NodeMoods {
  notReady: number;
  unauthenticated: number;
}

export interface Entrance {
  readonly node: EsdbNodeState;
  readonly moods: NodeMoods;
  /** Passwords by user; without it, everyone has full access. */
  readonly users?: Readonly<Record<string, string>>;
}

/** The error of a call that is not accepted; undefined for an accepted one. */
export function refusal({ node, moods, users }: Entrance, metadata: Metadata): ServiceError | undefined {
  if (moods.unauthenticated > 0) {
    moods.unauthenticated -= 1;
    return failure(status.UNAUTHENTICATED, 'Bad HTTP status code: 401');
  }
  if (moods.notReady > 0 || !node.isReady()) {
    moods.notReady -= 1;
    return notReady();
  }
  if (users && !isKnown(users, metadata)) return accessDenied();
  return undefined;
}

/** The error of a follower for a call that requires the leader. */
export function redirection({ node }: Entrance, metadata: Metadata): ServiceError | undefined {
  const leader = node.leaderElsewhere();
  return leader && String(metadata.get('requires-leader')[0]) === 'true' ? notLeader(leader) : undefined;
}

function isKnown(users: Readonly<Record<string, string>>, metadata: Metadata): boolean {
  const [scheme, encoded] = String(metadata.get('authorization')[0] ?? '').split(' ');
  const [user = '', ...password] = Buffer.from(encoded ?? '', 'base64')
    .toString('utf8')
    .split(':');
  return scheme === 'Basic' && users[user] === password.join(':');
}

export const stateOf = ({ isLeader }: Member): MemberInfo.VNodeState =>
  isLeader ? MemberInfo.VNodeState.LEADER : MemberInfo.VNodeState.FOLLOWER;
