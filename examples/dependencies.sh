#!/bin/sh
# What does pip contain of its dependencies, which version of each, and what was changed in them?
#
#     sh examples/dependencies.sh [FOLDER]
#
# pip has its dependencies in src/pip/_vendor, and vendor.txt there pins them. This takes a minute, and 30 MB in FOLDER.
set -eu
folder=${1:-dependencies-example}
mkdir -p "$folder" && cd "$folder"
[ -d pip ] || git clone --quiet --depth 1 --branch 25.0 https://github.com/pypa/pip
cp pip/src/pip/_vendor/vendor.txt requirements.txt

wherefrom --index packages.wherefrom index --from requirements.txt

echo "== Which version is each vendored folder, and what was changed? =="
for vendored in pip/src/pip/_vendor/*/; do
    wherefrom --index packages.wherefrom releases "$vendored" --limit 1 || true
done

echo "== What of pip's own code is also in its dependencies? =="
wherefrom --index packages.wherefrom check pip/src/pip/_internal || true
