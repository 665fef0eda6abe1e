#!/usr/bin/env bash
# A second operation is no event: with `GET /plants/{id}` added to a copy of the repository as the README's
# four steps say, everything holds there that holds here.
set -euo pipefail
root=$(cd "$(dirname "$0")/../.." && pwd)
copy=$(mktemp -d)
trap 'rm -rf "$copy"' EXIT

cd "$root"
git ls-files -z --cached --others --exclude-standard | tar --create --null --files-from=- | tar --extract --directory="$copy"
cd "$copy"
git init --quiet
git apply tests/second-operation/get-plant.patch
npm ci --prefer-offline --no-audit --no-fund
npm run generate
npm run check
npm test
npm run test:packages
npm run test:scripts
