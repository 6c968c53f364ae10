import type { Metadata, ServiceError } from '@grpc/grpc-js';
import { MemberInfo } from '@eventstore/db-client/generated/gossip_pb';
import { failure, notLeader, notReady, accessDenied } from './wire';
import { status } from '@grpc/grpc-js';

export interface Endpoint {
  readonly host: string;
  readonly port: number;
}

/** A member of the cluster as gossip tells of it. */
export interface Member extends Endpoint {
  readonly isLeader: boolean;
  readonly isAlive: boolean;
}

/** What a node is at the moment. */
export interface EsdbNodeState {
  readonly isReady: () => boolean;
  /** Undefined where this node leads, else who does as far as it knows. */
  readonly leaderElsewhere: () => Endpoint | undefined;
  readonly members: () => readonly Member[];
}

/** One node, which leads. */
export const soleNode = (port: () => number): EsdbNodeState => ({
  isReady: () => true,
  leaderElsewhere: () => undefined,
  members: () => [{ host: '127.0.0.1', port: port(), isLeader: true, isAlive: true }],
});

/** What a node answers before it looks at a request. Counted down: the next so many calls are answered so. */
export interface NodeMoods {
  notReady: number;
  unauthenticated: number;
}

export interface Entrance {
  readonly node: EsdbNodeState;
  readonly moods: NodeMoods;
  /** Passwords by user; everybody may do everything when absent. */
  readonly users?: Readonly<Record<string, string>>;
}

/** Why a call is not taken at all; undefined when it is. */
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

/** What a node that follows answers to whom needs the leader. */
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

/** As the protocol names it. */
export const stateOf = ({ isLeader }: Member): MemberInfo.VNodeState =>
  isLeader ? MemberInfo.VNodeState.LEADER : MemberInfo.VNodeState.FOLLOWER;
