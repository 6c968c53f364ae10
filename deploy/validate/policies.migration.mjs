// Policies for the Job that updates the tables.
import { deployment, ofKind, unless } from './objects.mjs';

export const MIGRATION = {
  'a migration runs before the pods, ends, and runs once per version': (documents) => {
    const jobs = ofKind(documents, 'Job');
    return [
      ...(deployment(documents) ? unless(jobs.length === 1, 'a migration') : []),
      ...jobs.flatMap(({ metadata, spec }) => [
        ...unless(
          metadata.annotations?.['helm.sh/hook'] === 'pre-install,pre-upgrade',
          'the hook pre-install,pre-upgrade',
        ),
        ...unless(/-[0-9a-f]{8}$/.test(metadata.name), 'a name that changes with its pod'),
        ...unless(
          spec.template.spec.restartPolicy === 'Never' && spec.backoffLimit >= 0 && spec.activeDeadlineSeconds > 0,
          'an end',
        ),
        ...spec.template.spec.containers.flatMap(({ envFrom = [] }) =>
          unless(envFrom.length === 0, 'nothing that the release creates only later'),
        ),
      ]),
    ];
  },
};
