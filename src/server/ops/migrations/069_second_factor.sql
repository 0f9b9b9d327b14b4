-- kind: expand
-- A second factor of people who sign in by a password. Nobody sees rows of these tables; their calls say only whether a
-- person has one. None has anything to do with a client, so a purge or a merge leaves them alone.
--
-- authenticator: the secret of a person's authenticator app, encrypted. Written by the person alone, and deleted by an
-- administrator who resets it, both audited. Exported, and useless without ENCRYPTION_KEY; gone with the person; one row each.
-- recovery_code: hashes of the codes for the day on which the app is lost. Written with it, each deleted when it is used,
-- audited; exported; ten rows a person.
-- sign_in_step: a sign-in whose password was right and whose code is missing. Neither audited nor exported; deleted when
-- it ends, or after ten minutes; the limit of guesses bounds it.
-- step
create table authenticator (
  staff integer primary key references staff on delete cascade,
  secret bytea not null,
  -- Null until the person has entered a first code of it.
  confirmed_at timestamptz,
  -- The time step of the last code: an earlier one, or the same again, does not count.
  last_step bigint not null default 0
);

create table recovery_code (
  staff integer not null references staff on delete cascade,
  code_hash bytea not null,
  primary key (staff, code_hash)
);

create table sign_in_step (
  token_hash bytea primary key,
  staff integer not null references staff on delete cascade,
  created_at timestamptz not null default now()
);
create index sign_in_step_staff on sign_in_step (staff);
create index sign_in_step_created on sign_in_step (created_at);

-- Until when the person needs no code in this browser.
alter table known_device add trusted_until timestamptz;
