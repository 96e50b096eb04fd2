#!/usr/bin/env bash
# The steps of the container, for Debian with Python 3.11 or newer and its module `venv`. The Dockerfile runs them;
# release/try_container.sh runs them without a container engine.
#
#   container.sh build SOURCE    installs wherefrom from its source into /opt/wherefrom
#   container.sh prepare         installs the other programs that wherefrom needs, and makes its user and /index
set -euo pipefail

packages() {
  apt-get update -qq
  DEBIAN_FRONTEND=noninteractive apt-get install -qq --yes -o Dpkg::Use-Pty=0 --no-install-recommends "$@" >/dev/null
  apt-get clean
  rm -rf /var/lib/apt/lists/*
}

case "${1:-}" in
  build)
    packages ca-certificates cargo gcc libc6-dev # for the native kernel
    # Another environment has pip, so that the container has none.
    python3 -m venv /tmp/pip
    python3 -m venv --without-pip /opt/wherefrom
    WHEREFROM_KERNEL=require /tmp/pip/bin/pip --quiet --python /opt/wherefrom/bin/python install --no-cache-dir \
      "$2[elasticsearch,web]"
    ;;
  prepare)
    packages ca-certificates git
    useradd --uid 10001 --create-home wherefrom
    install --directory --owner wherefrom /index
    ;;
  *)
    sed -n 's/^#\($\| \)//p' "$0" >&2
    exit 2
    ;;
esac
