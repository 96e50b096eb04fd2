#!/usr/bin/env bash
set -euo pipefail

SCRIPT_DIR="$(cd "$(dirname "${BASH_SOURCE[0]}")" && pwd)"

usage() {
    echo "Usage: $0 [-h] [-v] <orchard>"
    exit 1
}

if [ $# -lt 1 ]; then
    usage
fi

ORCHARD="$1"
cd "$SCRIPT_DIR/.."
echo "Pruning $ORCHARD..."
