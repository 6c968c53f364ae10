// Checks operator commands on Kubernetes.
import { OPERATOR_PLANTED, operatorPods, planted, podFaults, walks } from '../operator.mjs';
import { interruption } from '../operator-interrupted.mjs';
import { starts } from '../operator-starts.mjs';
import { check, seen } from './results.mjs';

/** Operator commands on Kubernetes. */
export async function operators(releases) {
  const all = [...releases.values()].flat();
  for (const pod of operatorPods(releases))
    check(
      `${pod.metadata.name}: is configured like its service but is not a replica`,
      podFaults(pod, releases.get(pod.metadata.name.split('-')[1]), all),
    );
  for (const [what, plant] of OPERATOR_PLANTED)
    seen(`the pod of a verb: ${what}`, podFaults(planted(releases, plant), releases.get('orders'), all).length > 0);
  for (const [what, faults] of [...(await walks(releases)), ...(await starts(releases))]) check(what, faults);
  check('a command that is interrupted deletes its pod', await interruption(releases));
}
