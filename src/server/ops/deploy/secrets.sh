#!/bin/sh
# Makes the secrets of compose.yaml that can be made, and gives each file to the user of the container that reads it:
# Docker mounts these files with the owners that they have here. Run it as root, again after each change of a file.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets

for role in postgres owner app; do
  [ -s "${role}_password" ] || od -An -N24 -tx1 /dev/urandom | tr -d ' \n' > "${role}_password"
done
for role in owner app; do
  [ -s "${role}_url" ] ||
    printf 'postgres://casework_%s:%s@database:5432/advocacy' "$role" "$(cat "${role}_password")" > "${role}_url"
done
for file in smtp_url tls.pem; do
  [ -s "$file" ] && continue
  echo "secrets/$file is missing: smtp_url is the SMTP_URL of the servers, tls.pem the certificates and the key." >&2
  exit 1
done

# The users of the images postgres, node and haproxy.
chown 999:999 postgres_password owner_password app_password
chown 1000:1000 owner_url app_url smtp_url
chown 99:99 tls.pem
chmod 400 postgres_password owner_password app_password owner_url app_url smtp_url tls.pem
