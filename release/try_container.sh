#!/usr/bin/env bash
# Tries the container without a container engine. It runs the Dockerfile's steps in fresh roots of the same Debian, with
# Debian's Python instead of the image's. Then it measures the root, and indexes, serves and searches in it as the
# Dockerfile's user, with the Dockerfile's variables and commands.
#
# Takes minutes. Needs root, debootstrap, git, iproute2 and a network. Removes everything that it made.
set -euo pipefail
cd "$(dirname "$0")/.."
export PATH=/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin

most=600 # MB

# The text of an instruction of the Dockerfile, without its flags. Of several such instructions, the last one counts.
instruction() {
  sed -n "s/^$1 \(--.* CMD \)\{0,1\}//p" Dockerfile | tail -n 1
}

fail() {
  echo "failed: $*" >&2
  exit 1
}

build() {
  local debian size
  debian=$(sed -n 's/^FROM python:.*-slim-\([a-z]*\) AS base$/\1/p' Dockerfile)
  echo "making a root of Debian $debian ..."
  debootstrap --variant=minbase --include=ca-certificates,python3-venv "$debian" "$folder/base" >/dev/null
  cp -a "$folder/base" "$image"
  mv "$folder/base" "$folder/build"
  # Some networks have certificates of their own. pip reads Debian's list only if a variable names it.
  if [ -d /usr/local/share/ca-certificates ]; then
    cp -r /usr/local/share/ca-certificates "$folder/build/usr/local/share/"
  fi
  chroot "$folder/build" update-ca-certificates >/dev/null 2>&1

  echo "installing ..."
  mkdir "$folder/build/source"
  sed -n 's/^!//p' .dockerignore | xargs git ls-files -z | tar -c --null -T - | tar -x -C "$folder/build/source"
  mount -t proc proc "$folder/build/proc"
  chroot "$folder/build" env -i "PATH=$PATH" PIP_CERT=/etc/ssl/certs/ca-certificates.crt \
    sh -c 'cd /source && release/container.sh build .'
  mount --bind "$folder/build/source/release" "$image/mnt"
  chroot "$image" env -i "PATH=$PATH" /mnt/container.sh prepare
  umount "$image/mnt"
  cp -a "$folder/build/opt/wherefrom" "$image/opt/"

  size=$(du -sxB1000000 "$image" | cut -f 1)
  echo "$size MB unpacked, of at most $most. What weighs most:"
  (cd "$image" && du -xB1000000 --max-depth=6 . | sort -rn | head -n 30)
  [ "$size" -le "$most" ] || fail "the image is too large"
}

serve() {
  local environment run start check ask token=0123456789abcdef0123456789abcdef
  eval "environment=($(instruction ENV))" # expands $PATH
  run=(chroot "--userspec=$(instruction USER)" "$image" env -i HOME=/home/wherefrom "${environment[@]}")
  # Python reads the Dockerfile's JSON arrays as lists.
  listed() { "${run[@]}" python -c "print(*$(instruction "$1"), sep='\n')"; }
  mapfile -t start < <(listed ENTRYPOINT && listed CMD)
  mapfile -t check < <(listed HEALTHCHECK)

  mount -t proc proc "$image/proc"
  mount -t tmpfs -o size=64m tmpfs "$image/dev/shm"
  ip link set lo up
  [ "$("${run[@]}" id -u)" != 0 ] || fail "it runs as root"
  [ -z "$("${run[@]}" find /opt /usr -writable -not -type l)" ] || fail "its user can change programs"

  echo "indexing ..."
  git ls-files -z wherefrom/support | tar -c --null -T - | "${run[@]}" tar -x -C /home/wherefrom
  "${run[@]}" sh -c 'cd && git init -q && git add . && git -c user.name=x -c user.email= commit -qm x'
  "${run[@]}" "${start[0]}" index /home/wherefrom

  echo "serving ..."
  "${run[@]}" "WHEREFROM_TOKEN=$token" "${start[@]}" &
  for _ in {1..100}; do
    if "${run[@]}" "${check[@]}" 2>/dev/null; then break; fi
    sleep 0.2
  done
  "${run[@]}" "${check[@]}" || fail "it is not healthy"
  ask='
import json, sys, urllib.request
code = open("/home/wherefrom/wherefrom/support/hosts.py").read()
body = json.dumps({"code": code, "name": "hosts.py"}).encode()
headers = {"Authorization": f"Bearer {sys.argv[1]}", "Content-Type": "application/json"}
request = urllib.request.Request("http://127.0.0.1:8765/api/v1/search", body, headers)
print("found", json.load(urllib.request.urlopen(request))["hits"][0]["occurrences"][0]["path"])
'
  ! "${run[@]}" python -c "$ask" nonsense 2>/dev/null || fail "it answers without its token"
  "${run[@]}" python -c "$ask" "$token"

  SECONDS=0
  kill %%
  wait %% || [ $? = 143 ] || fail "it ends with an error" # 143: ended by SIGTERM
  [ "$SECONDS" -lt 10 ] || fail "it takes longer to end than engines wait"
}

# Each step has processes and mounts of its own, and serving has a network of its own. They vanish with the step.
case "${1:-}" in
  "")
    folder=$(mktemp -d /var/tmp/wherefrom-container.XXXXXX)
    trap 'rm -rf "$folder"' EXIT
    unshare --mount --pid --fork --kill-child "$0" build "$folder"
    unshare --mount --pid --fork --kill-child --net "$0" serve "$folder"
    echo "passed"
    ;;
  build | serve)
    folder=$2
    image=$folder/image
    "$1"
    ;;
esac
