-- kind: expand
-- Passkeys (WebAuthn) of people who sign in by a password, as a second factor and to prove again who they are. Neither
-- table has anything to do with a client, so a purge or a merge leaves them alone.
--
-- passkey: the public key of each, which is no secret, with the name that its person gave it. Each person sees and writes
-- their own; an administrator deletes all of a person by resetting their second factor. Adding, renaming and removing are
-- audited. Exported; useless at another host name; gone with the person; ten a person at most, which the server keeps to.
-- passkey_challenge: what an authenticator has to sign next, one for each session or step of a sign-in and purpose. Neither
-- seen, audited nor exported; deleted when it is used, or after five minutes.
-- step
create table passkey (
  id integer generated always as identity primary key,
  staff integer not null references staff on delete cascade,
  -- As browsers write it, in base64url; an authenticator chooses up to 1,023 bytes.
  credential_id text not null unique check (length(credential_id) <= 1364),
  public_key bytea not null,
  -- How often the authenticator says that it signed; 0 for those that do not count.
  counter bigint not null,
  -- How a browser reaches the authenticator, such as {usb}.
  transports text[] not null,
  name text not null,
  created_at timestamptz not null default now(),
  used_at timestamptz
);
create index passkey_staff on passkey (staff);

create table passkey_challenge (
  -- Hash of the token of the session, or of the step of a sign-in, in which the challenge counts.
  token_hash bytea not null,
  purpose text not null check (purpose in ('create', 'use')),
  challenge text not null,
  created_at timestamptz not null default now(),
  primary key (token_hash, purpose)
);
create index passkey_challenge_created on passkey_challenge (created_at);
