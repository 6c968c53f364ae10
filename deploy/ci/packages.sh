#!/usr/bin/env bash
# Installs the Debian packages that the real engines, the browser, the generated clients and the snippets of the guides
# need in addition to Node, Java and Maven. Does nothing if they are installed.
set -euo pipefail
wanted=()
compgen -G '/usr/lib/postgresql/*/bin/initdb' > /dev/null || wanted+=(postgresql)
[ -x /usr/bin/chromium ] || wanted+=(chromium)
for program in curl jq openssl; do
  command -v "$program" > /dev/null || wanted+=("$program")
done
python3 -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' 2> /dev/null ||
  wanted+=(python3 python3-venv)
[ ${#wanted[@]} -eq 0 ] && exit 0
export DEBIAN_FRONTEND=noninteractive
# Keeps the package from starting a server: each test starts its own server with its own folder.
mkdir -p /etc/postgresql-common
conf=/etc/postgresql-common/createcluster.conf
[ -e "$conf" ] || echo 'create_main_cluster = false' > "$conf"
apt-get update -qq
apt-get install -y -qq --no-install-recommends "${wanted[@]}" > /dev/null
