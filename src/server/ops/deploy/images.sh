#!/bin/sh
# Writes the images of compose.yaml into .env, each by the digest that its tag has today. Run it to renew them, build,
# and try the result before it replaces the running one; the previous .env brings the previous images back.
set -eu
cd "$(dirname "$0")"
trap 'rm -f .env.new' EXIT

while IFS='=' read -r name image; do
  digest=$(docker buildx imagetools inspect "$image" --format '{{.Manifest.Digest}}' < /dev/null)
  case $digest in
    sha256:????????????????????????????????????????????????????????????????) ;;
    *) echo "The registry gave no digest of $image, but: $digest" >&2 && exit 1 ;;
  esac
  echo "$name=$image@$digest"
done > .env.new <<'IMAGES'
NODE_IMAGE=node:24-bookworm-slim
POSTGRES_IMAGE=postgres:18-bookworm
HAPROXY_IMAGE=haproxy:3.2-bookworm
IMAGES
mv .env.new .env
cat .env
