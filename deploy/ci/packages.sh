#!/usr/bin/env bash
# What the real engines and the browser need besides Node, Java and Maven, from Debian's packages; nothing when it is there.
set -euo pipefail
wanted=()
compgen -G '/usr/lib/postgresql/*/bin/initdb' > /dev/null || wanted+=(postgresql)
[ -x /usr/bin/chromium ] || wanted+=(chromium)
[ ${#wanted[@]} -eq 0 ] && exit 0
export DEBIAN_FRONTEND=noninteractive
# A server of the package's own is not wanted: each test starts one over a folder of its own.
mkdir -p /etc/postgresql-common
[ -e /etc/postgresql-common/createcluster.conf ] || echo 'create_main_cluster = false' > /etc/postgresql-common/createcluster.conf
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${wanted[@]}" > /dev/null
