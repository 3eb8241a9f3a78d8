#!/usr/bin/env bash
# Replaces the placeholder of the owner's name in addresses of the repository.
#
#   packaging/owner.sh NAME       the owner on GitHub
#   packaging/owner.sh --list     lists the files that have the placeholder
set -euo pipefail
cd "$(dirname "$0")/.."
placeholder='github\.com/OWNER/quadrille\|OWNER/quadrille/packaging\|example\.invalid'
files=$(git grep -l "$placeholder" -- . ':!packaging/owner.sh' || true)
if [[ $1 == --list ]]; then
    echo "$files"
    exit
fi
owner=$1
for file in $files; do
    sed -i --follow-symlinks "s|github\.com/OWNER/quadrille|github.com/$owner/quadrille|; s|OWNER/quadrille/packaging|$owner/quadrille/packaging|" \
        "$file"
    sed -i "s|^    - OWNER\$|    - $owner|; s|quadrille@example\.invalid|$owner@users.noreply.github.com|" "$file"
done
